"""Key results of a run: displacements, pressures, stresses, shares that stick and slip, reactions, dissipated work."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from faying.errors import Cancelled, FayingError
from faying.joints.pairs import ContactPairs
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import AXES, ENERGIES, CurveKey, curve_text, owner_text
from faying.results.fields import Field, FieldContext
from faying.results.formula import find_field
from faying.results.results import Results
from faying.results.verdicts import Verdict, estimate_verdict, percent
from faying.units import UnitSystemName, shown_unit

_MOST_FRAMES = 60  # of a long run, in which extremes of fields are looked for
_NOISE = 1e-9  # of the largest of its kind: below that a number is round-off


@dataclass(frozen=True)
class KeyResult:
    """One number of a run.

    Attributes:
        title: for example "Largest pressure in cap joint".
        value: in the project's units.
        quantity: its dimension (`faying.units.QUANTITIES`); "" for a share, "ratio" for a number that is none.
        where: node or part; "" if the title names it.
        when: time, load or case; "" at the end of the run.
        verdict, why: whether it can be trusted, and the measure for that.
        joint, measure: for a number of a joint its name and the kind of number, for tables with a row for each joint.
        is_extreme: whether it is the largest or smallest of the run, not its end.
        sampled: number of frames in which an extreme was searched; "" for all.
    """

    title: str
    value: float
    quantity: str
    where: str = ""
    when: str = ""
    verdict: Verdict = ""
    why: str = ""
    joint: str = ""
    measure: str = ""
    is_extreme: bool = False
    sampled: str = ""

    def text(self, units: UnitSystemName) -> str:
        """Return the value with its unit; a share in per cent."""
        if self.quantity == "ratio":
            return number_text(self.value)
        if not self.quantity:
            return percent(self.value) if self.value else "0 %"
        unit, factor = shown_unit(self.quantity, units, {})
        return f"{number_text(factor * self.value)} {unit}".strip()


def key_results(
    results: Results,
    context: FieldContext | None,
    pairs: Mapping[str, ContactPairs],
    units: UnitSystemName,
    progress: Progress,
    *,
    at_end: bool = False,
    parts: Mapping[str, tuple[FieldContext, Mapping[str, ContactPairs]]] | None = None,
) -> tuple[KeyResult, ...]:
    """Return the key results of a run.

    Args:
        results: of the run.
        context: frames of its body; None for a system of parts.
        pairs: contact pairs of its joints.
        units: of its numbers.
        progress: reports and cancels the search for extremes of fields.
        at_end: whether only the last frame counts, as for a comparison of runs with other frames.
        parts: of a system: frames of each flexible part, and contact pairs of its joints.
    """
    if not results.n_frames:
        return ()
    found = [*_displacements(results, units, at_end), *_shares(results, units, at_end)]
    if context is not None and results.axis.has_size:
        found += _extremes(results, context, pairs, units, progress, at_end)
    for i, (part, (own, joints)) in enumerate((parts or {}).items()):
        share = PartialProgress(progress, i / len(parts or {}), (i + 1) / len(parts or {}), part)
        each = _extremes(results, own, joints, units, share, at_end)
        found += [_of_part(part, number) for number in each]
    found += [*([] if at_end else _forces(results, units)), *_works(results)]
    estimate = results.report.get("error_estimate", {})
    if context is not None and not context.is_reduced:  # the curves alone are of the reduced body
        estimate = {name: share for name, share in estimate.items() if name == "motion"}
    return tuple(_judged(each, estimate) for each in found)


def agreeing_with(number: KeyResult, run: Verdict) -> KeyResult:
    """Return a key result whose verdict is no better than that on its run: none can be good in a doubtful run."""
    if run != "doubtful" or number.verdict in ("", "doubtful"):
        return number
    return replace(number, verdict="doubtful", why="as the whole run is")


def _of_part(part: str, number: KeyResult) -> KeyResult:
    """Return a key result of the body of a part as one of the part, named as its curves are: "rod: lap"."""
    if number.joint:
        joint = f"{part}: {number.joint}"
        return replace(number, title=f"Largest pressure in {joint}", joint=joint)
    return replace(number, title=f"{number.title} in {part}")


def number_text(value: float) -> str:
    """Return a number with four digits, without powers of ten where people do not expect them: "23 000", "−0.0522"."""
    if value and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.3e}".replace("-", "−")
    if abs(value) >= 1e4:
        return f"{value:,.0f}".replace(",", "\u202f").replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def _displacements(results: Results, units: UnitSystemName, at_end: bool) -> Iterator[KeyResult]:
    """Yield the largest displacement component of each interface node, without nodes of negligible motion."""
    if results.part_names:
        return
    found: dict[CurveKey, dict[CurveKey, np.ndarray]] = {}
    for key in results.curve_keys:
        if (
            key.quantity == "displacement"
            and key.owner
            and key.component in AXES
            and not (key.full or key.is_phase)
        ):
            found.setdefault(replace(key, component=""), {})[key] = results.curve(key)
    sizes = {owner: max(map(_size, curves.values())) for owner, curves in found.items()}
    most = max(sizes.values(), default=0.0)
    loads = [load for load in results.settings.get("loads", ()) if isinstance(load, dict)]
    loaded = {load.get("interface", "") for load in loads}
    # Loaded nodes come first, then the nodes of largest displacement.
    for owner in sorted(sizes, key=lambda owner: (owner.owner not in loaded, -sizes[owner])):
        if sizes[owner] <= 1e-3 * most:
            continue
        whose = f"{owner.load}: " if owner.load else ""
        for key, values in found[owner].items():
            size, force = _size(values), replace(key, quantity="applied force")
            driven = force in results.curve_texts and _size(results.curve(force)) > 0.0
            # The largest component, and that along a force, which is usually measured.
            if size == sizes[owner] or (driven and size > 1e-3 * sizes[owner]):
                frame = results.n_frames - 1 if at_end else int(np.nanargmax(np.abs(values)))
                yield KeyResult(
                    f"Displacement of {whose}{owner.owner} along {key.component}", float(values[frame]), "length",
                    when=results.axis.moment(results, frame, units), is_extreme=not at_end,
                )  # fmt: skip


def _size(values: np.ndarray) -> float:
    return float(np.nanmax(np.abs(values), initial=0.0))


def _extremes(
    results: Results, context: FieldContext, pairs: Mapping[str, ContactPairs], units: UnitSystemName,
    progress: Progress,
    at_end: bool,
) -> Iterator[KeyResult]:  # fmt: skip
    """Yield the largest pressure in each joint and the largest stress, each with its place and time."""
    frames = np.unique(
        np.linspace(0, results.n_frames - 1, min(results.n_frames, _MOST_FRAMES)).round().astype(int)
    ).tolist()
    frames = frames[-1:] if at_end else frames
    sampled = (
        f"were looked for in {len(frames)} of {results.n_frames} frames"
        if 1 < len(frames) < results.n_frames
        else ""
    )
    wanted: list[tuple[Field, str]] = [(find_field("pressure"), joint) for joint in pairs]
    wanted.append((find_field("von_mises"), ""))
    safety = find_field("yield_safety") if not at_end and context.strengths else None
    count = len(wanted) + (safety is not None)
    for i, (field, joint) in enumerate(wanted):
        part = PartialProgress(progress, i / count, (i + 1) / count, field.title)
        try:
            value, row, frame = extreme(field, context, joint, frames, part)
        except Cancelled:
            raise
        except FayingError:  # a field that these results do not have
            continue
        if not np.isfinite(value) or value == 0.0:
            continue
        node = _node(context, pairs[joint], row) if joint else _node_name(context, row)
        title = f"Largest {field.title.lower()}" if not joint else f"Largest pressure in {joint}"
        title = title.replace("von mises", "von Mises")
        yield KeyResult(
            title, value, field.quantity, node, results.axis.moment(results, frame, units), joint=joint,
            measure="Largest pressure" if joint else "", is_extreme=not at_end, sampled=sampled,
        )  # fmt: skip
    if safety is not None and context.refusal(safety) is None:
        part = PartialProgress(progress, 1.0 - 1.0 / count, 1.0, safety.title)
        value, row, frame = extreme(safety, context, "", frames, part, smallest=True)
        if np.isfinite(value):
            why = (
                "above 1"
                if value >= 1.0
                else "below 1 the material yields, which the linear model does not know"
            )
            yield KeyResult(
                "Least safety against yielding", value, "ratio", _node_name(context, row),
                results.axis.moment(results, frame, units), "good" if value >= 1.0 else "doubtful", why,
                is_extreme=True, sampled=sampled,
            )  # fmt: skip


def extreme(
    field: Field,
    context: FieldContext,
    joint: str,
    frames: Sequence[int],
    progress: Progress,
    *,
    smallest: bool = False,
) -> tuple[float, int, int]:
    """Return value, row and frame of a field's largest or smallest value in some frames; infinite where it has none."""
    sign = -1.0 if smallest else 1.0
    best = (-np.inf, 0, 0)
    if (error := context.refusal(field, joint)) is not None:
        raise error
    for i, frame in enumerate(frames):
        progress.report(i / len(frames))
        values = sign * field.shown(context, joint, frame)
        if np.isfinite(values).any():
            row = int(np.nanargmax(values))
            if values[row] > best[0]:
                best = float(values[row]), row, frame
    return sign * best[0], *best[1:]


def _node(context: FieldContext, pairs: ContactPairs, row: int) -> str:
    if pairs.slave_nodes is not None:
        return _node_name(context, int(pairs.slave_nodes[row]))
    if context.model is None:
        return ""
    x, y, z = pairs.on_slave(context.model.nodes)[row]
    return f"({x:.4g}, {y:.4g}, {z:.4g})"


def _node_name(context: FieldContext, row: int) -> str:
    return f"node {context.model.node_ids[row]}" if context.model is not None else f"node {row + 1}"


def _shares(results: Results, units: UnitSystemName, at_end: bool) -> Iterator[KeyResult]:
    """Yield for each joint its normal force and the shares that are closed, stick and slip at the end."""
    known = results.curve_texts
    for key in results.curve_keys:
        if key.quantity != "closed share":
            continue
        joint = owner_text(key)
        force, slips = replace(key, quantity="normal force"), replace(key, quantity="slipping share")
        if force in known:
            yield KeyResult(
                f"Normal force in {joint}",
                float(results.curve(force)[-1]),
                "force",
                joint=joint,
                measure="Normal force",
            )
        closed = results.curve(key)
        if (least := _frame_of_largest(-closed)) is None:
            continue
        yield KeyResult(
            f"Share of {joint} that is closed", float(closed[-1]), "", joint=joint, measure="Closed"
        )
        if closed[least] < closed[-1] - 1e-6 and not at_end:
            when = results.axis.moment(results, least, units)
            yield KeyResult(
                f"Least share of {joint} that is closed", float(closed[least]), "", when=when, joint=joint,
                measure="Least closed", is_extreme=True,
            )  # fmt: skip
        if slips in known and _has_friction(results, joint):
            slipping = results.curve(slips)
            sticks = float(closed[-1] - slipping[-1])
            yield KeyResult(f"Share of {joint} that sticks", sticks, "", joint=joint, measure="Sticks")
            most = results.n_frames - 1 if at_end else _frame_of_largest(slipping)
            if most is None:
                continue
            when = results.axis.moment(results, most, units)
            yield KeyResult(
                f"Most of {joint} that slips", float(slipping[most]), "", when=when, joint=joint,
                measure="Most slips", is_extreme=not at_end,
            )  # fmt: skip


def _has_friction(results: Results, joint: str) -> bool:
    if not results.part_names and results.history(joint, results.n_frames - 1) is None:
        return False
    return results.settings.get("friction") is not False and not str(
        results.report.get("friction", "")
    ).startswith("switched off")


def _frame_of_largest(values: np.ndarray) -> int | None:
    """Return the frame of the largest value; None where none is a number."""
    return None if np.isnan(values).all() else int(np.nanargmax(values))


def _forces(results: Results, units: UnitSystemName) -> Iterator[KeyResult]:
    """Yield the largest reactions, forces of tied joints and loads at nodes, as lengths of the force vectors."""
    owners: dict[CurveKey, list[np.ndarray]] = {}
    for key in results.curve_keys:
        if key.quantity in _FORCES:
            owners.setdefault(replace(key, component=""), []).append(results.curve(key))
    found = []
    for owner in sorted(owners, key=curve_text):
        sizes = np.linalg.norm(owners[owner], axis=0)
        if (frame := _frame_of_largest(sizes)) is not None:
            when = results.axis.moment(results, frame, units)
            title = f"{_FORCES[owner.quantity]} {owner_text(owner)}"
            if owner.kind in ("constraint", "contact"):
                title = f"Largest reaction at {owner_text(owner)}"
            found.append(KeyResult(title, float(sizes[frame]), "force", when=when, is_extreme=True))
    most = max((each.value for each in found), default=0.0)
    yield from (each for each in found if each.value > _NOISE * most)


_FORCES = {
    "force": "Largest force in",
    "tied force": "Largest force in",
    "applied force": "Largest load at",
    "reaction force": "Largest reaction at",
    "support force": "Largest reaction of support",
}
"""Names of force vectors by the quantity of their curves."""


def _works(results: Results) -> Iterator[KeyResult]:
    for name, title in (
        ("friction work", "Work dissipated by friction"),
        ("damping work", "Work dissipated by damping"),
    ):
        key = CurveKey(name)
        if key in results.curve_texts:
            value = float(results.curve(key)[-1])
            energies = [k for k in results.curve_keys if k.quantity in ENERGIES]
            most = max((_size(results.curve(each)) for each in energies), default=0.0)
            if abs(value) > _NOISE * most:
                yield KeyResult(title, value, "energy")


def _judged(found: KeyResult, estimate: Mapping[str, float]) -> KeyResult:
    """Return a key result with the verdict that follows from the run's error estimate."""
    kinds = {"Displacement": "motion", "Normal force": "force", "Largest pressure": "pressure"}
    kind = next((measure for start, measure in kinds.items() if found.title.startswith(start)), "")
    if kind not in estimate:
        return found
    share = estimate[kind]
    return replace(found, verdict=estimate_verdict(share), why=f"estimated {percent(share)} off the FE model")
