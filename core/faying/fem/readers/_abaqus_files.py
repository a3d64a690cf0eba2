"""Files of a deck: their text, the files that they include, and places in them for sentences."""

import re
from dataclasses import dataclass
from pathlib import Path

from faying.errors import ReadError

_INPUT = re.compile(
    r"^[ \t]*\*[ \t]*(?:INCLUDE|NODE|ELEMENT|NSET|ELSET)\b[^\r\n]*?\bINPUT\s*=\s*(\"[^\"\r\n]*\"|[^,\r\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Place:
    """A line of a file, for sentences."""

    path: Path
    line: int

    def error(self, message: str, hint: str = "") -> ReadError:
        """Return the error to raise about this line."""
        return ReadError(self.path, self.line, message, hint)


def read_text(path: Path, place: Place | None = None) -> str:
    """Return a deck's text.

    Raises:
        ReadError: when there is no such file, or it is empty or no text; about `place` when given.
    """
    if not path.is_file():
        if place is not None:
            raise place.error(
                f"the included file {str(path)!r} does not exist.", "Put it beside the deck or mend the path."
            )
        what = "this is a folder, expected a file." if path.is_dir() else "there is no such file."
        raise ReadError(path, None, what, "Check the path.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReadError(
            path, None, f"the file cannot be read: {error.strerror}.", "Check its rights."
        ) from error
    if not content.strip():
        raise ReadError(path, None, "the file is empty.", "Write the deck again.")
    if b"\0" in content:
        raise ReadError(
            path, content[: content.index(b"\0")].count(b"\n") + 1,
            "this is no text but binary content, expected an input deck.",
            "Choose the text file with the keyword cards (.inp), not a database or result file.",
        )  # fmt: skip
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def included_files(path: Path) -> tuple[Path, ...]:
    """Return a deck and all files that it includes, each once; those that are not there are left out."""
    found: dict[Path, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop(0)
        if file in found or not file.is_file():
            continue
        found[file] = None
        for name in _INPUT.findall(file.read_bytes().decode("latin-1")):
            waiting.append(included_path(file, name.encode("latin-1").decode("utf-8", "replace")))
    return tuple(found)


def included_path(including: Path, name: str) -> Path:
    """Return the path of a file that another one includes."""
    # Paths count from the including file; a backslash is somebody's Windows.
    return including.parent / name.strip().strip('"').replace("\\", "/")
