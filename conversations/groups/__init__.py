"""Several people in one conversation: invitations, who is there, mentions, who types, who has read what."""
