"""Solutions as tables of pandas and arrays of xarray, and the joint search from a script."""

import numpy as np
import pytest

import faying
from faying.errors import MissingDependencyError
from faying.testing.plates import plates_session, solved


@pytest.mark.needs("pandas")
def test_curves_are_a_table_with_units():
    solution = solved("press")
    table = solution.data_frame("tip uz")
    assert list(table.columns) == ["tip uz [mm]"]
    np.testing.assert_array_equal(table["tip uz [mm]"], solution.curve("tip uz"))
    np.testing.assert_array_equal(table.index, solution.values)


@pytest.mark.needs("xarray")
def test_a_field_is_an_array_with_places_and_units():
    solution = solved("press")
    pressure = solution.data_array("pressure")
    assert pressure.dims == ("frame", "pair") and pressure.attrs["units"] == "N/mm²"
    np.testing.assert_array_equal(pressure.sel(frame=solution.n_frames - 1), solution.field("pressure"))
    np.testing.assert_array_equal(pressure["load"], solution.values)
    np.testing.assert_array_equal(pressure["pair_number"], solution.node_numbers("lap"))
    moved = solution.data_array("displacement", frames=[-1])
    assert moved.dims == ("frame", "node", "component") and moved.sizes["frame"] == 1
    np.testing.assert_array_equal(moved["x"], solution.points()[:, 0])


def test_a_package_that_is_not_there_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("faying.session.solution.import_module", missing)
    with pytest.raises(MissingDependencyError, match="needs pandas, which is not installed"):
        solved("press").data_frame()


def test_joints_are_found_and_taken_by_a_script():
    session = plates_session()
    found = session.search_joints()
    (joint,) = session.project.bodies[0].joints
    assert len(found) == 1
    assert {found[0].joint.master.name, found[0].joint.slave.name} == {joint.master.name, joint.slave.name}
    assert min(found[0].areas) > 0.0
    with faying.Session(session.project) as other:
        other.apply(faying.edits.add_joint(other.project.bodies[0].name, found[0].joint.with_(name="again")))
        assert [each.name for each in other.project.bodies[0].joints] == [joint.name, "again"]
