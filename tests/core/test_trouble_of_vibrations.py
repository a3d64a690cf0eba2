"""What goes wrong with vibrations of jointed structures is a sentence, and what was found before is kept.

The oscillator of `jenkins-oscillator`: a mass of 1 kg on a spring of 1 N/m along x, pressed against the ground with 1 N
along z. A contact of 1000 N/m carries it there, and a slider of 0.3 N/m and 0.2 N rubs along x.
"""

import numpy as np
import pytest

import faying
from faying.analyses.harmonics.periodic_structure import PeriodicStructure
from faying.analyses.nonlinear_mode import NonlinearMode
from faying.errors import FayingError
from faying.examples import examples
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.fourier import FourierBasis
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import DenseJointRows, JointForce
from faying.project.findings import find_findings
from faying.results.quality_warnings import find_warnings
from faying.results.verdicts import facts_of
from faying.solvers.harmonic import Damping
from support.squeezed_plates import SqueezedPlates

ONE = 1.0 / (2.0 * np.pi)  # Hz, of the mass that slides
STATE = {"body": "mass", "support": "frame", "preloads": ["bolts"], "name": "run"}
ALONG_X = {**STATE, "kind": "nonlinear_mode", "point": "point", "direction": "x", "points": 5}
ALONG_Z = {**ALONG_X, "direction": "z", "mode": 3, "harmonics": 3}
FORCED = {**STATE, "kind": "harmonic_balance"}


def solved(folder, words):
    """Return the solution of one analysis of the oscillator, and its facts by title."""
    project = examples["jenkins-oscillator"]().build().model_dump()
    found = faying.build(folder / "artifacts", **{**project, "analyses": [words]}).solve("run")
    return found, {fact.title: fact.text for fact in facts_of(found.results.report, "m-kg-s")}


def sentences(found):
    return " ".join(warning.sentence for warning in found.results.warnings)


def test_a_curve_ends_where_there_is_no_answer_and_what_was_found_stays(tmp_path):
    """At the frequency of the sliding mass no motion takes more than 4 F/π, about 0.255 N, from the load."""
    words = {
        **FORCED, "loads": [{"interface": "point", "force": [0.3, 0.0, 0.0]}], "levels": [0.1, 1.0], "harmonics": 1,
        "lowest_frequency": 0.1, "highest_frequency": ONE,
    }  # fmt: skip
    found, _ = solved(tmp_path, words)
    assert found.results.report["points"][0] > 1 and found.results.report["points"][1] == 0
    assert found.results.values.max() == pytest.approx(ONE)
    assert f"Level 1 ends at the frequency {ONE:.5g}" in sentences(found)
    with pytest.raises(FayingError, match="no periodic answer was found at the level 1"):
        solved(tmp_path, {**words, "levels": [1.0], "lowest_frequency": ONE, "highest_frequency": 0.2})


def test_a_curve_ends_after_the_most_points(tmp_path):
    words = {
        **FORCED, "loads": [{"interface": "point", "force": [0.05, 0.0, 0.0]}], "harmonics": 1, "most_points": 3,
        "lowest_frequency": 0.1, "highest_frequency": 0.3,
    }  # fmt: skip
    found, _ = solved(tmp_path, words)
    assert len(found.results.values) == 3 and "The curve of level 1 ends after 3 points" in sentences(found)


def test_an_answer_jumps_where_the_curve_turns_back(tmp_path):
    """The contact opens, so that the resonance along z at 5.03 Hz leans to lower frequencies."""
    words = {
        **FORCED, "loads": [{"interface": "point", "force": [0.0, 0.0, 0.1]}], "mass_damping": 1.0,
        "harmonics": 3, "lowest_frequency": 3.0, "highest_frequency": 6.0,
    }  # fmt: skip
    found, facts = solved(tmp_path, words)
    turns = [turn["frequency"] for turn in found.results.report["turning_points"]]
    assert turns and max(turns) < np.sqrt(1e3) * ONE
    assert f"{turns[0]:.5g}" in facts["The answer jumps when the frequency is swept"]
    opening = found.curve("opening pairs")
    assert opening.max() == 1.0
    first = found.results.values[np.argmax(opening)]
    assert (
        facts["Pairs that lose their pressure in each cycle"]
        == f"first at {first:.5g} Hz and level 1; 1 of 1 at most"
    )
    quiet = {**words, "loads": [{"interface": "point", "force": [0.0, 0.0, 0.001]}]}
    assert "Pairs that lose their pressure in each cycle" not in solved(tmp_path, quiet)[1]


def test_too_few_harmonics_and_samples_are_warnings(tmp_path):
    words = {**ALONG_X, "smallest_amplitude": 1.0, "largest_amplitude": 2.0, "points": 2, "harmonics": 1}
    opening = {
        **ALONG_Z,
        "smallest_amplitude": 1.2e-3,
        "largest_amplitude": 4e-3,
        "points": 2,
        "harmonics": 1,
    }
    assert "Harmonics above 1, the highest of the motion" in sentences(solved(tmp_path, opening)[0])
    assert not sentences(solved(tmp_path, words)[0])  # less than a percent of work and displacements
    coarse = sentences(solved(tmp_path, {**words, "samples": 8})[0])
    assert "Twice the samples of a period (8)" in coarse
    fine = solved(tmp_path, {**words, "harmonics": "auto"})[0]
    assert not fine.results.warnings


def test_a_joint_that_slides_as_a_whole_and_pairs_that_open(tmp_path):
    """The slider slips above F/k = 0.67 m; the contact opens above 1 N over 1000 N/m."""
    _, facts = solved(tmp_path, {**ALONG_X, "smallest_amplitude": 0.5, "largest_amplitude": 2.0})
    assert facts["Joint 'interface' slides as a whole"] == "from an amplitude of 0.707 m on"
    assert "Pairs that open in each cycle" not in facts
    _, facts = solved(tmp_path, {**ALONG_Z, "smallest_amplitude": 6e-4, "largest_amplitude": 2.4e-3})
    assert facts["Pairs that open in each cycle"] == "from an amplitude of 0.0012 m on, 1 at most"


def test_pairs_that_change_from_correction_to_correction_are_named():
    """Two sliders of a mass, of which one has four times the limit: motions between both limits change one alone."""
    rows = DenseJointRows(
        np.zeros((2, 1)), np.array([[[1.0], [0.0]]] * 2), np.ones(2), np.array([-1.0, -4.0])
    )
    joint = JointForce(
        rows, LinearPenalty(stiffness=1.0), Coulomb(friction_coefficient=0.2, sticking_stiffness=0.3)
    )
    one = np.ones((1, 1))
    found = PeriodicStructure(
        shapes=one, frequencies=np.ones(1), names=("lap",), joints=(joint,),
        histories=(joint.resting_history(np.zeros(1)),), rest=np.zeros(1), sticking=2, stiffness=one,
        own_damping=0.0 * one, stuck=1.6 * one,
    )  # fmt: skip
    problem, sentences_of = found.problem(Damping(), FourierBasis(1, 64)), []
    for amplitudes in ((0.1, 0.5), (0.1, 1.0), (0.1, 4.0)):
        found.recent.clear()
        for amplitude in amplitudes:
            problem.force(np.array([[0.0], [amplitude], [0.0]]), problem.basis, 1.0, False)
        sentences_of.append(found.changing_pairs)
    assert not sentences_of[0]
    for sentence, count in zip(sentences_of[1:], ("1 pair", "2 pairs"), strict=True):
        assert sentence == (
            f"From correction to correction {count} of 'lap' changed between sticking, slipping and open. "
        )


def test_the_cost_is_told_before_the_start(tmp_path):
    """Linear in pairs, samples and the square of the coefficients; long ones are among the findings."""
    one = NonlinearMode(name="mode", body="plates", harmonics=7, samples=128)
    cost = one.point_cost(1000)
    assert one.point_cost(3000).per_point == pytest.approx(3.0 * cost.per_point)
    assert one.with_(samples=512).point_cost(1000).per_point == pytest.approx(4.0 * cost.per_point)
    wide = one.with_(harmonics=31, samples=1024).point_cost(1000).per_point / cost.per_point
    assert wide == pytest.approx(8.0 * (63 / 15) ** 2, rel=0.1)
    assert (
        "a point, " in cost.sentence
        and "for 20 points (1000 pairs, 128 samples, 7 harmonics)" in cost.sentence
    )
    plates, told = SqueezedPlates(tmp_path), []
    for samples in (0, 100_000):
        words = plates.project.model_dump()
        run = {
            "kind": "nonlinear_mode",
            "body": "plates",
            "name": "mode",
            "harmonics": 51,
            "samples": samples,
        }
        words["analyses"] = [run]
        session = faying.build(tmp_path / "artifacts", **words)
        session.find_pairs("lap")
        found = find_findings(session.project, session.store, tmp_path)
        told.append([each.sentence for each in found if each.check == "long_runs"])
    assert not told[0] and "'mode' takes some " in told[1][0] and "15 pairs, 100000 samples, 51" in told[1][0]


def test_loops_that_close_a_little_off_are_a_fact():
    """They are loads of a static loop, and not friction stresses of pairs after eight periods."""
    report = {"largest_loop_closure": 9e-4}
    assert {fact.title: fact.text for fact in facts_of(report, "mm-t-s")}[
        "Loops close to"
    ] == "0.09 % of their load"
    assert not find_warnings({}, report)


def test_what_feeds_a_vibration_is_a_fact():
    """No law or damping of a body read from files feeds one; a law of someone else may."""
    texts = {fact.title: fact.text for fact in facts_of({"grows_from": 0.5}, "m-kg-s")}
    assert texts["Self-excitation"] == "at an amplitude of 0.5 m: damping is negative"


def test_without_a_friction_law_there_is_no_damping_to_find(tmp_path):
    plates = SqueezedPlates(tmp_path)
    along = {"kind": "quasi_static_modes", "support": "hold", "preloads": ["squeeze"]}

    part = {"kind": "flexible", "name": "plates", "body": "plates", "frame": "hold", "preloads": ["squeeze"]}
    of_system = {"kind": "system_nonlinear_mode", "system": "bench", "name": "mode"}

    def findings(law):
        words = plates.project.model_dump()
        words["bodies"][0]["joints"][0]["friction_law"] = law
        words["systems"] = [{"name": "bench", "parts": [part]}]
        words["analyses"] = [{"body": "plates", "name": "curve", **along}, of_system]
        session = faying.build(tmp_path / "artifacts", **words)
        found = find_findings(session.project, session.store, tmp_path)
        return [each for each in found if each.check == "damping_by_friction"]

    law = plates.project.model_dump()["bodies"][0]["joints"][0]["friction_law"]
    found, of_parts = findings(None)
    assert "no joint of body 'plates' has a friction law" in found.sentence and not findings(law)
    assert "no joint of system 'bench' has a friction law" in of_parts.sentence
