"""What was shown before, and depends on nothing that has changed since, need not be shown at every run.

    FAYING_RECORD=1 pytest -n 0 --all tests/examples

shows everything again, and notes in `tests/references/shown.json` what holds.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

SHOWN = Path(__file__).parents[1] / "references" / "shown.json"


@contextmanager
def shown_once(name: str, *content: str | Path) -> Iterator[None]:
    """Skip what was shown before with the same texts and files: with all that it depends on."""
    hashed = sha256()
    for part in content:
        read = part.read_bytes() if isinstance(part, Path) else part.encode()
        hashed.update(read.replace(b"\r\n", b"\n"))
    digest, again = hashed.hexdigest(), bool(os.environ.get("FAYING_RECORD"))
    if not again and _known().get(name) == digest:
        pytest.skip("shown before for what it is now; FAYING_RECORD=1 shows it again")
    yield
    if again:
        noted = json.dumps(_known() | {name: digest}, indent=4, sort_keys=True)
        SHOWN.write_text(noted + "\n", encoding="utf-8")


def _known() -> dict[str, str]:
    found: dict[str, str] = json.loads(SHOWN.read_text(encoding="utf-8"))
    return found
