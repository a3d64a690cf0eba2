"""Singular values by which a number of joint modes is chosen, before the basis with that number is there."""

import numpy as np
import pytest

from faying.project import edits
from faying.project.memory import Memory
from faying.project.spectrum import find_singular_values
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.testing.plates import plates, write_plate_deck

METHOD = ("bodies", 0, "joint_modes")


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spectrum")
    project = plates(write_plate_deck(folder / "plates.inp"))
    store = ArtifactStore(folder / "store")
    basis = PIPELINE.run(project, Target("basis", "plates"), store, memory=Memory())
    return project, store, basis.singular_values


def found(project, store):
    return find_singular_values(project, "plates", PIPELINE, store)


def test_number_and_ratio_do_not_matter(computed):
    project, store, values = computed
    assert len(values) > 4
    np.testing.assert_array_equal(found(project, store), values)
    for words in ({"count": 9}, {"count": 0}, {"ratio": 0.9}):
        np.testing.assert_array_equal(found(edits.set_values(METHOD, words)(project), store), values)


def test_everything_else_matters(computed):
    project, store, _ = computed
    for edit in (
        edits.replace_member(METHOD, "pod"),
        edits.replace_member((*METHOD, "derivatives"), "self"),
        edits.set_value(("bodies", 0, "reduction", "vibration_modes"), 5),
        edits.set_value(("bodies", 0, "joints", 0, "search", "distance"), 1.0),
        edits.remove(("bodies", 0, "interfaces", 1)),
        edits.set_value(("bodies", 0, "joints", 0, "joint_modes"), {"kind": "pod"}),
    ):
        assert found(edit(project), store) is None


def test_a_basis_without_joint_modes_does_not_hide_another(computed):
    project, store, values = computed
    none = edits.set_value((*METHOD, "count"), 0)(project)
    PIPELINE.run(none, Target("basis", "plates"), store, memory=Memory())
    np.testing.assert_array_equal(found(none, store), values)
    assert found(none, ArtifactStore(store.folder / "empty")) is None


def test_a_method_without_singular_values_has_none(computed):
    project, store, _ = computed
    other = edits.replace_member(METHOD, "vibration_modes")(project)
    few = edits.set_value((*METHOD, "count"), 2)(other)
    PIPELINE.run(few, Target("basis", "plates"), store, memory=Memory())
    assert len(found(few, store)) == 0
