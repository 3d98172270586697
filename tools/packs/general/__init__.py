"""Tools every tenant can use, whatever its trade."""
