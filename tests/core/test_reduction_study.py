"""Reduction studies: what they measure, the advice, going on after an interruption, from files and scripts."""

import csv
from importlib.resources import files

import numpy as np
import pytest
import scipy.linalg as la

import faying
from faying.analyses.basis_studies.reduction_advice import ComparedBases, advice
from faying.analyses.basis_studies.studied_bases import MEASURES, BasisPoint, StudiedBody, entries_of
from faying.analyses.reduction_study import (
    ASSURANCE,
    COLUMNS,
    DIFFERENCES,
    ERRORS,
    TABLE,
    ReductionStudy,
    entry_names,
    responses_of,
)
from faying.cli import main
from faying.errors import Cancelled, FayingError, ModelError
from faying.fem.assembly import assemble
from faying.fem.writers import write_model
from faying.params import build
from faying.progress import CancelFlag, Silent
from faying.reduction.dof_choice import spread_dofs
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import reduction_methods
from faying.reduction.quality import modal_assurance, modal_transfer, subspace_assurance
from faying.results.results import earlier_results
from faying.testing.plates import write_plate_deck
from support.boxes import box

BETA, HIGHEST = 2e-7, 30e3
SIZE = (60.0, 10.0, 8.0)
STUDY = f"""
name = "Brick"
units = "mm-t-s"
[[bodies]]
name = "brick"
model = {{ path = "brick.inp" }}
interfaces = [
    {{ name = "left", node = 1 }}, {{ name = "right", node = 63 }},
    {{ name = "middle", node = 28, components = [2, 3] }},
]
[[analyses]]
kind = "reduction_study"
name = "compared"
body = "brick"
interfaces = ["left", "right"]
highest_frequency = "{HIGHEST / 1e3} kHz"
points = 40
stiffness_damping = "{1e6 * BETA} us"
processes = 1
"""
METHODS = (
    'methods = [{ kind = "craig_bampton" }, { kind = "line_fitting" }, { kind = "guyan" }]\nsizes = [4, 1]\n'
)


@pytest.fixture(scope="module")
def model():
    return box("hex8_incompatible", (6, 2, 2), SIZE)


@pytest.fixture(scope="module")
def exact(model):
    """Dense K and M, frequencies and modes without rigid motions."""
    matrices = assemble(model, Silent())
    squares, modes = la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray())
    return matrices, np.sqrt(squares[6:]) / (2.0 * np.pi), modes[:, 6:]


def study_in(folder, model, text=METHODS):
    write_model(model, folder / "brick.inp")
    path = folder / "brick.toml"
    path.write_text(STUDY + text)
    return path


@pytest.fixture(scope="module")
def compared(model, tmp_path_factory):
    session = faying.read(study_in(tmp_path_factory.mktemp("study"), model))
    return session, session.solve("compared")


def test_a_basis_is_measured_against_the_dense_model(compared, exact):
    """Kind: independent of the study, from all modes of a dense eigensolver and the method's own basis."""
    _, found = compared
    table, errors = found.table(TABLE), found.table(ERRORS)
    assert tuple(table) == COLUMNS
    matrices, frequencies, modes = exact
    dofs = np.concatenate([np.arange(3), 3 * 62 + np.arange(3)])
    at = errors["frequency"]
    inside = frequencies[frequencies <= HIGHEST]
    assert (
        len(inside) >= 3 and set(np.round(inside, 3)) < set(np.round(at, 3)) and len(at) == 40 + len(inside)
    )
    full = modal_transfer(frequencies, modes[dofs], at, stiffness_damping=BETA)

    # The transfer functions that are kept, of the FE model: symmetric pairs, and those alone.
    entries = entries_of(6)
    assert len(entries) == 21 and found.report["points"] == 6
    assert entry_names(found.results)[3:5] == ["left uz by force at left ux", "left uz by force at left uy"]
    np.testing.assert_allclose(
        responses_of(found.results, 0), full[:, entries[:, 0], entries[:, 1]], rtol=2e-3,
        atol=2e-3 * np.abs(full).max(axis=(1, 2)).min(),
    )  # fmt: skip

    interior = InteriorProblem(matrices, exact_nodes(compared), np.array([0, 62]))
    words = {"vibration_modes": 4}
    basis = build(reduction_methods["craig_bampton"], words).build(interior, Silent()).modes
    small = [basis.T @ (m @ basis) for m in (matrices.stiffness.toarray(), matrices.mass.toarray())]
    squares, shapes = la.eigh(*small)
    reduced = np.sqrt(squares) / (2.0 * np.pi)
    transfer = modal_transfer(reduced, basis[dofs] @ shapes, at, stiffness_damping=BETA)
    expected = np.linalg.norm(transfer - full, axis=(1, 2)) / np.linalg.norm(full, axis=(1, 2))
    np.testing.assert_allclose(errors["Craig-Bampton, 4"], expected, rtol=0.02, atol=1e-5)
    row = {name: values[2] for name, values in table.items()}
    assert (row["method"], row["size"], row["order"]) == (0.0, 4.0, basis.shape[1])
    assert row["largest transfer error"] == errors["Craig-Bampton, 4"].max()
    assert row["first transfer error"] == errors["Craig-Bampton, 4"][0]
    assert row["mean transfer error"] == errors["Craig-Bampton, 4"].mean()
    m = len(inside)
    assert row["NRED"] == pytest.approx((reduced[:m] / frequencies[:m] - 1.0).max(), rel=1e-6)
    mac = modal_assurance(modes[:, :m], basis @ shapes[:, :m], matrices.mass)
    assert row["MAC"] == pytest.approx(np.diag(mac).min(), abs=1e-9)
    np.testing.assert_allclose(found.table(ASSURANCE)["Craig-Bampton, 4"], np.diag(mac), atol=1e-9)
    np.testing.assert_allclose(
        found.table(DIFFERENCES)["Craig-Bampton, 4"], reduced[:m] / frequencies[:m] - 1.0, atol=1e-9
    )
    assert row["highest frequency"] == pytest.approx(reduced[-1], rel=1e-9)
    assert row["admissible step"] == pytest.approx(0.05 / reduced[-1], rel=1e-9)
    assert row["reduction time"] > 0.0 and row["time per second"] > 0.05 / row["admissible step"] * 1e-7
    assert 0.0 < row["effective mass y"] < 1.0


def exact_nodes(compared):
    return compared[1].points()


def test_further_interface_dofs_are_those_of_the_body_then_chosen_ones(compared):
    _, found = compared
    further = found.report["further_interface_dofs"]
    assert further[:2] == ["middle uy", "middle uz"] and len(further) == 4
    assert all(name.startswith("node ") for name in further[2:])
    table = found.table(TABLE)
    line = table["method"] == 1
    assert table["order"][line].tolist() == [7, 10]  # 6 dofs of interest and one, or four, further ones
    guyan = table["method"] == 2
    assert table["order"][guyan].tolist() == [1, 4]  # but for the rigid motions
    # More of them never make it worse, and the range is met better than by static shapes.
    assert np.diff(table["largest transfer error"][line])[0] < 0.0
    assert table["NRED"][line][1] < 1e-5 < table["NRED"][guyan][1]


def test_frames_are_shapes_with_names(compared):
    _, found = compared
    assert found.results.label(0) == "FE model" and found.results.label(3) == "Line fitting, 1"
    for frame in range(7):
        moved = found.results.displacement(frame)
        assert np.abs(moved).max() == pytest.approx(0.01 * np.linalg.norm(SIZE))
    assert found.field("displacement", frame=2).shape[0] == 63


def test_tables_are_written_with_names_and_units(compared, tmp_path, capsys):
    session, found = compared
    session.save(tmp_path / "brick.faying")
    words = ["export", str(tmp_path / "brick.faying"), "--to"]
    assert main([*words, str(tmp_path / "bases.csv"), "--table"]) == 0
    with (tmp_path / "bases.csv").open(newline="") as stream:
        heads, *rows = csv.reader(stream)
    assert heads[:4] == ["name", "method", "size", "order"] and "highest frequency [Hz]" in heads
    assert [row[0] for row in rows] == [found.results.label(i) for i in range(7)]
    assert [float(row[3]) for row in rows] == found.table(TABLE)["order"].tolist()
    assert rows[0][heads.index("largest transfer error")] == ""  # of the FE model there is none
    assert main([*words, str(tmp_path / "errors.csv"), "--table", "transfer error"]) == 0
    with (tmp_path / "errors.csv").open(newline="") as stream:
        heads, *rows = csv.reader(stream)
    assert heads[0] == "frequency [Hz]" and heads[1:] == [found.results.label(i) for i in range(1, 7)]
    np.testing.assert_array_equal(np.array(rows, float)[:, 0], found.table(ERRORS)["frequency"])
    assert main([*words, str(tmp_path / "no.csv"), "--table", "moon"]) == 1
    assert "no table called 'moon'" in (said := capsys.readouterr().err) and "'NRED'" in said
    assert not (tmp_path / "no.csv").exists()


def test_methods_as_written_take_all_interface_nodes(model, tmp_path):
    words = (
        'sizes = []\nmethods = [{ kind = "craig_bampton", vibration_modes = 3 }, { kind = "line_fitting" }]\n'
    )
    with faying.read(study_in(tmp_path, model, words)) as session:
        found = session.solve("compared")
        table = found.table(TABLE)
        # Two nodes on a line leave one rotation free, so one of the six rigid motions is not among the nine vectors.
        assert table["order"][1:].tolist() == [4, 8]
        assert [found.results.label(i) for i in (1, 2)] == ["Craig-Bampton", "Line fitting"]


def test_what_cannot_be_reduced_is_told_and_the_rest_is_measured(model, tmp_path, capsys):
    words = 'methods = [{ kind = "line_fitting", points = 1 }, { kind = "craig_bampton" }]\nsizes = [3]\n'
    path = study_in(tmp_path, model, words)
    assert main(["run", str(path)]) == 0
    assert main(["check", str(path.with_suffix(".faying"))]) == 0
    told = capsys.readouterr().out
    assert "'Line fitting, 3' was not computed. Line fitting: 1 points are too few for the" in told
    assert "Between the frequencies 0 and 30000 Hz the FE model has" in told
    with faying.read(path.with_suffix(".faying")) as session:
        found = session.solve("compared")
        table = found.table(TABLE)
        assert np.isnan(table["order"][1]) and table["order"][2] == 4
        assert list(found.report["not_computed"]) == ["Line fitting, 3"]


class _Stop(CancelFlag):
    def __init__(self, at):
        super().__init__()
        self.texts, self._at = [], at

    def report(self, fraction, text="", **values):
        self.texts.append(text)
        if self._at and self._at in text:
            self.cancel()
        super().report(fraction, text, **values)


def test_an_interrupted_study_goes_on(compared, model, tmp_path):
    session = faying.read(study_in(tmp_path, model))
    session.progress = _Stop("Guyan, 4")
    with pytest.raises(Cancelled):
        session.solve("compared")
    session.progress = _Stop("")
    again = session.solve("compared")
    assert again.report["points_kept"] == 5
    assert not any("Line fitting" in text for text in session.progress.texts)
    timed = [COLUMNS.index(name) for name in ("reduction time", "time per second")]
    for name in (TABLE, ERRORS, DIFFERENCES, ASSURANCE):
        one, other = (np.column_stack([*solution.table(name).values()]) for solution in (compared[1], again))
        if name == TABLE:
            one, other = (np.delete(values, timed, axis=1) for values in (one, other))
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)
    assert not earlier_results(again.results._path).exists()
    session.close()


@pytest.mark.slow  # starts processes, each of which imports the program
def test_processes_find_the_same(compared, model, tmp_path):
    text = METHODS + "\n"
    path = study_in(tmp_path, model, text)
    path.write_text(path.read_text().replace("processes = 1", "processes = 2"))
    with faying.read(path) as session:
        found = session.solve("compared")
        for name in (ERRORS, DIFFERENCES, ASSURANCE):
            one, other = (np.column_stack([*s.table(name).values()]) for s in (compared[1], found))
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_components_of_interface_nodes_make_it_stale_and_processes_do_not(compared):
    from faying.project.stage import Target
    from faying.project.stages import PIPELINE

    session, _ = compared
    target = Target("analysis", "brick", "compared")

    def status(*edits):
        project = session.project
        for edit in edits:
            project = edit(project)
        return PIPELINE.state(project, target, session.store, session.base).status

    change = faying.edits.set_value
    assert status() == "ready"
    assert status(change(("analyses", 0, "processes"), 2)) == "ready"
    assert status(change(("bodies", 0, "reduction", "vibration_modes"), 3)) == "ready"
    assert status(change(("bodies", 0, "interfaces", 2, "components"), (1,))) == "stale"
    assert status(change(("analyses", 0, "sizes"), (2,))) == "stale"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("methods = []\n", "has no method"),
        ('interfaces = ["NOWHERE"]\n', "NOWHERE"),
        ('methods = [{ kind = "modal_truncation" }]\nsizes = [0]\n', "vibration_modes"),
    ],
)
def test_what_cannot_be_studied_is_a_sentence(model, tmp_path, words, sentence):
    path = study_in(tmp_path, model, "")
    text = path.read_text()
    if words.startswith("interfaces"):
        text = text.replace('interfaces = ["left", "right"]\n', "")
    path.write_text(text + words)
    with faying.read(path) as session:
        (finding,) = [f for f in session.check() if f.severity == "error"]
        assert sentence in finding.sentence
        with pytest.raises(FayingError, match=sentence):
            session.solve("compared")


def test_nodes_of_interest_without_displacements_are_a_sentence(tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp")
    nodes = [{"name": name, "node_set": name, "components": [4, 5, 6]} for name in ("HOLD", "TIP")]
    body = {"name": "beam", "model": {"path": str(deck)}, "interfaces": nodes}
    study = {"kind": "reduction_study", "name": "compared", "body": "beam", "processes": 1}
    with (
        faying.build(bodies=[body], analyses=[study]) as session,
        pytest.raises(ModelError, match="have none among their components"),
    ):
        session.solve("compared")


def test_ranges_and_sizes_are_bounded():
    words = {"name": "a", "body": "b"}
    with pytest.raises(ModelError, match="does not end above its beginning"):
        build(ReductionStudy, {**words, "lowest_frequency": 9.0, "highest_frequency": 3.0})
    with pytest.raises(ModelError, match="0 to 2000"):
        build(ReductionStudy, {**words, "sizes": (-1,)})
    assert build(ReductionStudy, {**words, "sizes": (9, 3, 3)}).sizes == (3, 9)
    twice = build(ReductionStudy, {**words, "methods": [{"kind": "craig_bampton"}] * 2, "sizes": (3,)})
    assert [point.name for point in twice.bases()] == ["Craig-Bampton (1), 3", "Craig-Bampton (2), 3"]


def test_no_mode_of_a_file_is_a_size_that_a_sentence_refuses():
    """As a number of the method zero stands for all of them."""
    words = {"name": "a", "body": "b", "methods": [{"kind": "imported_modes", "file": "modes.npz"}]}
    (problem,) = build(ReductionStudy, {**words, "sizes": (0, 2)}).problems(["tip"])
    assert "size 0 leaves no mode of the file" in problem.message and "from 1 on" in problem.hint
    assert not list(build(ReductionStudy, {**words, "sizes": (1, 2)}).problems(["tip"]))
    assert not list(build(ReductionStudy, {**words, "sizes": ()}).problems(["tip"]))


def test_modes_of_one_frequency_are_compared_as_subspaces():
    """A square bar bends alike both ways: its modes may be turned by any angle, which the plain criterion punishes."""
    square = box("hex8_incompatible", (6, 2, 2), (60.0, 8.0, 8.0))
    matrices = assemble(square, Silent())
    mass = matrices.mass.toarray()
    squares, modes = la.eigh(matrices.stiffness.toarray(), mass)
    modes, frequencies = modes[:, 6:11], np.sqrt(squares[6:11]) / (2.0 * np.pi)
    assert frequencies[1] == pytest.approx(frequencies[0], rel=1e-6)
    angle = np.radians(30.0)
    turned = modes.copy()
    turned[:, :2] = modes[:, :2] @ [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    assert modal_assurance(modes, turned, mass)[0, 0] == pytest.approx(0.75)
    np.testing.assert_allclose(subspace_assurance(modes, turned, frequencies, mass), 1.0)
    # A doublet of which one half is lost is met by neither; a mode that there is none of counts zero.
    lost = np.column_stack([modes[:, 0], modes[:, 3], modes[:, 2]])
    np.testing.assert_allclose(
        subspace_assurance(modes, lost, frequencies, mass), [0, 0, 1, 0, 0], atol=1e-12
    )


class _Bar:
    """Makhavikou's bar, with more interface nodes of one component each."""

    def __init__(self, folder, further):
        deck = files("faying_resources") / "examples" / "line_fitting_bar.inp"
        nodes = [{"name": name, "node_set": name} for name in "ABC"]
        nodes += [{"name": n, "node_set": n, "components": c} for n, c in further.items()]
        self.words = {
            "units": "mm-t-s",
            "bodies": [{"name": "bar", "model": {"path": str(deck)}, "interfaces": nodes}],
        }

    def solved(self, **study):
        common = {"kind": "reduction_study", "name": "bar", "body": "bar", "interfaces": ["A", "B", "C"]}
        common |= {"points": 60, "stiffness_damping": 1e-6, "processes": 1, "highest_frequency": 1000.0}
        session = faying.build(**self.words, analyses=[{**common, **study}])
        return session.solve("bar"), session


def test_interface_dofs_near_to_each_other_are_told_by_the_highest_frequency(tmp_path):
    near = {"N1": [2, 3], "N2": [2, 3], "N3": [2]}
    methods = [{"kind": "craig_bampton", "vibration_modes": 11}, {"kind": "line_fitting"}]
    found, session = _Bar(tmp_path, near).solved(sizes=(), methods=methods)
    (warning,) = [words for words in found.report["advice"] if "too near" in words[1]]
    assert warning[0] == "warning"
    highest = found.table(TABLE)["highest frequency"]
    assert (
        f"is {highest[2] / highest[1]:.2g} times that of 'Craig-Bampton' with 14 trial vectors" in warning[1]
    )
    assert (
        "such as N1 uy and N1 uz at a distance of 0 [length]." in warning[1]
        and warning[2] == "Spread them over the body."
    )
    session.close()

    # Those that the study chooses are spread, and it does not say so of them; line fitting is good enough with them.
    methods[0]["vibration_modes"] = 10
    found, session = _Bar(tmp_path, {}).solved(sizes=(5, 11), methods=methods)
    told = [words[1] for words in found.report["advice"]]
    assert not [text for text in told if "too near" in text]
    table = found.table(TABLE)
    fit = table["method"] == 1
    assert (table["largest transfer error"][fit] < 0.05).all() and (table["NRED"][fit] < 1e-6).all()
    assert (table["highest frequency"][fit] < highest[2] / 2.0).all()
    (enough,) = [words for words in found.report["advice"] if "interface dofs" in words[1]]
    assert "good enough with 14 interface dofs, 2.3 for each vibration mode in the range" in enough[1]
    chosen = found.report["further_interface_dofs"][:5]
    assert enough[2] == f"Interface dofs that the study has chosen for it: {', '.join(chosen)}."
    session.close()


def test_chosen_dofs_lie_apart_and_on_the_given_nodes(model, exact):
    matrices, frequencies, modes = exact
    interior = InteriorProblem(matrices, model.nodes, np.array([0]))
    skin = np.flatnonzero(
        (np.abs(model.nodes / SIZE - 0.5) > 0.499).any(axis=1)
    )  # all but the nodes on the axis
    found = spread_dofs(interior, modes[:, :12], frequencies[:12], 9, skin)
    assert len(set(found)) == 9 and not any(node == 0 for node, _ in found)
    assert {node for node, _ in found} <= set(skin.tolist())
    rows = np.array([3 * node + c - 1 for node, c in found])
    chance = np.random.default_rng(1).choice(len(modes), (40, 9))
    weighted = modes[:, :12] / frequencies[:12]
    best = la.svdvals(weighted[np.concatenate([[0, 1, 2], rows])]).min()
    others = [la.svdvals(weighted[np.concatenate([[0, 1, 2], c])]).min() for c in chance]
    assert best > max(others)


def test_free_modes_and_dense_ones_are_the_same_to_the_choice(model, exact):
    matrices, frequencies, modes = exact
    interior = InteriorProblem(matrices, model.nodes, np.array([0, 62]))
    found = free_free_modes(interior, 12, Silent())
    nodes = np.arange(63)
    assert spread_dofs(interior, found, frequencies[:12], 4, nodes) == spread_dofs(
        interior, modes[:, :12], frequencies[:12], 4, nodes
    )


def _outcome(model, exact, rows, methods, refused=None, allowed=0.05):
    """An outcome with some measures, of bases on the brick with three further interface dofs."""
    interior = InteriorProblem(exact[0], model.nodes, np.array([0, 62, 30]))
    body = StudiedBody(interior, [0, 1], ["left", "right", "middle"], {"stiffness_damping": BETA})
    table = np.full((len(rows), 2 + len(MEASURES)), np.nan)
    points = []
    for i, (kind, measures) in enumerate(zip(methods, rows, strict=True)):
        for name, value in measures.items():
            table[i, 2 + MEASURES.index(name)] = value
        method = reduction_methods[kind]()
        points.append(BasisPoint(i + 1, f"basis {i + 1}", method, 0 if method.size else 3))
    return ComparedBases(
        allowed, points, table, np.array([100.0, 200.0, 400.0]), (0.0, 500.0), body, refused or {}
    )


def _measures(order, error, first=0.0, highest=1e3, time=1.0):
    return {
        "order": order, "largest transfer error": error, "first transfer error": first,
        "highest frequency": highest, "admissible step": 0.05 / highest, "reduction time": time,
    }  # fmt: skip


def test_advice_follows_the_measures(model, exact):
    rows = [
        _measures(30, 0.01, 1e-9, 4e3, 1.0),
        _measures(9, 0.03, 2e-3, 2e3, 2.0),
        _measures(20, 0.3, 1e-8, 9e2, 0.1),
    ]
    found = advice(_outcome(model, exact, rows, ("craig_bampton", "line_fitting", "cms_gram")))
    told = " ".join(words.sentence for words in found)
    assert {words.severity for words in found} == {"note"}
    assert "has 3 vibration modes" in told and "the smallest is 'basis 2': 9 trial vectors, 3 %" in told
    assert "Line fitting is good enough with 9 interface dofs, 3 for each vibration mode" in told
    assert "'basis 3' is exact at the frequency 0 [frequency]; 'basis 2' misses 0.2 % there" in told
    assert "'basis 1' has the least transfer error, 1 %" in told
    assert "'basis 2' allows the longest steps, 2 times those of 'basis 1' among those that are good" in told
    assert "Quickest to reduce is 'basis 1'" in told  # of those that are good enough


def test_advice_when_nothing_is_good_enough(model, exact):
    rows = [_measures(30, 0.4, 0.01), _measures(9, 0.6, 0.02), {}]
    refused = {"basis 3": ("It cannot be.", "Take another.")}
    found = advice(
        _outcome(model, exact, rows, ("craig_bampton", "line_fitting", "line_fitting"), refused, 0.1)
    )
    first = found[0]
    assert (
        first.severity == "warning"
        and "No measured basis has a transfer error of at most 10 %" in first.sentence
    )
    assert "'basis 1': 30 trial vectors, 40 %" in first.sentence
    assert ("note", "'basis 3' was not computed. It cannot be.", "Take another.") in found
    assert any("Line fitting misses 60 % with 9 trial vectors" in words.sentence for words in found)
    assert any("None is exact at the frequency 0 [frequency]" in words.sentence for words in found)


def test_a_range_without_vibrations_is_compared_all_the_same(model, tmp_path):
    """Below the first mode there is nothing to say of frequencies and shapes; line fitting says why it cannot be."""
    path = study_in(tmp_path, model, "sizes = [3]\n")
    path.write_text(path.read_text().replace(f"{HIGHEST / 1e3} kHz", "1 kHz"))
    with faying.read(path) as session:
        found = session.solve("compared")
        table = found.table(TABLE)
        assert len(found.table(ASSURANCE)["frequency"]) == 0 == found.report["vibration_modes_in_range"]
        assert np.isnan(table["NRED"][1:]).all() and np.isnan(table["MAC"][1:]).all()
        assert 0.0 < table["largest transfer error"][1] < 0.5
        assert [name for name in found.report["not_computed"] if "no vibration mode lies" not in name] == [
            "CMS-Gram, 3", "Line fitting, 3"
        ]  # fmt: skip
        assert "no vibration mode." in found.report["advice"][0][1]
