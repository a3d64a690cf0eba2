"""What `check` tells before a run: parts that overlap, markers that are not there, fits that press by themselves."""

from pathlib import Path

import numpy as np
import pytest

from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.session import Session
from support.two_blocks import write_two_blocks

STIFFNESS, EDGE, DEPTH, MASS = 1e4, 10.0, 0.5, 1e-3


def dropped(depth: float, gravity: float = -9810.0, **motion) -> dict:
    """Return a box whose lower face is below the ground by a depth."""
    half = EDGE / 2.0
    return {
        "units": "mm-t-s",
        "systems": [
            {
                "name": "drop", "gravity": [0.0, 0.0, gravity],
                "ground_surfaces": [{"kind": "plane", "name": "floor"}],
                "parts": [
                    {
                        "kind": "rigid", "name": "ball", "mass": MASS, "moments_of_inertia": [1e-2] * 3,
                        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": "box.stl"}],
                        "placement": {"position": [0.0, 0.0, half - depth]},
                    }
                ],
                "contacts": [
                    {
                        "name": "hit", "master": "ground.floor", "slave": "ball.skin", "reach": 5.0,
                        "contact_law": {"kind": "linear_penalty", "stiffness": STIFFNESS},
                        "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
                    }
                ],
            }
        ],
        "analyses": [{"kind": "motion", "name": "fall", "system": "drop", "duration": 0.01, **motion}],
    }  # fmt: skip


def write_box(folder: Path) -> None:
    """Write a cube of `EDGE` as triangles that point outwards."""
    corners = EDGE / 2.0 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines = ["solid box"]
    for a, b, c, d in faces:
        for triangle in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += ["vertex " + " ".join(map(str, corners[k])) for k in triangle]
            lines += ["endloop", "endfacet"]
    (folder / "box.stl").write_text("\n".join([*lines, "endsolid box"]) + "\n")


def told(words: dict, folder: Path) -> list:
    session = Session(project_from_dict(words), folder / "artifacts", base=folder)
    return [finding for finding in session.check() if finding.check == "contact_starts"]


def test_an_overlap_at_the_start_is_told_with_its_force_and_energy(tmp_path) -> None:
    """Kind: analytical. A face of A presses with ε A d, and has stored ε A d²/2."""
    write_box(tmp_path)
    (found,) = told(dropped(DEPTH), tmp_path)
    force = STIFFNESS * EDGE**2 * DEPTH
    assert f"by {DEPTH} mm" in found.sentence and f"with {force:.3g} N" in found.sentence
    assert f"{force * DEPTH / 2.0:.3g} N·mm" in found.sentence
    assert found.entity == ("systems", 0, "contacts", 0) and "(0, 0, 0.5) mm" in found.hint
    assert found.remedy.value == pytest.approx((0.0, 0.0, EDGE / 2.0), abs=1e-8)


def test_what_rests_touches_or_starts_from_equilibrium_is_not_told(tmp_path) -> None:
    write_box(tmp_path)
    rests = MASS * 9810.0 / (STIFFNESS * EDGE**2)
    assert told(dropped(rests), tmp_path) == []
    assert told(dropped(0.0, gravity=0.0), tmp_path) == []
    assert told(dropped(DEPTH, from_equilibrium=True), tmp_path) == []


def test_a_marker_on_a_body_without_interface_nodes_is_told_before_it_is_reduced() -> None:
    words = {
        "bodies": [{"name": "rod", "model": {"path": "rod.inp"}}],
        "systems": [
            {
                "name": "swing", "parts": [{"kind": "flexible", "name": "arm", "body": "rod"}],
                "constraints": [{"kind": "fixed", "name": "pin", "first": "ground.origin", "second": "arm.end"}],
            }
        ],
    }  # fmt: skip
    checked = CheckedProject(build(Project, words), Path())
    (found,) = [f for f in run_checks(checked) if f.check == "system_markers"]
    assert found.severity == "error" and found.entity == ("systems", 0, "constraints", 0)
    assert "no marker 'arm.end'" in found.sentence and "Body 'rod' has no interface nodes" in found.hint
    words["bodies"][0]["interfaces"] = [{"name": "end", "node_set": "END"}]
    checked = CheckedProject(build(Project, words), Path())
    assert not [f for f in run_checks(checked) if f.check == "system_markers"]


@pytest.mark.parametrize(("gap", "count"), [(-0.01, 0), (0.02, 1)])
def test_an_interference_fit_is_a_load(tmp_path, gap: float, count: int) -> None:
    """Blocks between two walls: 0.01 mm too high they press, with 0.02 mm between them nothing happens."""
    deck = write_two_blocks(tmp_path / "fit.inp", gap=gap)
    face = {name: {"kind": "deck_surface", "name": name} for name in ("LOW_Z0", "LOW_Z1", "UP_Z0", "UP_Z1")}
    words = {
        "units": "mm-t-s",
        "bodies": [
            {
                "name": "fit", "model": {"path": str(deck)},
                "supports": [
                    {"name": name, "behaviour": "fixed", "surface": face[side]}
                    for name, side in (("floor", "LOW_Z0"), ("ceiling", "UP_Z1"))
                ],
                "interfaces": [{"name": "supports", "node_set": "supports"}],
                "joints": [
                    {
                        "name": "fit", "master": face["LOW_Z1"], "slave": face["UP_Z0"],
                        "contact_law": {"kind": "linear_penalty", "stiffness": 4e4},
                    }
                ],
            }
        ],
        "analyses": [{"kind": "unreduced_static", "name": "fitted", "body": "fit", "support": "supports"}],
    }  # fmt: skip
    session = Session(project_from_dict(words), tmp_path / "artifacts")
    session.find_pairs("fit")
    said = [f for f in session.check() if "nothing will happen" in f.sentence]
    assert len(said) == count
    result = session.solve("fitted")
    force = result.curve("ceiling support force z")[-1]
    assert (force < -100.0) == (gap < 0.0)
    assert result.curve("floor support force z")[-1] == pytest.approx(-force, abs=1e-6)
