"""Reminders: at a local time of somebody's, once or again and again, into a conversation."""
