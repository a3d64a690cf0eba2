"""Folder of Faying's own files."""

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return the folder of Faying's own files: ``FAYING_HOME`` if set, else the user's data folder."""
    chosen = os.environ.get("FAYING_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("faying", appauthor=False))
