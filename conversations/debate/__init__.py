"""A debate: two personas speak in turns, keep a notepad together, and end with one answer."""
