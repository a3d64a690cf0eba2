"""The layered pendulum against beam theory, bonded and free, and its joints against the unreduced model."""

from contextlib import closing
from importlib.resources import files
from runpy import run_path

import numpy as np
import pytest
import scipy.linalg as la

from faying.analyses import analyses
from faying.examples import ExampleRun, examples
from faying.project.store import ArtifactStore

RESOURCES = files("faying_resources") / "examples"
WRITE_DECK = run_path(str(RESOURCES / "make_layered_pendulum.py"))["write_deck"]
BENDING, MASS_PER_LENGTH = 210_000.0 * 20.0 / 12, 7.85e-9 * 20.0  # of one sheet


def started(tmp_path, deck, joints=True):
    """Return a run of the example on another deck of the same names."""
    project = examples["layered-pendulum"]().build(quick=True)
    body = project.bodies[0]
    body = body.with_(
        model=body.model.with_(path=str(deck), digest=""),
        joints=body.joints if joints else (),
        reduction=body.reduction.with_(vibration_modes=20),
    )
    return ExampleRun(project.with_(bodies=(body,)), ArtifactStore(tmp_path / "store"))


def end_deflection(run, analysis):
    with closing(run.results(analysis)) as results:
        return float(results.curve("mass uz")[-1])


@pytest.fixture(scope="module")
def coarse_deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("pendulum") / "coarse.inp"
    WRITE_DECK(path, size=10)
    return path


def test_the_deck_is_what_its_script_writes(tmp_path):
    WRITE_DECK(tmp_path / "again.inp")
    assert (tmp_path / "again.inp").read_text() == (RESOURCES / "layered_pendulum.inp").read_text()


def test_bonded_sheets_bend_as_one_beam(tmp_path):
    """27 E I as far as there are three sheets, E I beyond; kind: analytical."""
    WRITE_DECK(tmp_path / "bonded.inp", size=2, bonded=True)
    found = end_deflection(started(tmp_path, tmp_path / "bonded.inp", joints=False), "closing")
    exact = ((400**3 - 100**3) / 27 + 100**3) / 3 / BENDING
    assert found == pytest.approx(exact, rel=0.01)


def test_free_frequencies_are_those_of_three_beams(tmp_path):
    """Bending frequencies of the free body without contact by Euler-Bernoulli elements; kind: analytical.

    Where a section is rigid it cannot curve across; that makes the last brick beside it stiffer, so they are short.
    """
    WRITE_DECK(tmp_path / "fine.inp", size=2)
    reduced = started(tmp_path, tmp_path / "fine.inp", joints=False).value("body")
    expected = beam_frequencies()[:5]
    nearest = [reduced.frequencies[np.argmin(np.abs(reduced.frequencies - f))] for f in expected]
    assert np.array(nearest) == pytest.approx(expected, rel=0.01)
    assert reduced.frequencies[0] == nearest[0]


def beam_frequencies():
    """Three beams with one section in common at x = 0; the outer two move together at the links."""
    length, dof, count = 10.0, {}, 0
    for sheet, nodes in enumerate((31, 41, 31)):
        for i in range(nodes):
            for turn in (0, 1):
                # The common section; the upper beam's deflection at the links is the lower's.
                shared = (1 if i == 0 else 0 if sheet == 2 and i in (15, 30) and not turn else sheet, i, turn)
                if shared not in dof:
                    dof[shared], count = count, count + 1
                dof[sheet, i, turn] = dof[shared]
    k, m = np.zeros((2, count, count))
    a = length
    bend = np.array([[12, 6 * a, -12, 6 * a], [6 * a, 4 * a * a, -6 * a, 2 * a * a],
                     [-12, -6 * a, 12, -6 * a], [6 * a, 2 * a * a, -6 * a, 4 * a * a]]) * BENDING / a**3  # fmt: skip
    move = np.array([[156, 22 * a, 54, -13 * a], [22 * a, 4 * a * a, 13 * a, -3 * a * a],
                     [54, 13 * a, 156, -22 * a], [-13 * a, -3 * a * a, -22 * a, 4 * a * a]])  # fmt: skip
    for sheet, nodes in enumerate((31, 41, 31)):
        for i in range(nodes - 1):
            at = np.ix_(*[[dof[sheet, i + e, turn] for e in (0, 1) for turn in (0, 1)]] * 2)
            k[at] += bend
            m[at] += move * MASS_PER_LENGTH * a / 420
    values = la.eigh(k, m, eigvals_only=True)
    return np.sqrt(values[2:]) / (2 * np.pi)  # two rigid motions in the plane


def test_joint_modes_give_the_unreduced_deflection_and_gaps(tmp_path, coarse_deck):
    """Kind: unreduced model; both joints at once, closing under a load at the end of the middle sheet."""
    run = started(tmp_path, coarse_deck)
    project = run.project
    statics = project.analyses[0]
    unreduced = analyses["unreduced_static"](
        name="unreduced", body="pendulum", support="car", loads=statics.loads, friction=statics.friction
    )
    run.project = project.with_(analyses=(statics, unreduced))
    assert end_deflection(run, "closing") == pytest.approx(end_deflection(run, "unreduced"), rel=0.01)
    # The sheets stay on each other: no pair opens by more than a hundredth of the deflection.
    with closing(run.results("closing")) as results:
        q = results.coordinates(results.n_frames - 1)
    held = run.value("body").clamped_to("car")
    for rows in held.joints:
        gaps = rows.initial_gaps + rows.normal @ q
        assert gaps.min() > -0.02 and gaps.max() < 0.01 * 21.0
