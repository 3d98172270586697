"""What the management commands are made of: starting, stopping and configuring. Wiring: it may import every app."""
