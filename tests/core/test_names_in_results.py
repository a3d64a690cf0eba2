"""Names with signs that HDF5 takes for something else: results are written, copied and read back with any of them."""

from contextlib import closing
from dataclasses import replace

import h5py
import numpy as np
import pytest

from faying.analyses.recording.stored_state import ANGLES
from faying.errors import ModelError, ReadError
from faying.project import edits
from faying.project.file import open_project, save_project
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.results.curve_key import CurveKey
from faying.results.names import names_on, path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from faying.testing.plates import plates, write_plate_deck
from support.systems import jointed_plates_model, moved, system_of

NAMES = (
    "/",
    "a/b",
    "../up",
    ".",
    "..",
    "",
    " ",
    " a ",
    "\0",
    "a\0b",
    "%2F;",
    "50 %",
    "100%;",
    "ä/ß",
    "\ud800",
    "a__b",
)
WHEEL = {"kind": "rigid", "mass": 1.0, "moments_of_inertia": (1.0, 1.0, 1.0), "markers": [{"name": "hub/a"}]}
ODD = " left/right . %2F; "


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_one_step_of_a_path_and_comes_back(tmp_path, name):
    path = path_of("curves", name, "x")
    assert path.count("/") == 2 and names_on(path) == ("curves", name, "x")
    with h5py.File(tmp_path / "f.h5", "w") as file:
        file[path] = 1.0
        assert [names_on(found)[0] for found in file["curves"]] == [name]


def test_names_are_different_where_they_look_alike():
    assert len({path_of(name) for name in NAMES}) == len(NAMES)
    assert path_of("lap joint", "tip uz") == "lap joint/tip uz"  # as it always was


def test_a_body_of_odd_names_is_computed_saved_and_read(tmp_path):
    project, store = plates(write_plate_deck(tmp_path / "plates.inp")), ArtifactStore(tmp_path / "store")
    places = [("bodies", 0), ("bodies", 0, "interfaces", 0), ("bodies", 0, "interfaces", 1),
              ("bodies", 0, "joints", 0), *(("analyses", i) for i in range(3))]  # fmt: skip
    for i, place in enumerate(places):
        project = edits.rename(place, f"{ODD}{i}")(project)
    for analysis in project.analyses:
        PIPELINE.run(project, target_of(analysis), store)
    path = tmp_path / "odd.faying"
    save_project(path, project, "", store, PIPELINE.reached(project, store))
    opened, fresh = open_project(path).project, ArtifactStore(tmp_path / "fresh", below=path)
    assert [item.name for item in opened.analyses] == [item.name for item in project.analyses]
    for analysis in opened.analyses:
        assert PIPELINE.state(opened, target_of(analysis), fresh).status == "ready"
        with closing(PIPELINE.value(opened, target_of(analysis), fresh).open()) as results:
            assert results.body == f"{ODD}0" and results.frame_of_reference == f"{ODD}1"
            assert f"{ODD}3 closed share" in results.curve_names
            assert np.abs(results.curve(f"{ODD}2 uz")).max() > 0.0
            if analysis.kind != "static":  # which stores nothing of joints without friction
                assert results.joint_names == (f"{ODD}3",)
            if analysis.kind == "transient":
                assert results.history(f"{ODD}3", 4).shape[0] == 15
            if analysis.kind == "unreduced_static":
                assert results.gap_and_slip(f"{ODD}3", 0)[0].shape == (15,)
            results.verify()


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_what_no_file_can_hold_is_refused_before_it_is_decided(tmp_path, name):
    project = plates(tmp_path / "plates.inp")
    for change in (edits.rename(("bodies", 0, "joints", 0), name), edits.set_value(("note",), name)):
        with pytest.raises(ModelError, match=r"code zero|valid string"):
            change(project)


def test_a_motion_of_odd_names_goes_on(tmp_path):
    plates_model = jointed_plates_model()
    plates_model = replace(plates_model, joints=(replace(plates_model.joints[0], name="lap/no"),))
    spec = system_of(
        ground=[{"name": "a/b"}, {"name": "b", "position": (3, 0, 0)}, {"name": "wall/", "position": (0, 5, 0)}],
        parts=[
            {**WHEEL, "name": "small/wheel %"}, {**WHEEL, "name": "large", "placement": {"position": (3, 0, 0)}},
            {"kind": "flexible", "name": "/", "body": "plates", "frame": "HOLD"},
        ],
        constraints=[
            {"kind": "revolute", "name": "one/two", "first": "ground.a/b", "second": "small/wheel %.hub/a"},
            {"kind": "revolute", "name": "two", "first": "ground.b", "second": "large.hub/a"},
            {"kind": "gear", "name": "teeth/", "first_carrier": "ground.a/b", "first_wheel": "small/wheel %.hub/a",
             "second_carrier": "ground.b", "second_wheel": "large.hub/a", "ratio": -2.0},
            {"kind": "fixed", "name": "clamp", "first": "ground.wall/", "second": "/.HOLD"},
        ],
        forces=[{"kind": "point_force", "name": "/", "marker": "small/wheel %.hub/a", "moment": (0, 0, 20.0)}],
    )  # fmt: skip
    with closing(moved(spec, tmp_path, 2e-6, {"plates": plates_model}, frames=2, first_step=1e-6)) as whole:
        assert set(whole.part_names) == {"small/wheel %", "large", "/"}
        assert whole.part("/").history("lap/no", 2) is not None
        assert len(whole.named(path_of(ANGLES, "teeth/"), 2)) == 2
        assert whole.curve("small/wheel %.hub/a z").shape == (3,)
        assert {"one/two angle", "/: joint closed share"} <= set(whole.curve_names)


def test_results_of_earlier_versions_are_to_be_computed_again(tmp_path):
    """They have curves without keys."""
    path = tmp_path / "old.h5"
    with h5py.File(path, "w") as file:
        file.attrs.update({"axis": "time", "body": "bar", "frame": "", "settings": "{}"})
        file["complete"], file["report"] = True, '{"steps": 3}'
        for name in ("axis_values", "curves/tip uz"):
            file.create_dataset(name, shape=(3,), maxshape=(None,), data=np.arange(3.0))
    with pytest.raises(ReadError, match="Run the analysis again"):
        Results(path)


def test_a_run_goes_on_under_odd_names(tmp_path):
    key = CurveKey(ODD)
    words = {"axis": "time", "sizes": {}, "joints": {}, "curves": (key,)}
    with ResultsWriter(tmp_path / "one.h5", **words) as out:
        out.append(1.0, {path_of("curves", ODD): 5.0})
        assert out.curve_keys == (key,) and out.curve(key) == [5.0]
    with (
        closing(Results(tmp_path / "one.h5")) as one,
        ResultsWriter(tmp_path / "two.h5", **words, after=one) as two,
    ):
        two.append(2.0, {path_of("curves", ODD): 6.0})
        np.testing.assert_array_equal(two.curve(key), [5.0, 6.0])
