"""What takes long to make is made by one process of a test run, and shared by all."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_PATIENCE = 300.0  # seconds after which a process makes its own


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> tuple[Path, Any]:
    """Return the folder of a name, and what `make` returned for it: something that JSON can hold.

    Who comes first makes it, the others wait. When it fails there, the next one tries.
    """
    top = factory.getbasetemp()
    top = top.parent if "PYTEST_XDIST_WORKER" in os.environ else top
    folder, said = top / name, top / f"{name}.json"
    end = time.monotonic() + _PATIENCE
    while not said.exists():
        try:
            folder.mkdir()
        except FileExistsError:
            if time.monotonic() > end:
                folder = factory.mktemp(name)
                return folder, make(folder)
            time.sleep(0.05)
            continue
        try:
            content = json.dumps(make(folder))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        part = said.with_suffix(".part")
        part.write_text(content, encoding="utf-8")
        part.replace(said)
    return folder, json.loads(said.read_text(encoding="utf-8"))
