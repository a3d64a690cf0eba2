"""Some broken inputs of every kind, in a process of its own (see `fuzz`); more by ``python -m tests.fuzz``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faying.fem.readers import read_model
from fuzz.subjects import subjects

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the guarded children are forked")
@pytest.mark.slow  # any texts and numbers are tried by tests of properties, too
def test_broken_inputs_end_in_a_right_result_or_a_sentence() -> None:
    outcome = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--inputs", "25", "--seed", "tests"],
        cwd=ROOT, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert outcome.returncode == 0, outcome.stdout[-5000:] + outcome.stderr[-3000:]
    assert all(f"{name}: " in outcome.stdout for name in subjects())


def test_whole_files_give_right_results(tmp_path: Path) -> None:
    for name, kind in subjects().items():
        if name == "projects":
            continue  # computed in the test above
        folder = tmp_path / name
        folder.mkdir()
        subject = kind(folder)
        for original in subject.originals:
            if name.startswith("deck"):
                assert len(read_model(original).nodes)
            elif name == "studies":
                assert subject.open(original) == ""
