"""Static errors of a body's basis, from every load that was solved with and without reduction."""

import json
from pathlib import Path

import numpy as np
import pytest

from faying.cli import main
from faying.exporters import export_content
from faying.project import edits
from faying.project.file import open_project
from faying.project.memory import Memory
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.static_errors import find_static_errors
from faying.project.store import ArtifactStore
from support.plate_deck import STUDY, write_study

LOADS = """support = "hold"
loads = [{ interface = "tip", force = [0.0, 0.0, -20.0] }]
"""
MORE = f"""
[[analyses]]
kind = "unreduced_static"
name = "full"
body = "plates"
{LOADS}
[[analyses]]
kind = "convergence_study"
name = "study"
body = "plates"
counts = [0, 6]
methods = [{{ kind = "vibration_modes" }}, {{ kind = "weighted_pod" }}]
{LOADS}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """A project with a load solved in three ways, run to its end."""
    folder = tmp_path_factory.mktemp("plates")
    assert main(["run", str(write_study(folder, STUDY + MORE))]) == 0
    return folder / "plates.faying"


@pytest.fixture(scope="module")
def errors(file, tmp_path_factory):
    project = open_project(file).project
    store, memory = ArtifactStore(tmp_path_factory.mktemp("store"), below=file), Memory()

    def frames_of(name):
        state = PIPELINE.state(project, Target("analysis", "plates", name), store, file.parent)
        if state.status != "ready":
            return None
        return export_content(project, store, name, base=file.parent, memory=memory).context

    return project, frames_of


def test_each_way_is_compared_with_the_unreduced_model(errors):
    project, frames_of = errors
    found = find_static_errors(project, "plates", frames_of)
    assert [e.source for e in found] == ["press, full", "study"]
    assert {e.load for e in found} == {"force (0, 0, -20) N at tip"}
    # The study solves the same equations, so both say the same: 6 modes of the present method, not of the other.
    assert found[0].displacement == pytest.approx(found[1].displacement, rel=1e-4)
    assert found[0].gap == pytest.approx(found[1].gap, rel=1e-4)

    reduced, full = frames_of("press"), frames_of("full")
    u = full.frames.displacement(0)
    difference = reduced.body.displacements @ reduced.frames.coordinates(2) - u
    assert found[0].displacement == pytest.approx(np.linalg.norm(difference) / np.linalg.norm(u))
    assert 1e-6 < found[0].displacement < 0.02


def test_only_the_same_case_is_compared(errors):
    project, frames_of = errors
    other = edits.set_value(("analyses", 1, "loads", 0, "force"), (0.0, 0.0, 20.0))(project)
    assert [e.source for e in find_static_errors(other, "plates", frames_of)] == ["study"]
    rough = edits.set_value(("bodies", 0, "joints", 0, "friction_law"), {"kind": "coulomb"})(project)
    rough = edits.set_value(("analyses", 0, "friction"), False)(rough)
    assert [e.source for e in find_static_errors(rough, "plates", frames_of)] == ["study"]
    fewer = edits.set_value(("bodies", 0, "joint_modes", "count"), 5)(project)
    assert [e.source for e in find_static_errors(fewer, "plates", frames_of)] == ["press, full"]
    own = edits.set_value(("bodies", 0, "joints", 0, "joint_modes"), {"kind": "weighted_pod"})(project)
    assert [e.source for e in find_static_errors(own, "plates", frames_of)] == ["press, full"]
    assert find_static_errors(project, "plates", lambda name: None) == ()


def test_the_command_prints_tables(file, capsys):
    assert main(["quality", str(file)]) == 0
    text = capsys.readouterr().out
    assert "6 joint modes" in text and "NRED [%]" in text and "share w(g)" in text
    assert "force (0, 0, -20) N at tip  press, full" in text
    assert main(["quality", str(file), "--json", "--body", "plates"]) == 0
    words = json.loads(capsys.readouterr().out)
    vectors = sum(words["trial_vectors"].values())
    assert len(words["full_frequencies"]) == len(words["frequency_differences"]) == min(vectors, 20)
    assert np.array(words["effective_mass_shares"]).shape == (vectors + 6 - 12, 6)
    assert words["static_errors"][0]["displacement"] < 0.02
    assert words["pod_ratio"]["5"] < 1.0


def test_before_any_run_the_basis_is_computed(tmp_path, capsys):
    assert main(["quality", str(write_study(tmp_path))]) == 0
    assert "no static errors" in capsys.readouterr().out
    assert main(["quality", str(tmp_path / "plates.toml"), "--body", "plate"]) == 1
    assert "There is no body called 'plate'" in capsys.readouterr().err
