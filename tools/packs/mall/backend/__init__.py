"""The mall's business backend: goods, stores, floor plan, carts, orders, accounts over HTTP.

It runs in its own process with its own SQLite file, checks by itself who is acting (`identity`), and writes
down every effect it had (`effects`). Start it with `python -m tools.packs.mall.backend`.
"""
