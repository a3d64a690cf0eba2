"""What frequency responses of bodies and systems have in common."""
