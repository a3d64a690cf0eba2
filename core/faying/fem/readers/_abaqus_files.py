"""Files that a deck includes."""

import re
from pathlib import Path

# A keyword line that ends with a comma continues in the next line that begins with a letter, possibly after comments
# and empty lines.
_GOES_ON = r",[ \t]*\r?\n(?:[ \t]*(?:\*\*[^\r\n]*)?\r?\n)*[ \t]*(?=[A-Za-z])"
_INPUT = re.compile(
    rf"^[ \t]*\*[ \t]*(?:INCLUDE|NODE|ELEMENT|NSET|ELSET)\b(?:[^\r\n]|{_GOES_ON})*?\bINPUT[ \t]*=[ \t]*"
    r"(\"[^\"\r\n]*\"|[^,\r\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


def included_files(file: Path) -> tuple[Path, ...]:
    """Return the files that this file of a deck includes directly."""
    names = _INPUT.findall(file.read_bytes().decode("latin-1"))
    return tuple(included_path(file, name.encode("latin-1").decode("utf-8", "replace")) for name in names)


def included_path(including: Path, name: str) -> Path:
    """Return the path of an included file."""
    # Paths are relative to the including file; backslashes are Windows separators.
    return including.parent / name.strip().strip('"').replace("\\", "/")
