"""Decks as a project refers to them: where they are, and the fingerprint of their contents."""

import os
import re
from functools import lru_cache
from pathlib import Path

from faying.errors import ModelError
from faying.fingerprint import file_digest, fingerprint
from faying.project.specs import BodySpec, ModelSpec, Project

_INCLUDE = re.compile(rb"^\s*\*include\s*,\s*input\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def deck_path(spec: ModelSpec, base: Path) -> Path:
    """Return the deck's absolute path; a relative one counts from `base`."""
    return Path(os.path.normpath(base.absolute() / spec.path))


def deck_digest(path: Path) -> str:
    """Return the fingerprint of a deck's contents, with all files that it includes.

    Raises:
        OSError: when the deck cannot be read.
    """
    status = path.stat()
    own, included = _scanned(path, status.st_mtime_ns, status.st_size)
    digests = [own]
    for file in included:
        inner = file.stat()
        digests.append(_scanned(file, inner.st_mtime_ns, inner.st_size)[0])
    return own if len(digests) == 1 else fingerprint(digests)


def content_of(body: BodySpec, base: Path) -> str:
    """Return the fingerprint of a body's deck: of the file, or the one remembered when the file is gone.

    So stored artifacts still serve where the deck is not at hand.

    Raises:
        ModelError: when there is neither.
    """
    path = deck_path(body.model, base)
    try:
        return deck_digest(path)
    except OSError as error:
        if body.model.digest:
            return body.model.digest
        reason = (
            "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror})"
        )
        raise ModelError(
            f"The deck of body {body.name!r} {reason}: {path}.", "Put it there, or choose the deck again."
        ) from None


def has_changed(body: BodySpec, base: Path) -> bool:
    """Return whether the deck's contents differ from those at import; False when either is unknown."""
    try:
        return bool(body.model.digest) and deck_digest(deck_path(body.model, base)) != body.model.digest
    except OSError:
        return False


def with_digests(project: Project, base: Path) -> Project:
    """Return the project in which every deck that is there, and was not yet, is remembered by its contents."""
    bodies = []
    for body in project.bodies:
        if not body.model.digest:
            try:
                digest = deck_digest(deck_path(body.model, base))
            except OSError:
                digest = ""
            body = body.with_(model=body.model.with_(digest=digest))
        bodies.append(body)
    return project.with_(bodies=tuple(bodies))


@lru_cache(maxsize=64)
def _scanned(path: Path, modified: int, size: int) -> tuple[str, tuple[Path, ...]]:
    """Return the digest of one file and all files that it includes, directly or not (missing ones left out)."""
    found: dict[Path, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        for name in _INCLUDE.findall(file.read_bytes()):
            inner = file.parent / name.decode("utf-8", "replace").strip("\"'")
            if inner.is_file() and inner != path and inner not in found:
                found[inner] = None
                waiting.append(inner)
    return file_digest(path), tuple(found)
