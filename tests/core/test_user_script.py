"""A script as users write it: its types hold under `mypy --strict`, and it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faying.testing.plates import write_plate_deck

SCRIPT = '''
from pathlib import Path

import numpy as np
import numpy.typing as npt

import faying
from faying import edits


def pressed(deck: Path, force: float) -> tuple[npt.NDArray[np.float64], float]:
    """Return the contact pressures (n_pairs,) and the deflection of the tip."""
    with faying.build(name="Plates") as session:
        session.apply(edits.add_body({"name": "plates", "model": {"path": str(deck)}}))
        for name in ("HOLD", "TIP"):
            session.apply(edits.add_interface("plates", {"name": name.lower(), "node_set": name}))
        master, slave = ({"kind": "deck_surface", "name": name} for name in ("LOWER", "UPPER"))
        session.apply(edits.add_joint("plates", {"name": "lap", "master": master, "slave": slave}))
        load = {"interface": "tip", "force": [0.0, 0.0, force]}
        static = {"kind": "static", "name": "press", "body": "plates", "support": "hold", "loads": [load]}
        session.apply(edits.add_analysis(static))
        for finding in session.check():
            print(finding.severity, finding.sentence, finding.hint)
        end = session.solve("press")
        places: npt.NDArray[np.float64] = end.points("lap")
        print(len(session.find_pairs("lap")), places.shape, end.unit("tip uz"))
        session.save(deck.with_name("plates.faying"))
        return end.field("pressure", unit="MPa"), float(end.curve("tip uz")[-1])


if __name__ == "__main__":
    pressure, deflection = pressed(Path("plates.inp"), -100.0)
    print(f"pressure {pressure.max():.3g} MPa, deflection {deflection:.3g} mm")
'''


def test_it_runs(tmp_path):
    write_plate_deck(tmp_path / "plates.inp")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1].split()
    assert float(last[1]) > 0.0 and float(last[4]) < 0.0
    assert (tmp_path / "plates.faying").is_file()


@pytest.mark.needs("mypy")
@pytest.mark.parametrize(
    ("more", "errors"), [("", 0), ('\npressed("plates.inp", "100 N")\n', 2)], ids=["right", "wrong"]
)
def test_its_types_hold(tmp_path, more, errors):
    """Without the settings of this repository, as in a user's folder; wrong ones are found."""
    (tmp_path / "script.py").write_text(SCRIPT + more, encoding="utf-8")
    cache = Path(__file__).parents[2] / ".mypy_cache" / "users"
    call = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir",
        str(cache),
        "script.py",
    ]
    lacking = {key: value for key, value in os.environ.items() if key != "MYPYPATH"}
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False, env=lacking)
    assert done.stdout.count("script.py:") == errors, done.stdout + done.stderr
    assert (done.returncode == 0) == (errors == 0)
