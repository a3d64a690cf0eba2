"""What is opened with broken inputs. A member is one file that registers a `Subject`."""

import contextlib
import hashlib
import importlib
import io
import pkgutil
import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from faying.cli import main
from fuzz.guard import SECONDS, WrongAnswerError

_KINDS: dict[str, type["Subject"]] = {}


class Subject(ABC):
    """A kind of input: whole files of it, how they break, and how a user opens them.

    Args:
        folder: for the whole files.

    Attributes:
        name: for the command line.
        share: of the inputs, in parts.
        seconds: of processor time that a case may take.
        originals: the whole files; none is ever written to.
    """

    name: ClassVar[str]
    share: ClassVar[int] = 1
    seconds: ClassVar[float] = SECONDS

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.originals = self.prepare(folder)

    @abstractmethod
    def prepare(self, folder: Path) -> list[Path]:
        """Return whole files, made in a folder or lying elsewhere."""

    @abstractmethod
    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        """Write a broken copy into a folder, with all that belongs to it, and return its path."""

    @abstractmethod
    def open(self, path: Path) -> str:
        """Open a file in every way that a user has; return the sentence that it ended with, "" for a right result.

        Raises:
            WrongAnswerError: for a result that cannot be right.
        """

    def run_case(self, key: str, folder: Path) -> str:
        """Break a file and open it; the key decides what is broken how."""
        rng = random.Random(key)
        original = rng.choice(self.originals)
        before = _digest(original)
        path = self.break_file(original, rng, folder)
        broken = _digest(path)
        sentence = self.open(path)
        if _digest(original) != before:
            raise WrongAnswerError(f"{original} was changed")
        if _digest(path) != broken:
            raise WrongAnswerError(f"{path} was changed")
        return sentence


def register(kind: type[Subject]) -> type[Subject]:
    """File a subject under its name."""
    _KINDS[kind.name] = kind
    return kind


def subjects() -> dict[str, type[Subject]]:
    """Return all subjects by name."""
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        importlib.import_module(module.name)
    return dict(sorted(_KINDS.items()))


def faying(*words: object) -> tuple[str, str]:
    """Run a command of the command line; return the sentence of its error, and what it printed.

    Raises:
        WrongAnswerError: when it ends with neither 0 nor 1, or with 1 and no word.
    """
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    said = err.getvalue()
    if "Traceback" in said or "Traceback" in out.getvalue():
        raise WrongAnswerError(f"a traceback from {words}:\n{said}")
    if "memory" in said and "error:" in said:
        raise MemoryError(said)
    if code not in (0, 1) or (code == 1 and not (said + out.getvalue()).strip()):
        raise WrongAnswerError(f"{words} ended with {code}:\n{said}")
    lines = [line for line in said.splitlines() if line.startswith("error: ")]
    return lines[-1] if code and lines else "", out.getvalue()


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
