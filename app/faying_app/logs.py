"""The log file of the window."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from faying.project.home import home


def log_path() -> Path:
    """Return the file that the window logs to."""
    return home() / "faying.log"


def start_log() -> None:
    """Log everything of the program from now on to its file, which never grows beyond a megabyte."""
    path = log_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    root = logging.getLogger()
    if any(isinstance(h, RotatingFileHandler) and Path(h.baseFilename) == path for h in root.handlers):
        return
    handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)
    logging.getLogger("faying").setLevel(logging.INFO)
    logging.getLogger("faying_app").setLevel(logging.INFO)
