"""Checks of a project."""
