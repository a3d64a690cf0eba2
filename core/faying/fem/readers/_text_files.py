"""Text files of models: reading, and lines for error messages."""

from dataclasses import dataclass
from pathlib import Path

from faying.errors import ReadError
from faying.input_files import is_file


@dataclass(frozen=True)
class FileLine:
    """A line of a file, for error messages."""

    path: Path
    line: int

    def error(self, message: str, hint: str = "") -> ReadError:
        """Return an error that refers to this line."""
        return ReadError(self.path, self.line, message, hint)


def read_text(path: Path, place: FileLine | None = None) -> str:
    """Return a deck's text.

    Raises:
        ReadError: when the file is missing, empty or not text; if missing, the error refers to the line `place`, if
            given.
    """
    if not is_file(path):
        if place is not None:
            raise place.error(
                f"the included file {str(path)!r} does not exist.", "Put it next to the deck or fix the path."
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
