"""Contract of the shapes of rigid parts: mass, centre and inertia are those of their drawn outside; and by formulas."""

from typing import ClassVar

import numpy as np
import pytest

from faying.errors import FayingError, ModelError
from faying.multibody.part_kinds.rigid import RigidShapeSpec
from faying.params import build
from faying.testing import PartShapeContract

MARKERS = ({"name": "a", "position": (1.0, 2.0, 3.0)}, {"name": "b", "position": (7.0, -4.0, 9.0)})
OBLIQUE = {
    "box": {"edges": (3.0, 5.0, 7.0), "middle": (1.0, 2.0, -4.0), "rotation": (0.3, -0.8, 0.5)},
    "cylinder": {"start": (1.0, 1.0, 2.0), "end": (4.0, -2.0, 6.0), "radius": 2.0, "bore": 0.5},
    "sphere": {"centre": (1.0, -1.0, 2.0), "radius": 3.0},
    "link": {"first": "rod.a", "second": "rod.b", "width": 1.0, "depth": 2.0},
}


def part(shape, **words):
    return build(RigidShapeSpec, {"name": "rod", "shape": shape, "density": 2.0, "markers": MARKERS, **words})


def stl(path, points, triangles):
    """Write triangles as text."""
    lines = ["solid it"]
    for corners in points[triangles]:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in corners]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid it"]))


class TestPartShapes(PartShapeContract):
    samples: ClassVar = OBLIQUE
    without = ("mesh",)
    round = ("cylinder", "sphere")


class TestMeshes(PartShapeContract):
    kinds = ("mesh",)

    @pytest.fixture(autouse=True)
    def file(self, tmp_path, monkeypatch):
        box = part({"kind": "box", **OBLIQUE["box"]}).solid()
        stl(tmp_path / "it.stl", box.points, box.triangles)
        words = {"path": str(tmp_path / "it.stl"), "scale": 2.0, "rotation": (0.1, 0.2, 0.3)}
        monkeypatch.setattr(TestMeshes, "samples", {"mesh": words})


def test_closed_forms():
    tensor = part({"kind": "box", "edges": (2.0, 3.0, 4.0)}, mass=12.0).inertia()[2]
    assert np.diag(tensor) == pytest.approx([9 + 16, 4 + 16, 4 + 9])
    tensor = part({"kind": "sphere", "radius": 2.0}, mass=10.0).inertia()[2]
    assert tensor == pytest.approx(16.0 * np.eye(3))
    tube = part(
        {"kind": "cylinder", "start": (0, 0, 0), "end": (6, 0, 0), "radius": 2.0, "bore": 1.0}, mass=12.0
    )
    _, centre, tensor = tube.inertia()
    assert centre == pytest.approx([3.0, 0, 0])
    assert np.diag(tensor) == pytest.approx(
        [30.0, 15.0 + 36.0, 15.0 + 36.0]
    )  # m (R² + r²)/2, and half of it + m l²/12
    link = part(
        {"kind": "link", "first": "rod.a", "second": "rod.frame", "width": 1.0, "depth": 1.0}, mass=1.0
    )
    assert link.inertia()[1] == pytest.approx([0.5, 1.0, 1.5])


def test_shapes_that_are_none_are_refused_by_a_sentence(tmp_path):
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    stl(tmp_path / "open.stl", flat, np.array([[0, 1, 2]]))
    for shape, sentence in (
        ({"kind": "box", "edges": (1.0, 0.0, 1.0)}, "three edges"),
        ({"kind": "cylinder", "start": (0, 0, 0), "end": (0, 0, 0)}, "different places"),
        ({"kind": "link", "first": "rod.a", "second": "ground.origin"}, "ground.origin"),
        ({"kind": "link", "first": "rod.a", "second": "rod.a"}, "in one place"),
        ({"kind": "mesh", "path": str(tmp_path / "open.stl")}, "is open"),
        ({"kind": "mesh", "path": str(tmp_path / "none.stl")}, "cannot be read"),
        ({"kind": "mesh"}, "no file"),
    ):
        with pytest.raises(FayingError, match=sentence):
            part(shape).inertia()
    with pytest.raises(ModelError, match="neither density nor mass"):
        part({"kind": "box"}, density=0.0).inertia()
