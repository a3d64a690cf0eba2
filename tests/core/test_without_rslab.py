"""Without rslab, a young library, SuperLU factors everything, and the results are the same."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from support.plate_deck import STUDY, write_study

LINES = """
import sys, json
if sys.argv[2] == "without":
    sys.modules["rslab"] = None
from faying.linalg.backends import factor_backends
from faying.session import read
names = sorted(name for name, kind in factor_backends.items() if kind.is_available())
with read(sys.argv[1]) as session:
    found = session.solve("press")
    gap, moved = found.field("gap"), found.field("displacement")
    print(json.dumps({"names": names, "gap": gap.tolist(), "moved": moved.tolist()}))
"""


def solved(study: Path, how: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-c", LINES, str(study), how],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.skipif(find_spec("rslab") is None, reason="there is nothing to compare with")
def test_results_are_the_same_to_eleven_digits(tmp_path: Path) -> None:
    study = write_study(tmp_path, STUDY)
    one, other = solved(study, "with"), solved(study, "without")
    assert "rslab" in one["names"] and "rslab" not in other["names"]
    largest = np.abs(one["moved"]).max()
    assert largest > 0.0 and np.abs(one["gap"]).max() > 1e-4 * largest
    for name in ("gap", "moved"):  # gaps are differences of motions
        np.testing.assert_allclose(other[name], one[name], rtol=0.0, atol=1e-11 * largest)
