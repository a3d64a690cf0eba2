"""Libraries that read settings from the current folder, imported without them.

The current folder is often that of a study from someone else. numba reads ``.numba_config.yaml`` there, which names a
folder of machine code that it un-pickles, and so would run a stranger's code. matplotlib reads ``matplotlibrc``, and
fails to load where that is damaged. Neither library has a switch for it; both call ``os.path.exists`` with the bare
file name.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SETTINGS = (".numba_config.yaml", "matplotlibrc")


@contextmanager
def without_settings_of_the_folder() -> Iterator[None]:
    """Hide `SETTINGS` in the current folder from imports in the block; those elsewhere are found as usual.

    The program's own processes use such a block from their first command to their last; a script that imports Faying
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
    """Remove the current folder, which ``python -m`` puts first, from a module search path.

    Args:
        search: `sys.path`; changed in place.
        package: folder of the running package; if it is in the current folder, the search path is unchanged.
    """
    here = Path.cwd()
    if search and Path(search[0] or here).resolve() == here and package.parent.resolve() != here:
        del search[0]
