"""Decisions and results as sentences that readers without the program understand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from faying.analyses import Analysis
from faying.analyses.step_kinds import Step
from faying.params import Spec, fields_of
from faying.project.specs import BodySpec
from faying.units import UnitSystemName, unit_text


def listed(names: Iterable[str]) -> str:
    """Return names as a list: "a, b and c"."""
    *before, last = [*names] or [""]
    return f"{', '.join(before)} and {last}" if before else last


def analysis_sentence(analysis: Analysis, units: UnitSystemName) -> str:
    """Return the purpose of an analysis in one or two sentences."""
    title = str(getattr(analysis, "title", "") or analysis.kind.replace("_", " "))
    system = getattr(analysis, "system", "")
    what = [f"{title} of {'system' if system else 'body'} {system or analysis.owner}"]
    if support := getattr(analysis, "support", ""):
        what.append(f"held at {support}")
    loads = [_load(load, units) for load in getattr(analysis, "loads", ()) if hasattr(load, "force")]
    if loads := [load for load in loads if load]:
        what.append(f"under {listed(loads)}")
    acting = [acting.load for acting in getattr(analysis, "body_loads", ())]
    if acting:
        what.append(f"under the body's loads {listed(acting)}")
    if preloads := getattr(analysis, "preloads", ()):
        what.append(f"after the preload {listed(preloads)}")
    if corrects := getattr(analysis, "corrects", ""):
        what.append(f"of the frames of {corrects}")
    sentence = ", ".join(what) + "."
    if getattr(analysis, "friction", None) is False:
        sentence += " Friction is left out: the joints slide freely."
    if end := getattr(analysis, "end_time", None):
        sentence += f" It ends at {end:.4g} {unit_text('time', units)}."
    return sentence


def step_sentences(analysis: Analysis, units: UnitSystemName) -> list[str]:
    """Return a sentence for each step of a step sequence; none for other analyses."""
    return [
        f"Step {i + 1}: {_step(step, units)}."
        for i, step in enumerate(getattr(analysis, "steps", ()))
        if isinstance(step, Spec)
    ]


def _step(step: Any, units: UnitSystemName) -> str:
    if bolt := getattr(step, "bolt", ""):
        angle = float(getattr(step, "angle", 0.0))
        if angle:
            return f"bolt {bolt} is turned on by {np.degrees(angle):.4g}°, and locked"
        return f"bolt {bolt} is tightened to {step.force:.5g} {unit_text('force', units)}, and locked"
    acting = [text for load in getattr(step, "own_loads", ()) if (text := _load(load, units))]
    acting += [f"the body's load {each.load}" for each in getattr(step, "own_body_loads", ())]
    acting += [f"a displacement of {each.interface}" for each in getattr(step, "own_displacements", ())]
    if cycles := getattr(step, "cycles", 0):
        low, high = f"{step.lowest:g}".replace("-", "−"), f"{step.highest:g}".replace("-", "−")
        steady = f", or until the loop is steady within {100.0 * step.steady:g} %" if step.steady else ""
        return f"{listed(acting)}, {cycles} cycles between {low} and {high} times that{steady}"
    return listed(acting) if acting else "loads are taken off"


def _load(load: Any, units: UnitSystemName) -> str:
    parts = []
    for kind in ("force", "moment"):
        vector = np.array(getattr(load, kind, (0.0, 0.0, 0.0)), float)
        if vector.any():
            parts.append(f"{np.linalg.norm(vector):.5g} {unit_text(kind, units)} {_along(vector)}")
    place = getattr(load, "interface", "") or getattr(load, "marker", "")
    return f"{listed(parts)} at {place}" if parts else ""


def _along(vector: np.ndarray) -> str:
    axes = np.flatnonzero(vector)
    if len(axes) == 1:
        return f"along {'−' if vector[axes[0]] < 0 else '+'}{'xyz'[axes[0]]}"
    return f"along ({', '.join(f'{part:.4g}' for part in vector)})"


def law_text(spec: Spec | None, units: UnitSystemName) -> str:
    """Return a law with its numbers: "Coulomb friction (friction coefficient 0.2)"."""
    if spec is None:
        return "none"
    words = [f"{s.title.lower()} {s.text}" for s in settings_of(spec, units) if s.text != "no"]
    title = str(getattr(spec, "title", "") or type(spec).__name__)
    return f"{title} ({', '.join(words)})" if words else title


@dataclass(frozen=True)
class ToldDecision:
    """A decision in readable form: its title, its value with unit, and its meaning."""

    title: str
    text: str
    meaning: str


def settings_of(spec: Spec, units: UnitSystemName) -> list[ToldDecision]:
    """Return each decision that was made; empty ones are left out."""
    found = []
    for name, field, extra in fields_of(type(spec)):
        value = getattr(spec, name)
        if name in ("name", "kind") or value in ("", (), None, {}):
            continue
        title = field.title or name.replace("_", " ").capitalize()
        text = _with_unit(value, unit_text(str(extra.get("quantity", "")), units), units)
        found.append(ToldDecision(title, text, str(field.description or "")))
    return found


def _with_unit(value: object, unit: str, units: UnitSystemName) -> str:
    """Return a decision with its unit; a vector by magnitude and direction."""
    if isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, float) for part in value):
        size = float(np.linalg.norm(value))
        return f"{size:.6g} {unit} {_along(np.array(value))}".replace("  ", " ") if size else "none"
    return f"{plain(value, units)} {unit}".strip()


def plain(value: object, units: UnitSystemName) -> str:
    """Return a decision in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Spec):
        if isinstance(value, Step):
            return _step(value, units)
        if isinstance(getattr(value, "force", None), tuple) and (acting := _load(value, units)):
            time_history = getattr(value, "time_history", None)
            steady = time_history is None or getattr(time_history, "kind", "constant") == "constant"
            return acting if steady else f"{acting}, over time: {law_text(time_history, units)}"
        named = getattr(value, "name", "") or str(getattr(value, "title", "") or getattr(value, "kind", ""))
        inner = ", ".join(f"{s.title.lower()} {s.text}" for s in settings_of(value, units))
        return f"{named} ({inner})" if named and inner else named or inner
    if isinstance(value, dict):
        return ", ".join(f"{k} {plain(v, units)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, Step) for part in value):
            return "; ".join(plain(part, units) for part in value)
        if value and all(isinstance(part, int | float) and not isinstance(part, bool) for part in value):
            return ", ".join("the last" if part == -1 else plain(part, units) for part in value)
        return ", ".join(plain(part, units) for part in value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value).replace("_", " ")


def basis_sentences(body: BodySpec, basis: Any, n_pairs: int) -> str:
    """Return method and basis of a body in two sentences.

    Args:
        body: the decisions.
        basis: the reduction basis; None before it is computed.
        n_pairs: number of its contact pairs.
    """
    method = str(getattr(body.reduction, "title", "") or body.reduction.kind).split(":")[0]
    if basis is None:
        return f"The body is to be reduced by the method {method}. No basis has been computed yet."
    groups: Sequence[tuple[str, int]] = [(group.name, group.stop - group.start) for group in basis.groups]
    shown = [f"{count} {name if count != 1 else name.removesuffix('s')}" for name, count in groups if count]
    total = sum(count for _, count in groups)
    first = f"The FE model is reduced to {total} coordinates ({method}): {listed(shown)}."
    if not n_pairs:
        return f"{first} Loads and motions between interface nodes pass through these shapes alone."
    return (
        f"{first} Contact and friction are evaluated at {n_pairs} contact pairs of the FE mesh, whose gaps and slips "
        "follow from these coordinates; the joint modes let the faces of the joints yield."
    )
