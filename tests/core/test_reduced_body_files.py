"""Reduced bodies as files: written, read back without their FE matrices, and the same in statics and in motion."""

import io
import json
import tracemalloc
import zipfile

import h5py
import numpy as np
import pytest

import faying
from faying.cli import main
from faying.errors import FayingError, ReadError
from faying.exporters.bodies import body_writer_for
from faying.exporters.bodies import write_body as write
from faying.fem.assembly import assemble
from faying.fem.body_arrays import read_body_arrays, write_body_arrays
from faying.fem.readers import read_model
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.progress import Silent
from faying.project.serialization import project_from_dict
from faying.reduction.body import build_reduced_body
from faying.reduction.body_file import body_file, read_body_file, write_body_file
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.session.bodies import reduced_body_file
from faying.testing.plates import write_plate_deck
from support.boxes import box

LOAD = {"interface": "tip", "force": (0.0, 3.0, -20.0)}
RUNS = [
    {
        "kind": "static", "name": "blown", "body": "plates", "support": "hold", "loads": [LOAD],
        "body_loads": [{"load": "wind", "factor": 0.5}],
    },
    {"kind": "static", "name": "press", "body": "plates", "support": "hold", "loads": [LOAD]},
    {"kind": "static", "name": "mounted", "body": "plates", "support": "hold", "loads": [LOAD], "preloads": ["tight"]},
    {
        "kind": "transient", "name": "swing", "body": "plates", "support": "hold", "loads": [LOAD],
        "duration": 1e-4, "frames": 3, "stiffness_damping": 1e-6,
    },
    {"kind": "motion", "name": "fall", "system": "falling", "duration": 2e-4, "frames": 3},
]  # fmt: skip
SYSTEM = {
    "name": "falling",
    "ground": [{"name": "hinge"}],
    "parts": [{"kind": "flexible", "name": "bar", "body": "plates", "stiffness_damping": 1e-6}],
    "constraints": [{"kind": "revolute", "name": "hinge", "first": "ground.hinge", "second": "bar.hold"}],
    "gravity": (0.0, -9810.0, 0.0),
}


def project(model, sides, interfaces, runs=RUNS, **more):
    joint = {
        "name": "lap", "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
        "search": {"pairs_at": "integration_points"},
        **{role: {"kind": "deck_surface", "name": name} for role, name in sides.items()},
    }  # fmt: skip
    body = {
        "name": "plates", "model": {"path": str(model)}, "joints": [joint],
        "interfaces": [{"name": name.lower(), "node_set": name} for name in interfaces],
        "preloads": [{"name": "tight", "loads": [{"kind": "interference", "joint": "lap", "amount": 1e-4}]}],
        "loads": [{
            "kind": "traction", "name": "wind", "traction": (0.0, 0.02, 0.0),
            "surface": {"kind": "deck_surface", "name": "UPPER"},
        }],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
        "joint_modes": {"kind": "weighted_pod", "count": 3}, **more,
    }  # fmt: skip
    return project_from_dict({"bodies": [body], "systems": [SYSTEM], "analyses": runs})


def read_back(path, runs=RUNS):
    """Return the project with the body of a file in place of its FE model; preload cases have names alone."""
    sides = {"master": "lap master", "slave": "lap slave"}
    return project(
        path,
        sides,
        ("hold", "tip"),
        runs,
        preloads=[{"name": "tight"}],
        loads=[{"kind": "of_file", "name": "wind"}],
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The session of the FE model, and its body as both kinds of files."""
    folder = tmp_path_factory.mktemp("bodies")
    deck = write_plate_deck(folder / "plates.inp")
    sides = {"master": "LOWER", "slave": "UPPER"}
    session = faying.Session(project(deck, sides, ("HOLD", "TIP")), folder / "artifacts")
    body = reduced_body_file(session.project, session.body(), session.compute, "fall")
    for ending in ("npz", "h5"):
        write(body, folder / f"plates.{ending}")
    return session, folder


def test_statics_preloads_and_motions_are_those_of_the_body_that_was_written(written, tmp_path):
    session, folder = written
    with faying.Session(read_back(folder / "plates.h5"), tmp_path) as again:
        for name in ("press", "mounted", "blown", "swing"):
            ours, theirs = session.solve(name), again.solve(name)
            for field in ("gap", "pressure", "friction_stress"):
                np.testing.assert_allclose(theirs.field(field), ours.field(field), rtol=1e-9, atol=1e-12)
            nodes = np.searchsorted(session.read_model().node_ids, again.read_model().node_ids)
            np.testing.assert_allclose(
                theirs.field("displacement"), ours.field("displacement")[nodes], rtol=0, atol=1e-12
            )
        assert np.abs(session.solve("press").field("pressure")).max() > 0.0
        assert np.abs(session.solve("blown").field("gap") - session.solve("press").field("gap")).max() > 1e-6
        ours, theirs = session.move("fall"), again.move("fall")
        for name in ours.curve_names:
            np.testing.assert_allclose(
                theirs.curve(name), ours.curve(name), rtol=1e-7, atol=1e-9, err_msg=name
            )
        assert ours.curve_names


def test_both_kinds_of_files_hold_the_same(written):
    _, folder = written
    first, second = (read_body_arrays(folder / f"plates.{ending}") for ending in ("npz", "h5"))
    assert first.header == second.header
    assert set(first.arrays) == set(second.arrays)
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(second.arrays[name], array)


def test_other_programs_read_them_with_numpy_and_hdf5_alone(written):
    session, folder = written
    with np.load(folder / "plates.npz") as file, h5py.File(folder / "plates.h5") as other:
        header = json.loads(file["header"].tobytes())
        assert header == json.loads(other["header"].asstr()[()])
        assert [each["name"] for each in header["interfaces"]] == ["hold", "tip"]
        assert header["joints"][0]["friction_coefficient"] == 0.2
        reduced = session.reduce()
        np.testing.assert_array_equal(file["joints/0/normal"], reduced.joints[0].normal)
        np.testing.assert_allclose(file["damping"], 1e-6 * file["stiffness"])
        centre = file["integrals/first"][:, 0] / file["rigid_mass"][0, 0]
        np.testing.assert_allclose(centre, [20.0, 5.0, 0.0], atol=1e-9)
        assert len(other["mesh/nodes"]) == len(file["basis"]) == len(file["mesh/node_ids"])
        # The deck's own two surfaces, facet by facet.
        quads, height = file["mesh/quad4"], file["mesh/nodes"][:, 2]
        for role in ("master", "slave"):
            assert not height[quads[file[f"joints/0/{role}_facets"]]].any()


def test_a_body_that_was_read_is_written_again_as_it_was(written, tmp_path):
    _, folder = written
    with faying.Session(read_back(folder / "plates.npz"), tmp_path / "artifacts") as again:
        body = reduced_body_file(again.project, again.body(), again.compute)
        write(body, tmp_path / "again.npz")
    first, second = read_body_arrays(folder / "plates.npz"), read_body_arrays(tmp_path / "again.npz")
    assert set(first.arrays) - set(second.arrays) == {"damping"}
    for name, array in second.arrays.items():
        np.testing.assert_array_equal(first.arrays[name], array, err_msg=name)


def test_the_command_line_writes_it_and_makes_a_study_of_it(written, tmp_path, capsys):
    session, _ = written
    session.save(tmp_path / "study.toml")
    target = str(tmp_path / "body.npz")
    assert main(["export", str(tmp_path / "study.toml"), "--body", "--to", target]) == 0
    assert main(["export", str(tmp_path / "study.toml"), "--body", "--to", str(tmp_path / "body.xyz")]) == 1
    assert ".npz, .h5" in capsys.readouterr().err
    assert (
        main(["export", str(tmp_path / "study.toml"), "--body", "--to", target, "--analysis", "press"]) == 1
    )
    assert "no damping matrix" in capsys.readouterr().err
    assert main(["new", target]) == 0
    told = capsys.readouterr().out
    assert "interface nodes: hold, tip" in told and "joints: lap" in told and "preload cases: tight" in told
    assert "units mm-t-s" in told and "a guess" not in told
    assert main(["run", str(tmp_path / "body.toml")]) == 0
    assert main(["check", str(tmp_path / "body.toml")]) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda b: b.with_(couplings=({"name": "c", "surface": {"kind": "deck_surface", "name": "lap slave"}},)),
         "a coupling cannot be added"),
        (lambda b: b.with_(joints_tied=True), "'lap' cannot be tied any more"),
        (lambda b: b.with_(joints=tuple(j.with_(name="lab") for j in b.joints)), "no joint called 'lab'"),
        (lambda b: b.with_(preloads=({"name": "loose"},)), "no preload case called 'loose'"),
        (lambda b: b.with_(interfaces=({"name": "mid", "node": 3},)), "no interface node called 'mid'"),
        (lambda b: b.with_(loads=({"kind": "of_file", "name": "rain"},)), "no load called 'rain'"),
        (lambda b: b.with_(loads=({"kind": "gravity", "name": "g", "acceleration": (0, 0, -1)},)), "'g' is none"),
    ],
)  # fmt: skip
def test_what_a_file_lacks_is_refused_in_a_sentence(written, tmp_path, change, words):
    made = read_back(written[1] / "plates.npz", [])
    made = made.with_(systems=(), bodies=(change(made.bodies[0]),))
    with faying.Session(made, tmp_path) as session, pytest.raises(FayingError, match=words):
        session.reduce()


def test_what_needs_fe_matrices_is_told_before_a_run(written, tmp_path):
    unreduced = [{**RUNS[1], "kind": "unreduced_static"}]
    with faying.Session(read_back(written[1] / "plates.npz", unreduced), tmp_path) as session:
        found = [f.sentence for f in session.check() if f.severity == "error"]
        assert found == ["Analysis 'press' needs the FE matrices of body 'plates', which was read reduced."]
        assert {target.stage for target in session.pipeline.targets(session.project)} == {
            "model", "skin", "pairs", "body", "analysis",
        }  # fmt: skip
        with pytest.raises(FayingError, match="was read reduced, without its FE matrices"):
            session.assemble()
        session.reduce()
        with pytest.raises(FayingError, match="was read reduced, without the elements"):
            session.modes().field("von_mises")


@pytest.mark.parametrize("support", ("hold", ""))
def test_modes_and_responses_are_those_of_the_body_that_was_written(written, tmp_path, support):
    """Without FE matrices the comparison with the FE model is left out, and the report says so."""
    held = {"body": "plates", "support": support, "preloads": ["tight"], "sticking": "stuck"}
    runs = [
        {"kind": "modes", "name": "modes", **held, "full": True, "stiffness_damping": 1e-6, "count": 4},
        {
            "kind": "frequency_response", "name": "shaken", **held, "loads": [LOAD], "full": True, "mass_damping": 9.0,
            "body_loads": [{"load": "wind"}], "lowest_frequency": 300.0, "highest_frequency": 900.0, "points": 3,
        },
    ]  # fmt: skip
    without = [{**run, "full": False} for run in runs]
    _, folder = written
    sides = {"master": "LOWER", "slave": "UPPER"}
    meshed = project(folder / "plates.inp", sides, ("HOLD", "TIP"), without)
    with (
        faying.Session(meshed, tmp_path / "1") as first,
        faying.Session(read_back(folder / "plates.npz", runs), tmp_path / "2") as again,
    ):
        for name, curves in (("modes", ["damping ratio"]), ("shaken", ["tip uz", "tip uz phase", "tip ry"])):
            ours, theirs = first.solve(name), again.solve(name)
            np.testing.assert_allclose(theirs.results.values, ours.results.values, rtol=1e-7)
            for curve in curves + ["effective mass z"] * (bool(support) and name == "modes"):
                np.testing.assert_allclose(theirs.curve(curve), ours.curve(curve), rtol=1e-6, atol=1e-12)
            assert theirs.results.report["no_fe_model"] and "no_fe_model" not in ours.results.report
        assert not [f.sentence for f in again.check() if f.severity == "error"]


def test_a_file_that_says_it_has_more_than_it_holds_takes_no_memory(tmp_path):
    """Six kilobytes stood for 32 GB: what HDF5 was never given is read as zeros, and archives may lie, too."""
    path = tmp_path / "large.h5"
    with h5py.File(path, "w") as file:
        file["header"] = json.dumps({"format": "faying reduced body", "version": 1})
        file.create_dataset("mass", shape=(1 << 27,), dtype="f8", chunks=(1 << 20,))
    other = tmp_path / "large.npz"
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (1 << 27,)})
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("mass.npy", head.getvalue())
        archive.getinfo("mass.npy").file_size = len(head.getvalue()) + (8 << 27)
    tracemalloc.start()
    try:
        for each in (path, other):
            with pytest.raises(ReadError, match="no reduced body that Faying exported, or it is damaged"):
                read_body_arrays(each)
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()


def test_an_array_of_zeros_may_be_packed_or_left_out(tmp_path):
    path = tmp_path / "zeros.h5"
    with h5py.File(path, "w") as file:
        file["header"] = json.dumps({"format": "faying reduced body", "version": 1})
        file.create_dataset("packed", data=np.zeros((1500, 1500)), compression="gzip", shuffle=True)
        file.create_dataset("left out", shape=(100, 100), dtype="f8")
    found = read_body_arrays(path).arrays
    assert found["packed"].shape == (1500, 1500) and not found["packed"].any()
    assert found["left out"].shape == (100, 100) and not found["left out"].any()


@pytest.mark.parametrize("ending", ["npz", "h5"])
@pytest.mark.parametrize(
    ("header", "arrays", "words"),
    [
        ({"version": 2}, {}, "layout has the version 2"),
        ({"format": "else"}, {}, "does not say that it is a reduced body"),
        ({}, {"mass": None}, "the array mass is missing"),
        ({}, {"stiffness": np.zeros((2, 2))}, r"stiffness has the shape \(2, 2\)"),
        ({}, {"mesh/quad4": np.full((3, 4), 10**6)}, "mesh/quad4 has numbers that count what is not there"),
        ({}, {"joints/0/weights": np.full(3, np.nan)}, "joints/0/weights holds what are no numbers"),
        ({"interfaces": [{"name": "hold", "node": 10**6}]}, {}, "the interface node 'hold' is at no node"),
        ({"groups": [{"name": "modes", "stop": 10**6}]}, {}, "ends at 1000000"),
        ({"joints": [{"name": "lap"}, {"name": "lap"}]}, {}, "two joints of the header are called 'lap'"),
        ({"loads": [{"name": "pull"}] * 2}, {}, "two loads of the header are called 'pull'"),
        (
            {"surfaces": [{"name": "lap slave"}]},
            {"surfaces/0/facets": np.arange(2)},
            "the surface 'lap slave' has the name of a joint's",
        ),
    ],
)
def test_a_wrong_file_is_told(written, tmp_path, ending, header, arrays, words):
    sound = read_body_arrays(written[1] / "plates.npz")
    path = tmp_path / f"wrong.{ending}"
    kept = {name: array for name, array in {**sound.arrays, **arrays}.items() if array is not None}
    write_body_arrays(path, {**sound.header, **header}, kept)
    with pytest.raises(FayingError, match=words):
        read_body_file(path)


@pytest.mark.parametrize("ending", ["npz", "h5"])
def test_facets_of_two_kinds_are_counted_through(tmp_path, ending):
    """A skin of triangles and quadrilaterals, and a surface of some of each."""
    model = box("wedge6", (2, 2, 2), (4.0, 3.0, 2.0))
    skin = find_skin(model).surface
    assert {block.facet for block in skin.blocks} == {"tri3", "quad4"}
    spot = part_of_surface(skin, np.arange(0, skin.n_facets, 3))
    matrices = assemble(model, Silent())
    basis = CraigBampton(vibration_modes=2).build(
        InteriorProblem(matrices, model.nodes, np.array([0])), Silent()
    )
    reduced = build_reduced_body(model.nodes, matrices, basis, {"corner": 0}, [], surfaces={"spot": spot})
    written = body_file("wedges", "mm-t-s", model, skin, reduced, {}, {}, {})
    write_body_file(tmp_path / f"wedges.{ending}", written)
    found = read_body_file(tmp_path / f"wedges.{ending}")
    assert len(found.node_ids) == len(model.nodes) - 1  # one is inside
    for ours, theirs in zip(written.skin.blocks, found.skin.blocks, strict=True):
        assert ours.facet == theirs.facet
        np.testing.assert_array_equal(theirs.connectivity, ours.connectivity)
        np.testing.assert_array_equal(theirs.elements, ours.elements)
    numbers = np.concatenate([block.elements for block in found.skin.blocks])
    assert numbers.tolist() == list(range(skin.n_facets))
    read = found.reduced.surfaces["spot"]
    assert facets_at(read, found.reduced.nodes) == facets_at(spot, model.nodes)


def facets_at(surface, nodes):
    return sorted(nodes[row].tolist() for block in surface.blocks for row in block.connectivity)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"preloads": {"tight": 1200}, "temperatures": []}, ""),
        ({"preloads": {"tight": 1200.0, "loose": 0}}, ""),
        ({"temperatures": []}, "says no tension of its preload cases"),
        ({"preloads": [1200.0]}, "says no tension of its preload cases"),
        ({"preloads": {"tight": 1200.0, "loose": "none"}}, "says no tension of its preload cases"),
        ({"preloads": {"tight": 1200.0}, "temperatures": "warm"}, "says not which loads are temperatures"),
    ],
)
def test_bolts_of_a_file_say_their_tension(written, tmp_path, entry, words):
    sound, path = read_body_arrays(written[1] / "plates.npz"), tmp_path / "bolted.npz"
    r = len(sound.arrays["stiffness"])
    sections = np.arange(2.0 * 6 * r).reshape(2, 6, r)
    arrays = {"bolts/0/sections": sections, "bolts/0/outward": np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])}
    write_body_arrays(path, {**sound.header, "bolts": [{"name": "M4", **entry}]}, sound.arrays | arrays)
    if words:
        with pytest.raises(FayingError, match=f"the bolt 'M4' {words}"):
            read_body_file(path)
        return
    (bolt,) = read_body_file(path).reduced.bolts
    assert bolt.name == "M4" and bolt.preloads == entry["preloads"] and bolt.overlap is None
    np.testing.assert_array_equal(bolt.sections, sections)


def test_the_skin_is_a_model_of_facets(written):
    session, folder = written
    model = read_model(folder / "plates.npz")
    assert {block.element for block in model.blocks} == {"skin_quad4"}
    assert model.units == "mm-t-s" and model.preload_cases == ("tight",)
    assert set(model.surfaces) == {"lap master", "lap slave"}
    assert len(model.element_ids) == session.compute(faying_target("skin")).surface.n_facets
    with pytest.raises(FayingError, match=r"Known are: .*\.npz"):
        body_writer_for(folder / "x.docx")


def faying_target(stage):
    from faying.project.stage import Target

    return Target(stage, "plates")
