"""What the convergence tables of examples are made of. Kind of reference: closed form."""

import numpy as np
import pytest

from faying.analyses.convergence_study import COLUMNS
from faying.examples.error_curves import error_curves, error_table, ratio_table
from faying.studies._trial_shapes import shape_counts


def bar(divisions=60):
    """Return nodes of two sheets on each other, 225 by 20 by 6."""
    x, y, z = np.linspace(0, 225, divisions), np.linspace(-10, 10, 7), np.array([-3.0, -1.5, 1.5, 3.0])
    return np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)


def test_bending_and_torsion_are_told_apart():
    nodes = bar()
    x, y, z = nodes.T
    zero, wave = np.zeros(len(x)), np.pi / 225
    bent = np.stack([-z * wave * np.cos(wave * x), zero, np.sin(wave * x)], axis=1)
    opening = np.stack([zero, zero, np.sign(z) * np.sin(wave * x)], axis=1)
    twisted = np.stack([zero, -z * np.cos(wave * x), y * np.cos(wave * x)], axis=1)
    sideways = np.stack([-y * wave * np.cos(wave * x), np.sin(wave * x), zero], axis=1)
    shapes = np.stack([shape.ravel() for shape in (bent, opening, twisted, sideways)], axis=1)
    assert shape_counts(nodes, shapes) == (2, 1, 1)


@pytest.fixture
def curves():
    rows = []
    for count, motion, gap, ratio in ((0, 8.0, 1.0, np.nan), (5, 9.0, 3.0, 0.9), (10, 9.9, 3.8, 0.99)):
        found = dict.fromkeys(COLUMNS, 0.0)
        found |= {"joint modes": count, "motion": motion, "gap norm": gap, "ratio": ratio}
        found |= {"motion change": 1 - motion / 9.9, "gap norm change": 1 - gap / 3.8}
        rows.append([found[name] for name in COLUMNS])
    return error_curves(np.array(rows), ("some",), {"up": (10.0, 4.0)})


def test_errors_are_against_the_unreduced_model_and_changes_against_the_most_modes(curves):
    curve = curves["some", "up"]
    np.testing.assert_allclose(curve.motion, [0.2, 0.1, 0.01])
    np.testing.assert_allclose(curve.gaps, [0.75, 0.25, 0.05])
    np.testing.assert_allclose(curve.motion_changes, [1.9 / 9.9, 0.9 / 9.9, 0.0])
    assert curve.at(5) == pytest.approx(0.175) and curve.worst_at(10) == pytest.approx(0.05)
    assert curve.mean() == pytest.approx(0.5 * (0.175 + 0.03))


def test_tables_tell_percent_by_number_of_modes(curves):
    errors, changes = error_table(curves), error_table(curves, changes=True)
    assert errors.heads[2:] == ("error to unreduced, % of", "g = 0", "g = 5", "g = 10")
    assert errors.rows[0] == ("some", "up", "motion", 20.0, 10.0, 1.0)
    assert errors.rows[1][:3] == ("some", "up", "‖g_N‖, rms gap")
    assert changes.rows[0][-1] == 0.0 and changes.rows[0][3] == pytest.approx(19.192)
    assert ratio_table(curves).rows == (("some", 90.0, 99.0),)
