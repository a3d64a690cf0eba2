"""Libraries that read settings from the current folder, imported without them.

The current folder is often the one of a study that somebody sent. numba reads ``.numba_config.yaml`` there, which names
a folder of machine code that it un-pickles, so that it would run what a stranger wrote; matplotlib reads
``matplotlibrc``, and does not load at all where that is damaged. Neither library has a switch for it; both ask
``os.path.exists`` for the bare name.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SETTINGS = (".numba_config.yaml", "matplotlibrc")


@contextmanager
def without_settings_of_the_folder() -> Iterator[None]:
    """Let imports in the block find none of `SETTINGS` in the current folder; those elsewhere are found as ever.

    The program's own processes are in such a block from their first command to their last; a script that imports Faying
    keeps its own settings of matplotlib.
    """
    exists = os.path.exists

    def found(path: Any) -> bool:
        return path not in SETTINGS and exists(path)

    os.path.exists = found
    try:
        yield
    finally:
        os.path.exists = exists


def forget_the_folder(search: list[str], package: Path) -> None:
    """Take the current folder, which ``python -m`` puts first, from a search path of modules.

    Args:
        search: `sys.path`; changed in place.
        package: folder of the package that runs; where that is in the current folder, the search path stays.
    """
    here = Path.cwd()
    if search and Path(search[0] or here).resolve() == here and package.parent.resolve() != here:
        del search[0]
