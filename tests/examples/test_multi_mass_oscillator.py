"""The multi-mass oscillator: the study's numbers, and where its references come from."""

import csv
import json

import numpy as np
import pytest

from faying.cli import main
from faying.errors import Cancelled
from faying.joints.friction_laws import friction_laws
from faying.progress import CancelFlag, Silent
from faying.solvers.integrators.hht import Hht
from faying.studies import studies
from faying.studies._oscillator_chain import WATCHED, OscillatorChain, simulate
from faying.studies.multi_mass_oscillator import CASES, EXCITED, chain_of
from references.friction_chain import measures

KIND = "multi-mass-oscillator"


def reference(case: str, law: str) -> np.ndarray:
    known = {e.name: e.reference for e in studies[KIND].expected}
    return np.array([known[f"{case}_{law}_{name}"] for name in ("max", "last", "work")])


@pytest.mark.parametrize(
    ("law", "case", "at_once"),
    [("coulomb", "varying", False), ("dahl", "gaping", False), ("bouc_wen", "varying", True)],
)
def test_references_are_met_by_a_plain_program(law, case, at_once):
    """Kind: independent code. Central differences and laws by substeps in one direction."""
    found = measures(law, CASES[case].limit, 8e-4, at_once=at_once)
    assert found == pytest.approx(reference(case, law), rel=1e-3)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oscillator")
    code = main(["demo", KIND, "--quick", "--no-window", "--out", str(folder)])
    return code, folder, json.loads((folder / "summary.json").read_text(encoding="utf-8"))


@pytest.mark.slow  # the study's quick run; its programs and laws are tried above and in tests of their own
def test_quick_demo_meets_its_references(demo):
    code, _, summary = demo
    assert code == 0
    assert [q["name"] for q in summary["quantities"]] == [
        f"slipping_dahl_{n}" for n in ("max", "last", "work")
    ]
    assert all(q["passed"] and q["tolerance"] <= 1e-3 for q in summary["quantities"])


@pytest.mark.slow  # the study's quick run; its programs and laws are tried above and in tests of their own
def test_quick_demo_tells_what_each_law_cost(demo):
    _, folder, summary = demo
    rows = list(csv.DictReader((folder / f"{KIND}-effort.csv").open(encoding="utf-8")))
    assert [row["law"] for row in rows] == ["coulomb", "dahl", "valanis", "bouc_wen"]
    assert all(0 < int(row["Jacobian updates"]) < int(row["steps"]) for row in rows)
    assert [list(row) for row in summary["tables"]["effort"][1:]] == [
        [row["case"], row["excited"], row["law"], *(json.loads(x) for x in list(row.values())[3:])]
        for row in rows
    ]


@pytest.mark.slow  # the study's quick run; its programs and laws are tried above and in tests of their own
def test_quick_demo_writes_curves_of_the_watched_mass(demo):
    _, folder, _ = demo
    table = np.genfromtxt(folder / f"{KIND}-displacement.csv", delimiter=",", skip_header=1)
    assert table.shape == (201, 5)
    # All laws start with the same stiffness and part when friction slips.
    spread = np.ptp(table[:, 1:], axis=1)
    assert spread[0] == 0.0 and 0.01 < spread.max() < 0.5 * np.abs(table[:, 1]).max()


def test_a_stuck_chain_is_linear():
    """With a limit that nothing reaches Coulomb's law is a spring: modal superposition gives x(t). Analytical."""
    chain = chain_of("coulomb", "sticking", "ten")
    motion = simulate(chain, Hht(alpha=-0.05, tolerance=1e-9, largest_step=1e-3), 2.0, Silent())
    stiffness = (
        1000.0 * np.eye(100) - chain.forces(0.0, np.zeros(100), np.zeros(100), None, jacobian=True).d_position
    )
    values, shapes = np.linalg.eigh(stiffness)
    omega, drive = np.sqrt(values / 0.1), 2.0 * np.pi
    load = np.zeros(100)
    load[np.array(EXCITED["ten"]) - 1] = 0.2
    amplitude = shapes.T @ load / 0.1 / (omega**2 - drive**2)
    t = motion.times[:, None]
    exact = (amplitude * (np.sin(drive * t) - drive / omega * np.sin(omega * t))) @ shapes[WATCHED - 1]
    assert np.abs(motion.displacement - exact).max() < 5e-3 * np.abs(exact).max()
    assert abs(motion.work) < 1e-3 * np.ptp(motion.friction) * np.ptp(motion.displacement)


def test_a_study_can_be_cancelled():
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        studies[KIND]().run(flag)


def test_an_unknown_example_names_the_known_ones(capsys):
    assert main(["demo", "no-such-thing"]) == 1
    said = capsys.readouterr().err
    assert KIND in said and "friction-bar" in said


@pytest.mark.parametrize("kind", sorted(kind for kind, study in studies.items() if study.expected))
def test_references_of_studies_say_where_they_are_from(kind):
    study = studies[kind]
    assert study.title and study.summary
    assert all(e.source and e.reference_kind != "regression" for e in study.expected)


@pytest.mark.slow  # a second and more
def test_no_reference_is_met_by_a_chain_without_friction():
    """Numbers that hold without friction show nothing of it; all masses excited, as the references are."""
    law = friction_laws["dahl"](friction_coefficient=1.0, sticking_stiffness=1000.0, sliding_stiffness=50.0)
    chain = OscillatorChain(law, lambda time: 0.0, EXCITED["all"])
    motion = simulate(chain, Hht(alpha=-0.05, tolerance=1e-6, largest_step=1e-2), 8.0, Silent())
    for case in ("gaping", "varying", "slipping"):
        for law in ("coulomb", "dahl", "valanis", "bouc_wen"):
            assert (np.abs(motion.measures / reference(case, law) - 1.0) > 0.01).any(), (case, law)
