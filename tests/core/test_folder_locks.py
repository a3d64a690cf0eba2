"""A work folder that is removed by a process that is killed on the way is known as one all the same."""

import os
import shutil
from pathlib import Path

import pytest

from faying.project.lock import FolderLock, is_locked_folder


class Killed(BaseException):
    """As by SIGKILL: nothing is put in order."""


@pytest.mark.parametrize("survived", range(8))
def test_a_folder_half_removed_is_still_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    folder = tmp_path / "a.faying.work"
    folder.mkdir()
    for name in ("1.json", "1.h5", "x.json"):
        (folder / name).write_text("{}")
    (folder / "frames").mkdir()
    (folder / "frames" / "2.h5").write_text("")
    lock, left = FolderLock(folder), [survived]

    def counted(remove):
        def removing(*args, **options):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            remove(*args, **options)

        return removing

    with monkeypatch.context() as patch:
        for name in ("unlink", "rmdir"):
            patch.setattr(os, name, counted(getattr(os, name)))
        try:
            lock.remove_folder()
        except Killed:
            lock.release()
    assert not folder.exists() or not any(folder.iterdir()) or is_locked_folder(folder)
    shutil.rmtree(folder, ignore_errors=True)
