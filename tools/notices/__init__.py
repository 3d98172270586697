"""Who is told of what waits for people, and the sending: `planning` makes notices, `sending` carries one.

The `postman` runs both, beside the runner and not in the queue: the guarded HTTP client lives on that loop, a receiver
that hangs costs a coroutine there instead of one of two queue workers, and rows with a due time are scheduling enough.
"""
