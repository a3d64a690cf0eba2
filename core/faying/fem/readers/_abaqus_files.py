"""Files that a deck includes."""

import re
from pathlib import Path

from faying.input_files import is_file

_INPUT = re.compile(
    r"^[ \t]*\*[ \t]*(?:INCLUDE|NODE|ELEMENT|NSET|ELSET)\b[^\r\n]*?\bINPUT\s*=\s*(\"[^\"\r\n]*\"|[^,\r\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


def included_files(path: Path) -> tuple[Path, ...]:
    """Return a deck and all files that it includes, each once; those that are not there are left out."""
    found: dict[Path, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop(0)
        if file in found or not is_file(file):
            continue
        found[file] = None
        for name in _INPUT.findall(file.read_bytes().decode("latin-1")):
            waiting.append(included_path(file, name.encode("latin-1").decode("utf-8", "replace")))
    return tuple(found)


def included_path(including: Path, name: str) -> Path:
    """Return the path of a file that another one includes."""
    # Paths count from the including file; a backslash is somebody's Windows.
    return including.parent / name.strip().strip('"').replace("\\", "/")
