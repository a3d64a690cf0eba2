"""Statics of a free body: it accelerates under its loads, and its inertia balances them.

Kind of reference: analytical, a bar pulled at its end and one pushed across; and the unreduced model.
"""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError
from faying.exporters import export_content
from faying.fem.stress import StressRecovery
from faying.fem.writers import write_model
from faying.project import edits
from faying.project.findings import find_findings
from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.results.fields import fields
from support.boxes import STEEL, box

LENGTH, SIDE, FORCE = 80.0, 4.0, 100.0
MASS = STEEL.density * LENGTH * SIDE**2
STUDY = f"""
[[bodies]]
name = "bar"
model = {{ path = "bar.inp" }}
interfaces = [{{ name = "end", node_set = "end" }}]
reduction = {{ kind = "craig_bampton", vibration_modes = 4 }}
relief_modes = true

[[bodies.couplings]]
name = "end"
behaviour = "distributing"
surface = {{ kind = "box", corner = [{LENGTH - 0.1}, -1.0, -1.0], opposite = [{LENGTH + 0.1}, 9.0, 9.0] }}

[[analyses]]
kind = "static"
name = "pulled"
body = "bar"
loads = [{{ interface = "end", force = [{FORCE}, 0.0, 0.0] }}]

[[analyses]]
kind = "static"
name = "pushed"
body = "bar"
loads = [{{ interface = "end", force = [0.0, 0.0, {FORCE}] }}]

[[analyses]]
kind = "unreduced_static"
name = "pushed, unreduced"
body = "bar"
loads = [{{ interface = "end", force = [0.0, 0.0, {FORCE}] }}]
"""


class Bar:
    """The bar with what was computed of it."""

    def __init__(self, folder: Path, study: str = STUDY, elements: tuple[int, int, int] = (20, 2, 2)) -> None:
        write_model(box("hex20", elements, (LENGTH, SIDE, SIDE)), folder / "bar.inp")
        (folder / "bar.toml").write_text(study)
        self.folder, self.store, self.memory = folder, ArtifactStore(folder / "store"), Memory()
        self.project = read_study(folder / "bar.toml")

    def value(self, stage: str, project: Project | None = None) -> object:
        return PIPELINE.run(
            project or self.project, Target(stage, "bar"), self.store, self.folder, memory=self.memory
        )

    def motion(self, name: str, project: Project | None = None) -> tuple[np.ndarray, dict[str, object]]:
        """Return (n_nodes, 3) displacements of the last frame, and the run report."""
        project = project or self.project
        target = Target("analysis", "bar", name)
        place = PIPELINE.run(project, target, self.store, self.folder, memory=self.memory)
        with closing(place.open()) as results:
            assert results.frame_of_reference == ""
            report = dict(results.report)
        content = export_content(
            project, self.store, name, base=self.folder, pipeline=PIPELINE, memory=self.memory
        )
        last = content.context.frames.n_frames - 1
        return fields["displacement"]().evaluate(content.context, "", last), report


@pytest.fixture(scope="module")
def bar(tmp_path_factory: pytest.TempPathFactory) -> Bar:
    return Bar(tmp_path_factory.mktemp("free"))


def stresses(bar: Bar, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return places and stresses along the bar at the elements' own points."""
    recovery = StressRecovery(bar.value("model"))
    return recovery.point_coordinates, recovery.at_points(moved)[:, 0]


def test_a_pulled_bar_has_stress_that_grows_from_its_free_end(bar: Bar) -> None:
    moved, report = bar.motion("pulled")
    assert report["acceleration"] == pytest.approx([FORCE / MASS, 0.0, 0.0], rel=1e-9, abs=1e-3)
    assert report["angular_acceleration"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-3)
    places, along = stresses(bar, moved)
    exact = FORCE / SIDE**2 * places[:, 0] / LENGTH
    away = places[:, 0] < LENGTH - 2.0 * SIDE  # the forces of the coupling fade within two sides
    np.testing.assert_allclose(along[away], exact[away], atol=0.002 * FORCE / SIDE**2)


def test_a_bar_pushed_across_turns_and_bends_as_a_free_beam(bar: Bar) -> None:
    """Bending moment F x² (L − x) / L², largest 4 F L / 27 at two thirds (beam under its own inertia)."""
    moved, report = bar.motion("pushed")
    inertia = MASS * (LENGTH**2 + SIDE**2) / 12.0
    assert report["acceleration"] == pytest.approx([0.0, 0.0, FORCE / MASS], rel=1e-9, abs=1e-3)
    assert report["angular_acceleration"][1] == pytest.approx(-FORCE * LENGTH / 2.0 / inertia, rel=1e-6)
    places, along = stresses(bar, moved)
    x, z = places[:, 0], places[:, 2] - SIDE / 2.0
    moment = FORCE * x**2 * (LENGTH - x) / LENGTH**2
    exact = moment * z / (SIDE**4 / 12.0)
    away = (x > SIDE) & (x < LENGTH - 2.0 * SIDE)
    np.testing.assert_allclose(np.abs(along[away]), np.abs(exact[away]), atol=0.01 * np.abs(exact).max())


def test_the_reduced_free_bar_is_the_unreduced_one(bar: Bar) -> None:
    reduced, full = bar.motion("pushed")[0], bar.motion("pushed, unreduced")[0]
    np.testing.assert_allclose(reduced, full, atol=1e-7 * np.abs(full).max())
    without = edits.set_value(("bodies", 0, "relief_modes"), False)(bar.project)
    assert np.abs(bar.motion("pushed", without)[0] - full).max() > 1e-5 * np.abs(full).max()


def test_findings_name_missing_modes_and_analyses_that_need_a_support(bar: Bar) -> None:
    def found(project: Project) -> list[str]:
        every = find_findings(project, bar.store, bar.folder, memory=bar.memory)
        return [f"{f.severity}: {f.sentence}" for f in every if f.check == "analyses_complete"]

    assert found(bar.project) == []
    without = found(edits.set_value(("bodies", 0, "relief_modes"), False)(bar.project))
    assert len(without) == 2 and without[0].startswith("warning: Analysis 'pulled' holds body 'bar' nowhere")
    swung = edits.add_analysis({"kind": "transient", "name": "swung", "body": "bar", "duration": 1e-4})(
        bar.project
    )
    assert any("'swung' holds body" in sentence for sentence in found(swung))
    with pytest.raises(ModelError, match="holds the body nowhere, which only statics can do"):
        bar.motion("swung", swung)


SPUN = f"""
[[bodies]]
name = "bar"
model = {{ path = "bar.inp" }}
reduction = {{ kind = "craig_bampton", vibration_modes = 2 }}
loads = [{{ kind = "rotation", name = "spin", angular_velocity = 100.0, axis_point = [0.0, {SIDE / 2}, 0.0] }}]

[[analyses]]
kind = "static"
name = "spun"
body = "bar"
body_loads = [{{ load = "spin" }}]

[[analyses]]
kind = "unreduced_static"
name = "spun, unreduced"
body = "bar"
body_loads = [{{ load = "spin" }}]
"""


def test_a_free_bar_without_interface_nodes_responds_to_loads_of_the_body(tmp_path: Path) -> None:
    """Centrifugal forces about an axis through one end have the resultant ω² m L / 2 along the bar."""
    bar = Bar(tmp_path, SPUN, (8, 1, 1))
    (reduced, report), (full, _) = bar.motion("spun"), bar.motion("spun, unreduced")
    expected = 100.0**2 * LENGTH / 2.0
    assert report["acceleration"] == pytest.approx([expected, 0.0, 0.0], abs=1e-6 * expected)
    assert report["angular_acceleration"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6 * expected)
    np.testing.assert_allclose(reduced, full, atol=1e-6 * np.abs(full).max())
