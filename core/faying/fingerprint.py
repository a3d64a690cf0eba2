"""Fingerprints: short, stable names for recipes and contents."""

import hashlib
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from faying.input_files import check_regular


def fingerprint(*parts: Any) -> str:
    """Return 32 hexadecimal digits that depend only on the values of the parts.

    Parts may be specs, numbers, strings, None, and lists, tuples and dicts of these. Floats count with
    their exact value; the order of a dict's keys does not matter.
    """
    text = json.dumps([_plain(p) for p in parts], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # File names that are not UTF-8 contain surrogates.
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


def file_digest(path: str | Path) -> str:
    """Return 32 hexadecimal digits of a file's contents.

    Raises:
        OSError: when it is not a file, or cannot be read.
    """
    check_regular(Path(path))
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:32]


def _plain(part: Any) -> Any:
    if isinstance(part, BaseModel):
        return part.model_dump(mode="json")
    if isinstance(part, (list, tuple)):
        return [_plain(p) for p in part]
    if isinstance(part, dict):
        return {str(k): _plain(v) for k, v in part.items()}
    if isinstance(part, Path):
        return part.as_posix()
    if part is None or isinstance(part, (str, int, float, bool)):
        return part
    raise TypeError(f"a fingerprint cannot hold a {type(part).__name__}")
