"""Files that a deck includes."""

import re
from pathlib import Path

_INPUT = re.compile(
    r"^[ \t]*\*[ \t]*(?:INCLUDE|NODE|ELEMENT|NSET|ELSET)\b[^\r\n]*?\bINPUT\s*=\s*(\"[^\"\r\n]*\"|[^,\r\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


def included_files(file: Path) -> tuple[Path, ...]:
    """Return the files that this file of a deck includes directly."""
    names = _INPUT.findall(file.read_bytes().decode("latin-1"))
    return tuple(included_path(file, name.encode("latin-1").decode("utf-8", "replace")) for name in names)


def included_path(including: Path, name: str) -> Path:
    """Return the path of a file that another one includes."""
    # Paths are relative to the including file; backslashes are those of Windows.
    return including.parent / name.strip().strip('"').replace("\\", "/")
