"""Two wrong bits anywhere in what is stored are found: a sentence, and what can be computed again is."""

import logging
import zlib

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from faying.checksums import array_checksum, checksum_of_values, row_checksums
from faying.errors import FayingError, ReadError
from faying.project.file import open_project, save_project
from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.results.curve_key import CurveKey
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.synthetic_stages import COMPUTED, PIPELINE, bar

KEY = "0123456789abcdef0123456789abcdef"
SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")


def flip(dataset, *places):
    """Flip one bit in each of two numbers (or both in the same) of a dataset."""
    for bit, place in enumerate(places or ((0,), (0,))):
        number = np.array(dataset[place])
        number.reshape(1).view(np.uint64)[0] ^= np.uint64(1 << (3 + 40 * bit))
        dataset[place] = number


def test_rows_have_the_checksum_of_the_standard():
    for width in (1, 5, 8, 9, 30):
        rows = np.random.default_rng(width).normal(size=(50, width))
        assert row_checksums(rows).tolist() == [zlib.crc32(row.tobytes()) for row in rows]
    assert row_checksums(np.zeros((3, 0))).tolist() == [1, 1, 1]  # zero says that there is none
    assert len(row_checksums(np.zeros((0, 4)))) == 0
    table = np.arange(6.0).reshape(2, 3)
    assert array_checksum(table) != array_checksum(table.reshape(3, 2))
    assert array_checksum(table.T) == array_checksum(np.ascontiguousarray(table.T))
    assert checksum_of_values([("a", np.float64(0.1)), ("b", "ü")]) == checksum_of_values(
        [("b", "ü"), ("a", 0.1)]
    )


VALUE = {
    "matrix": sp.csr_matrix(np.eye(3)), "array": np.arange(5000), "number": 0.25, "text": "steel", "none": None,
    "names": np.array(["a", "b"]), "nothing": np.zeros((0, 3)), "many": (1, 2.5, True), "complex": np.ones(3) * 1j,
}  # fmt: skip


def test_all_kinds_of_values_pass_unharmed(tmp_path):
    store = ArtifactStore(tmp_path)
    store.write(KEY, VALUE)
    again = store.read(KEY)
    assert again["many"] == (1, 2.5, True) and again["text"] == "steel" and again["none"] is None
    assert (again["matrix"].toarray() == np.eye(3)).all() and again["nothing"].shape == (0, 3)
    np.testing.assert_array_equal(again["array"], VALUE["array"])
    np.testing.assert_array_equal(again["complex"], VALUE["complex"])


def _other(value):
    if isinstance(value, (str, bytes)):
        return value + (b"x" if isinstance(value, bytes) else "x")
    return not value if isinstance(value, np.bool_) else value + type(value.flat[0])(1)


def test_damage_to_any_dataset_or_attribute_of_an_artifact_is_found(tmp_path, caplog):
    store = ArtifactStore(tmp_path)
    store.write(KEY, VALUE)
    whole, places = store.artifact_path(KEY).read_bytes(), []
    with h5py.File(store.artifact_path(KEY)) as file:
        nodes = {".": file["value"]}
        file["value"].visititems(nodes.__setitem__)
        for name, node in nodes.items():
            places += [(name, attribute) for attribute in node.attrs if attribute != "check"]
            places += [(name, "")] if isinstance(node, h5py.Dataset) and node.size else []
    assert {(".", "packed"), (".", "inside"), ("1", ""), ("0/data", "")} <= set(places)
    for name, attribute in places:
        store.artifact_path(KEY).write_bytes(whole)
        with h5py.File(store.artifact_path(KEY), "r+") as file:
            node = file["value"][name]
            if attribute:
                value = node.attrs[attribute]
                node.attrs[attribute] = _other(value)
            else:
                content = node[()]
                content.reshape(-1).view(np.uint8)[0] ^= 0b101
                node[...] = content
        with caplog.at_level(logging.WARNING), pytest.raises(KeyError):
            store.read(KEY)
        assert "damaged and will be computed again" in caplog.text, (name, attribute)
        caplog.clear()


def _write(path):
    with ResultsWriter(
        path, axis="time", body="bar", sizes={"coordinates": 3}, curves=(CurveKey("load uz"),), settings={"a": 1},
        joints={"lap": {"history": (4, 2)}}, tables={"found": (2, ("x", "y"))},
        constants={"temperatures/warm": np.ones(5), "parts/rod/state": np.ones(9)},
    ) as writer:  # fmt: skip
        for i in range(300):
            named = {"curves/load uz": 0.5 * i, "joints/lap/history": np.full((4, 2), float(i))}
            writer.append(0.1 * i, named, coordinates=np.full(3, float(i)))
        writer.write_table("found", np.ones((2, 2)))
        writer.close({"steps": 12})
    return path


@pytest.mark.parametrize(
    ("name", "where", "look"),
    [
        ("curves/load uz", ((7,), (290,)), lambda r: r.curve("load uz")),
        ("curves/load uz", ((7,), (7,)), lambda r: r.curve("load uz")),
        ("coordinates", ((299, 0), (299, 2)), lambda r: r.coordinates(-1)),
        ("joints/lap/history", ((5, 0, 0), (5, 3, 1)), lambda r: r.history("lap", 5)),
        ("axis_values", ((1,), (2,)), lambda r: r.values),
        ("tables/found", ((0, 0), (1, 1)), lambda r: r.table("found")),
        ("temperatures/warm", ((0,), (4,)), lambda r: r.whole_temperatures()),
        ("parts/rod/state", ((0,), (1,)), lambda r: r.part("rod").state),
    ],
)
def test_two_flipped_bits_in_results_are_a_sentence(tmp_path, name, where, look):
    path = _write(tmp_path / "run.h5")
    with h5py.File(path, "r+") as file:
        flip(file[name], *where)
    results = Results(path)
    with pytest.raises(ReadError, match=r"is damaged.*Run the analysis again"):
        look(results)
    with pytest.raises(ReadError, match="is damaged"):
        results.verify()
    assert results.coordinates(0).tolist() == [0.0] * 3  # what is sound can be read
    results.close()


def test_sound_results_pass_and_a_damaged_head_or_report_does_not(tmp_path):
    path = _write(tmp_path / "run.h5")
    results = Results(path)
    results.verify()
    assert results.complete and results.report == {"steps": 12}
    results.close()
    with h5py.File(path, "r+") as file:
        file["report"][()] = '{"steps": 13}'
    results = Results(path)
    assert not results.complete and results.report == {}
    results.close()
    with h5py.File(path, "r+") as file:
        file.attrs["settings"] = '{"a": 3}'
    with pytest.raises(ReadError, match="Run the analysis again"):
        Results(path)


def test_results_of_before_there_were_checksums_can_be_read(tmp_path):
    path = _write(tmp_path / "run.h5")
    with h5py.File(path, "r+") as file:
        del (
            file["checks"],
            file["table_checks"],
            file["report_check"],
            file.attrs["checked"],
            file.attrs["check"],
        )
    results = Results(path)
    results.verify()
    assert results.complete and results.n_frames == 300
    assert results.curve("load uz")[-1] == 149.5 and results.coordinates(7).tolist() == [7.0] * 3
    assert results.table("found")[1].sum() == 4.0
    results.close()


def test_a_run_computes_damaged_results_again(tmp_path):
    project, store = bar(deck="/50"), ArtifactStore(tmp_path)
    place = PIPELINE.run(project, RUN, store)
    with h5py.File(place.path, "r+") as file:
        flip(file["coordinates"], (3, 0), (3, 1))
    fresh = ArtifactStore(tmp_path)
    assert PIPELINE.state(project, RUN, fresh).status == "ready"  # nobody has looked yet
    COMPUTED.clear()
    results = PIPELINE.run(project, RUN, fresh).open()
    assert COMPUTED == ["run"] and results.coordinates(3).tolist() == [3.0, 3.0]
    results.verify()
    results.close()
    COMPUTED.clear()
    PIPELINE.run(project, RUN, fresh)
    assert COMPUTED == []


@pytest.fixture
def saved(tmp_path):
    project, store = bar(deck="/5"), ArtifactStore(tmp_path / "work")
    PIPELINE.run(project, RUN, store)
    path = tmp_path / "bar.faying"
    save_project(path, project, "{}", store, PIPELINE.reached(project, store))
    return project, path


def test_checksums_go_into_the_project_file_and_find_damage_there(saved, tmp_path):
    project, path = saved
    with h5py.File(path, "r+") as file:
        flip(file[f"results/{PIPELINE.key_of(project, RUN)}/coordinates"], (3, 0), (3, 1))
        flip(file[f"artifacts/{PIPELINE.key_of(project, SUM)}/value"])
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    results = fresh.results(PIPELINE.key_of(project, RUN)).open()
    with pytest.raises(ReadError, match="'coordinates' of frame 3 is damaged"):
        results.coordinates(3)
    results.close()
    assert PIPELINE.value(project, SUM, fresh) is None
    results = PIPELINE.run(project, RUN, fresh).open()
    assert results.coordinates(3).tolist() == [3.0, 3.0]
    results.close()
    # What is saved over it is whole again.
    save_project(path, project, "", fresh, PIPELINE.reached(project, fresh))
    again = ArtifactStore(tmp_path / "again", below=path)
    assert (
        again.verify_results(PIPELINE.key_of(project, RUN)) and PIPELINE.value(project, SUM, again)[0] == 7.0
    )


def test_damaged_texts_of_a_project_file(saved, tmp_path, caplog):
    _, path = saved
    with h5py.File(path, "r+") as file:
        file["view.json"][()] = "[]"
        for recipe in file["recipes"].values():
            recipe[()] = recipe[()].decode().replace("bar", "car").replace('"version": 1', '"version": 2')
    assert open_project(path).view == ""  # how it was looked at is no decision
    with caplog.at_level(logging.WARNING):
        assert ArtifactStore(tmp_path / "fresh", below=path).recipes() == {}
    assert "cannot be read" in caplog.text
    with h5py.File(path, "r+") as file:
        file["project.toml"][()] = file["project.toml"][()].decode().replace("count = 2", "count = 3")
    with pytest.raises(FayingError, match="damaged"):
        open_project(path)


def test_a_damaged_list_of_curves_is_told(tmp_path):
    """The names themselves lie in blocks of HDF5 that have checksums of their own; h5py says so in its own words."""
    path, curves = tmp_path / "a.h5", tuple(f"curve {i}" for i in range(40))
    with ResultsWriter(
        path,
        axis="time",
        body="bar",
        sizes={"coordinates": 3},
        curves=map(CurveKey, curves),
        settings={},
        joints={},
    ) as writer:
        writer.append(0.0, {f"curves/{name}": 1.0 for name in curves}, coordinates=np.zeros(3))
        writer.close({})
    kept = tmp_path / "a.faying"
    with h5py.File(path, "r") as source, h5py.File(kept, "w", libver="latest") as file:
        source.copy("/", file, "run")
    assert Results(kept, "run").curve_names == tuple(sorted(curves))
    content = bytearray(kept.read_bytes())
    name = content.index(b"curve 39")
    content[content.rindex(b"FHDB", 0, name) + 40 : name] = bytes(
        name - content.rindex(b"FHDB", 0, name) - 40
    )
    kept.write_bytes(content)
    with pytest.raises(ReadError, match="Run the analysis again"):
        Results(kept, "run")
