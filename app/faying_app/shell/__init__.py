"""The main window and what holds it together."""
