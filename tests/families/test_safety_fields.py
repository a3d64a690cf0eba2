"""Stress at integration points and safety factors of a bar in cyclic tension, whose stresses everybody knows."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.model import ElementBlock
from faying.fem.strength import StrengthSpec
from faying.reduction.body import ReducedBody
from faying.results.fields import FieldContext, Kept
from faying.results.formula import find_field
from faying.results.over_run import keep_over_run, missing_over_run, over_run
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.boxes import STEEL, box

MEAN, AMPLITUDE = 40.0, 100.0  # N/mm²
STRENGTHS = (
    StrengthSpec(material="STEEL", yield_strength=350.0, ultimate_strength=500.0, fatigue_strength=200.0),
)


@pytest.fixture(scope="module")
def bar(tmp_path_factory) -> FieldContext:
    """One coordinate pulls a bar with 1 N/mm² along x; it swings between -60 and 140 N/mm² in 9 frames."""
    model = box("hex8", (4, 2, 2), (10.0, 3.0, 3.0))
    pull = (model.nodes * [1.0, -0.3, -0.3] / STEEL.youngs_modulus).reshape(-1, 1)
    one = np.eye(1)
    body = ReducedBody("", one, one, np.eye(6), model.nodes, pull, {}, {}, (), (), np.zeros(1))
    path = tmp_path_factory.mktemp("bar") / "run.h5"
    with ResultsWriter(path, axis="time", body="b", sizes={"coordinates": 1}, joints={}) as writer:
        for phase in np.linspace(0.0, 2 * np.pi, 9):
            writer.append(phase, coordinates=[MEAN + AMPLITUDE * np.sin(phase)])
        writer.close({})
    return FieldContext(Results(path), body, {}, {}, {}, model, strengths=STRENGTHS)


def at(context, field, frame=0):
    return find_field(field).evaluate(context, "", frame)


def test_yield_safety_is_strength_over_stress(bar):
    np.testing.assert_allclose(at(bar, "yield_safety", 2), 350.0 / (MEAN + AMPLITUDE), rtol=1e-9)
    np.testing.assert_allclose(at(bar, "yield_safety", 6), 350.0 / (AMPLITUDE - MEAN), rtol=1e-9)


def test_fatigue_safety_is_goodmans(bar):
    expected = 1.0 / (AMPLITUDE / 200.0 + MEAN / 500.0)
    np.testing.assert_allclose(at(bar, "fatigue_safety"), expected, rtol=1e-9)


def test_an_unloaded_bar_is_safe_within_the_limit(bar):
    still = replace(bar, kept=Kept(), body=replace(bar.body, displacements=0.0 * bar.body.displacements))
    assert (at(still, "yield_safety") == 15.0).all()


def test_integration_points_agree_in_a_constant_state(bar):
    np.testing.assert_allclose(at(bar, "von_mises_points", 2), MEAN + AMPLITUDE, rtol=1e-9)
    np.testing.assert_allclose(at(bar, "stress_jump", 2), 0.0, atol=1e-8)
    np.testing.assert_allclose(at(bar, "signed_von_mises", 6), MEAN - AMPLITUDE, rtol=1e-9)


def test_integration_points_show_what_averaging_hides(bar):
    """Curved displacements: the stress of linear elements jumps from one to the next."""
    model = bar.model
    u = np.zeros((len(model.nodes), 3))
    u[:, 0] = 1e-4 * model.nodes[:, 0] ** 2
    bent = replace(bar, kept=Kept(), body=replace(bar.body, displacements=u.reshape(-1, 1)))
    inside = (model.nodes[:, 0] > 1.0) & (model.nodes[:, 0] < 9.0)
    assert (at(bent, "stress_jump", 2)[inside] > 1.0).all()
    averaged, of_points = at(bent, "von_mises", 2), at(bent, "von_mises_points", 2)
    assert (of_points[inside] > averaged[inside]).all()


def test_strength_between_materials_is_the_smaller(bar):
    block = bar.model.blocks[0]
    halves = [
        ElementBlock("hex8", block.label, block.ids[part], block.connectivity[part], name)
        for part, name in ((slice(0, 8), "STEEL"), (slice(8, None), "SOFT"))
    ]
    soft = replace(STEEL, name="SOFT")
    model = replace(bar.model, blocks=tuple(halves), materials={"STEEL": STEEL, "SOFT": soft})
    both = (*STRENGTHS, StrengthSpec(material="SOFT", yield_strength=35.0))
    found = find_field("yield_safety").evaluate(replace(bar, model=model, strengths=both), "", 2)
    shared = np.intersect1d(halves[0].connectivity, halves[1].connectivity)
    assert len(shared)
    np.testing.assert_allclose(found[shared], 35.0 / (MEAN + AMPLITUDE), rtol=1e-9)
    one = find_field("yield_safety").evaluate(replace(bar, model=model), "", 2)
    only_soft = np.setdiff1d(halves[1].connectivity, halves[0].connectivity)
    assert np.isnan(one[only_soft]).all() and not np.isnan(one).all()


def test_without_strengths_the_sentence_names_the_materials(bar):
    with pytest.raises(ModelError, match=r"No strength is known.*'STEEL'"):
        at(replace(bar, strengths=()), "yield_safety")


def test_what_has_to_be_found_first_is_known_and_kept(bar):
    fresh = replace(bar, kept=Kept())
    wanted = find_field("fatigue_safety / maximum(mean(von_mises) * 2)")
    missing = [field.text for field in missing_over_run(wanted, fresh, "")]
    assert set(missing) == {"von_mises", "mean(von_mises) * 2.0", "signed_von_mises"}
    assert missing.index("von_mises") < missing.index("mean(von_mises) * 2.0")  # the inner one first
    while inner := next(missing_over_run(wanted, fresh, ""), None):
        keep_over_run(inner, fresh, "", over_run(inner, fresh, ""))
    assert len(wanted.evaluate(fresh, "", 0)) == len(bar.model.nodes)
