"""Key results of runs whose numbers are known: a bar in cyclic tension, and files with curves alone."""

import math
from dataclasses import replace

import numpy as np
import pytest

from faying.errors import Cancelled
from faying.fem.strength import StrengthSpec
from faying.progress import CancelFlag, Silent
from faying.reduction.body import ReducedBody
from faying.results.fields import FieldContext
from faying.results.key_results import key_results
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.boxes import STEEL, box
from support.keys import keys_of

FRAMES = 101
OWNERS = {
    "interface": ("pull", "push", "hold", "tip", "pin"), "support": ("foot",), "bolt": ("bolt",),
    "joint": ("bond", "lap", "cap"),
}  # fmt: skip
END = keys_of(["end ux"], interface=("end",))


@pytest.fixture(scope="module")
def bar(tmp_path_factory) -> FieldContext:
    """A bar is pulled with up to 140 N/mm² and let go; its material yields at 350."""
    model = box("hex8", (2, 1, 1), (10.0, 3.0, 3.0))
    pull = (model.nodes * [1.0, -0.3, -0.3] / STEEL.youngs_modulus).reshape(-1, 1)
    one = np.eye(1)
    body = ReducedBody("", one, one, np.eye(6), model.nodes, pull, {}, {}, (), (), np.zeros(1))
    path = tmp_path_factory.mktemp("bar") / "run.h5"
    with ResultsWriter(path, axis="time", sizes={"coordinates": 1}, joints={}, curves=END) as writer:
        for share in np.linspace(0.0, 1.0, FRAMES):
            stress = 20.0 + 120.0 * math.sin(math.pi * share)
            writer.append(share, {"curves/end ux": stress}, coordinates=[stress])
        writer.close({})
    strengths = (StrengthSpec(material="STEEL", yield_strength=350.0),)
    return FieldContext(Results(path), body, {}, {}, {}, model, strengths=strengths)


def numbers_of(results, context=None, progress=None, **choices):
    found = key_results(results, context, {}, "mm-t-s", progress or Silent(), **choices)
    return {number.title: number for number in found}


def run(path, curves, owners, axis="step", **words):
    """Return a file of the curves, each with a value per frame."""
    keys = keys_of(curves, **owners)
    if "system" in words:
        keys = [replace(key, part="rod") if key.kind == "joint" else key for key in keys]
    with ResultsWriter(path, axis=axis, joints={}, curves=keys, **{"sizes": {}} | words) as writer:
        for i, values in enumerate(zip(*curves.values(), strict=True)):
            more = {f"parts/{part}/motion": np.zeros(7) for part in ("rod",) if "system" in words}
            writer.append(i + 1.0, more, curves=dict(zip(keys, values, strict=True)))
        writer.close({})
    return Results(path)


def test_extremes_of_fields_tell_in_how_many_frames_they_were_looked_for(bar):
    numbers = numbers_of(bar.frames, bar)
    safety, stress = numbers["Least safety against yielding"], numbers["Largest von Mises stress"]
    assert safety.value == pytest.approx(2.5, rel=1e-3) and stress.value == pytest.approx(140.0, rel=1e-3)
    for number in (safety, stress):
        assert number.is_extreme and number.sampled == "were looked for in 60 of 101 frames"


def test_what_is_told_of_the_end_is_no_extreme(bar):
    numbers = numbers_of(bar.frames, bar, at_end=True)
    assert numbers["Displacement of end along x"].value == pytest.approx(20.0)
    assert numbers["Largest von Mises stress"].value == pytest.approx(20.0)
    assert not any(number.is_extreme or number.sampled for number in numbers.values())


def test_looking_for_extremes_can_be_followed_and_stopped(bar):
    class Watch(CancelFlag):
        stop_at, told = 2.0, ()

        def report(self, fraction, text="", **values):
            self.told = (*self.told, (fraction, text))
            if fraction > self.stop_at:
                self.cancel()
            super().report(fraction, text)

    watch = Watch()
    numbers_of(bar.frames, bar, watch)
    shares = [fraction for fraction, _ in watch.told]
    assert shares == sorted(shares) and shares[-1] > 0.9
    assert {text for _, text in watch.told} == {"Von Mises stress", "Safety factor against yielding"}
    for stop_at in (0.2, 0.7):
        watch = Watch()
        watch.stop_at = stop_at
        with pytest.raises(Cancelled):
            numbers_of(bar.frames, bar, watch)
        assert watch.told[-1][0] < stop_at + 0.1


def test_loads_reactions_and_tied_joints_are_told_as_what_they_are(tmp_path):
    curves = {
        "pull force z": [0.0, 100.0], "push force x": [3.0, 0.0], "push force y": [4.0, 0.0],
        "hold reaction force x": [0.0, 0.0], "hold reaction force y": [0.0, 30.0],
        "hold reaction force z": [0.0, -40.0], "tip reaction force y": [7.0, 1.0],
        **{f"foot support force {a}": [1.0, 2.0] for a in "xyz"}, **{f"bond force {a}": [2.0, 1.0] for a in "xyz"},
        "bond moment x": [1e3, 1e3], "bolt axial force": [9.0, 9.0],
    }  # fmt: skip
    loads = [{"interface": name, "force": [1, 1, 1]} for name in ("pull", "push")]
    steps = [{"kind": "tighten", "bolt": "bolt"}, {"kind": "load", "loads": loads}]
    numbers = numbers_of(run(tmp_path / "steps.h5", curves, OWNERS, settings={"steps": steps}))
    assert {title: round(number.value, 6) for title, number in numbers.items()} == {
        "Largest force in bond": round(math.sqrt(12.0), 6),
        "Largest reaction of support foot": round(math.sqrt(12.0), 6),
        "Largest reaction at hold": 50.0, "Largest load at pull": 100.0, "Largest load at push": 5.0,
        "Largest reaction at tip": 7.0,
    }  # fmt: skip


def test_forces_of_a_systems_constraints_are_reactions_and_of_its_parts_those_of_tied_joints(tmp_path):
    curves = {f"{owner} force {a}": [1.0, 2.0] for owner in ("pin", "bond") for a in "xyz"}
    owners = {"constraint": ("pin",), "joint": ("bond",)}
    words = {"axis": "time", "system": "bench", "sizes": {"parts/rod/motion": 7}}
    numbers = numbers_of(run(tmp_path / "motion.h5", curves, owners, **words))
    assert list(numbers) == ["Largest reaction at pin", "Largest force in rod: bond"]


def test_curves_that_are_no_numbers_make_no_key_results(tmp_path):
    none, known = [math.nan, math.nan], [math.nan, 2.0]
    curves = {
        "tip ux": none, "tip reaction force x": none, "pin reaction force x": known, "lap closed share": none,
        "lap slipping share": none, "cap closed share": [0.5, 1.0], "cap slipping share": none,
    }  # fmt: skip
    numbers = numbers_of(run(tmp_path / "points.h5", curves, OWNERS, axis="point"))
    assert numbers["Largest reaction at pin"].value == 2.0
    assert not any("tip" in title or "lap" in title for title in numbers)
    assert numbers["Share of cap that is closed"].value == 1.0
