"""Files that are replaced as a whole while somebody else holds them, as programs do on Windows."""

from pathlib import Path

import pytest

from faying.atomic import _replace, replacing


class Held(type(Path())):
    """A file that a scanner holds for the first tries; no other system than Windows refuses this."""

    refusals = 0

    def replace(self, target):
        if type(self).refusals:
            type(self).refusals -= 1
            raise PermissionError(13, "held by another program", str(target))
        return super().replace(target)


@pytest.mark.parametrize(("refusals", "tries"), [(2, 3), (3, 3)])
def test_a_file_that_is_held_for_a_moment_is_replaced_after_it(tmp_path, refusals, tries):
    new, there = Held(tmp_path / "new"), tmp_path / "there"
    new.write_text("new", encoding="utf-8")
    Held.refusals = refusals
    if refusals < tries:
        _replace(new, there, tries=tries)
        assert there.read_text(encoding="utf-8") == "new" and not new.exists()
    else:
        with pytest.raises(PermissionError):
            _replace(new, there, tries=tries)
        assert new.exists() and not there.exists()


def test_a_replaced_file_is_whole_and_alone(tmp_path):
    with replacing(tmp_path / "file") as beside:
        beside.write_text("whole", encoding="utf-8")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "whole" and len(list(tmp_path.iterdir())) == 1
