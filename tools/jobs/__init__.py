"""Tools that work in the background: queued by the gate, carried out by a queue worker, reported as they go."""
