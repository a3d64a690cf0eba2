"""Bolts of a run in engineering terms: preload, share of the working load, residual clamp load, reserves.

By the equilibrium of the parts that a bolt clamps, F_S = F_A + F_K: its force carries the working load and the clamp
load in the joint. So with the changes from the mounted state the load factor is Φ = ΔF_S / (ΔF_S − ΔF_K) (VDI
2230-1:2015, section 5.3), wherever the loads act. A bolt's clamped area consists of the contact pairs across its axis
that are closer to it than to any other bolt and carry pressure in the mounted state; joints of its own head and nut
do not count.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from faying.csv_cells import text_cell
from faying.fem.added_bolts import BoltSpec
from faying.fem.bolt_sections import BoltPlace, find_bolts
from faying.fem.bolt_strengths import safety
from faying.fem.connectivity import connected_parts
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.joints.pointwise import ContactStatus
from faying.results.curve_key import CurveKey
from faying.results.field import FieldContext
from faying.results.joint_points import joint_points
from faying.results.results import PartResults, Results
from faying.units import unit_text

_ACROSS = 0.7  # cosine of the angle between a pair's normal and the axis, from which it is clamped
_MOST_FRAMES = 400
_NO_LOAD = 1e-6  # share of the available friction, below which none counts as used
_LEAST_WORKING = 0.01  # of the preload, below which bolts only shift load between each other
_LOADING = ("loads", "body_loads", "displacements")  # decisions of a step that brings them


@dataclass(frozen=True)
class BoltRow:
    """Results of a bolt in a run; NaN for unknown values, infinite for a safety that nothing reduces.

    Attributes:
        name: of the bolt or beam.
        preload: axial force of the mounted body, before the loads.
        smallest, largest: axial force from then on.
        bending, shear: largest bending moment and shear force.
        working_load: largest axial working load on the bolt, F_A.
        load_factor: share of it that the bolt takes, Φ.
        clamp_load: force in the joint of the mounted body.
        residual_clamp: the smallest from then on.
        gaping, slipping: largest share of the clamped area that gapes or slips.
        slip_reserve: smallest ratio of available to used friction.
        separation_reserve: residual clamp load over that of the mounted body.
        size, strength_class: as given in the project.
        stress, proof, yielding, fatigue: see `faying.fem.bolt_strengths.BoltSafety`.
    """

    name: str
    preload: float
    smallest: float
    largest: float
    bending: float
    shear: float
    working_load: float = math.nan
    load_factor: float = math.nan
    clamp_load: float = math.nan
    residual_clamp: float = math.nan
    gaping: float = math.nan
    slipping: float = math.nan
    slip_reserve: float = math.nan
    separation_reserve: float = math.nan
    size: str = ""
    strength_class: str = ""
    stress: float = math.nan
    proof: float = math.nan
    yielding: float = math.nan
    fatigue: float = math.nan


@dataclass(frozen=True)
class Head:
    """Title, quantity and meaning of a column; shares are shown in percent."""

    title: str
    quantity: str
    meaning: str
    is_share: bool = False


HEADS: dict[str, Head] = {
    "name": Head("Bolt", "", "The bolt, or a beam that joins parts as a bolt does."),
    "preload": Head("Preload", "force", "Axial force of the mounted body, before the loads."),
    "smallest": Head("Smallest force", "force", "Smallest axial force from then on."),
    "largest": Head("Largest force", "force", "Largest axial force from then on."),
    "bending": Head("Bending moment", "moment", "Largest bending moment in the section."),
    "shear": Head("Shear force", "force", "Largest shear force in the section."),
    "working_load": Head(
        "Working load",
        "force",
        "What the loads pull at the bolt at most: change of its force less that of the clamp load.",
    ),
    "load_factor": Head("Load factor", "", "Share of the working load that the bolt takes.", True),
    "clamp_load": Head("Clamp load", "force", "Force in the joint around the mounted bolt."),
    "residual_clamp": Head("Residual clamp load", "force", "The smallest of it under the loads."),
    "gaping": Head("Gaping", "", "Largest share of the clamped area that gapes.", True),
    "slipping": Head("Slipping", "", "Largest share of the clamped area that slips.", True),
    "slip_reserve": Head(
        "Reserve against slip", "", "Friction that is available over what is used, at worst; 1 slips."
    ),
    "separation_reserve": Head(
        "Clamp load left", "", "Residual clamp load over that of the mounted body.", True
    ),
    "size": Head("Size", "", "Of the thread, as decided."),
    "strength_class": Head("Class", "", "Property class, as decided."),
    "stress": Head("Largest stress", "stress", "Axial force over the stress area, and bending."),
    "proof": Head("Safety, proof load", "", "Proof load of the class over the largest force (ISO 898-1)."),
    "yielding": Head(
        "Safety, yielding", "", "Yield strength of the class over the largest stress, without torsion."
    ),
    "fatigue": Head(
        "Safety, fatigue",
        "",
        "Endured amplitude over that of the axial force (VDI 2230; threads rolled before treatment).",
    ),
}
"""Of each column of a row."""


def bolt_table(
    results: Results | PartResults,
    context: FieldContext,
    specs: Sequence[BoltSpec] = (),
    units: str = "mm-t-s",
    prefix: str = "",
) -> tuple[BoltRow, ...]:
    """Return a row for each bolt and bolt-like beam of a body's run; none where it has no such curves.

    There is none for independent load cases, either: changes of a bolt's forces count from one mounted state.

    Of long runs about four hundred frames are evaluated, including those of the largest and smallest forces.

    Args:
        results: of the run, or of a part of a system in motion.
        context: the same frames, with pairs and model.
        specs: the body's bolts, for their size and strength class.
        units: of all numbers.
        prefix: put before the names.

    Raises:
        ModelError: for a size or class that is not known.
    """
    model, known = context.model, set(results.curve_keys)
    if model is None or not results.n_frames or results.axis.several_cases:
        return ()
    places = [place for place in find_bolts(model) if bolt_key("axial force", place.name) in known]
    first = mounted_frame(results)
    forces = {place.name: results.curve(bolt_key("axial force", place.name))[first:] for place in places}
    clamped = _clamped_pairs(places, context.pairs, model)
    chosen = _frames(list(forces.values()))
    seen = _Clamped(context, clamped, [first + i for i in chosen]) if is_mounted(results) else None
    decided = {spec.name: spec for spec in specs}
    rows = (
        _row(place.name, results, first, forces[place.name], chosen, seen, decided.get(place.name), units)
        for place in places
    )
    return tuple(replace(row, name=prefix + row.name) for row in rows)


def bolt_key(quantity: str, name: str) -> CurveKey:
    """Return the key of a curve of a bolt: "axial force", "bending moment", "shear force", "overlap"."""
    return CurveKey(quantity, kind="bolt", owner=name)


def is_mounted(results: Results | PartResults) -> bool:
    """Return whether a run has a frame of the mounted body, before the loads."""
    return results.axis.kind != "load" or float(results.values[0]) == 0.0


def mounted_frame(results: Results | PartResults) -> int:
    """Return the last frame before loads act: in a row of steps that before the first step that brings any, else 0."""
    if results.axis.kind != "step" or isinstance(results, PartResults):
        return 0
    steps = enumerate(results.settings.get("steps", ()), start=1)
    loading = next((number for number, step in steps if any(step.get(what) for what in _LOADING)), math.inf)
    return max(int(np.count_nonzero(results.curve(CurveKey("step")) < loading)) - 1, 0)


def columns_of(rows: Sequence[BoltRow]) -> tuple[str, ...]:
    """Return the names of the columns in which any row has a value."""
    return tuple(
        f.name for f in fields(BoltRow)
        if any(value if isinstance(value := getattr(row, f.name), str) else not math.isnan(value) for row in rows)
    )  # fmt: skip


def head_text(name: str, units: str, *, percent: bool = True) -> str:
    """Return the title of a column with its unit: "Preload [N]"."""
    head = HEADS[name]
    unit = "%" if head.is_share and percent else unit_text(head.quantity, units)
    return f"{head.title} [{unit}]" if unit else head.title


def texts_of(rows: Sequence[BoltRow], units: str) -> tuple[list[str], list[list[str]]]:
    """Return heads with units, and cells for people; shares and load factors as percentages."""
    names = columns_of(rows)

    def cell(row: BoltRow, name: str) -> str:
        value = getattr(row, name)
        if isinstance(value, str):
            return value
        if math.isnan(value):
            return ""
        return (
            "∞" if math.isinf(value) else f"{100.0 * value:.4g}" if HEADS[name].is_share else f"{value:.5g}"
        )

    return [head_text(name, units) for name in names], [[cell(row, name) for name in names] for row in rows]


def csv_text(rows: Sequence[BoltRow], units: str) -> str:
    """Return the table for a spreadsheet; numbers in full, shares as fractions."""
    names = columns_of(rows)

    def cell(value: object) -> str:
        if isinstance(value, float):
            return "" if math.isnan(value) else repr(float(value))
        text = text_cell(str(value)).replace('"', '""')
        return f'"{text}"' if any(sign in text for sign in ',"\n') else text

    lines = [",".join(cell(head_text(name, units, percent=False)) for name in names)]
    lines += [",".join(cell(getattr(row, name)) for name in names) for row in rows]
    return "\n".join(lines) + "\n"


def _frames(forces: list[np.ndarray]) -> list[int]:
    count = len(forces[0]) if forces else 0
    even = np.unique(np.linspace(0, max(count - 1, 0), min(count, _MOST_FRAMES)).astype(int))
    extremes = [i for force in forces for i in (int(np.argmax(force)), int(np.argmin(force)))]
    return sorted({*map(int, even), *extremes})


def _row(
    name: str,
    results: Results | PartResults,
    first: int,
    force: np.ndarray,
    chosen: list[int],
    seen: "_Clamped | None",
    spec: BoltSpec | None,
    units: str,
) -> BoltRow:
    bending = float(results.curve(bolt_key("bending moment", name))[first:].max())
    words: dict[str, float | str] = {
        "bending": bending,
        "shear": float(results.curve(bolt_key("shear force", name))[first:].max()),
    }
    if seen is not None and (of_joint := seen.weakest(name)):
        clamp = seen.clamp[name, of_joint]
        changed = force[chosen] - force[0]
        working = changed - (clamp - clamp[0])
        most = int(np.argmax(np.abs(working)))
        if abs(working[most]) > _LEAST_WORKING * max(abs(force[0]), abs(clamp[0])):
            words |= {
                "working_load": float(working[most]),
                "load_factor": float(changed[most] / working[most]),
            }
        words |= {
            "clamp_load": float(clamp[0]),
            "residual_clamp": float(clamp.min()),
            "gaping": float(seen.gaping[name, of_joint].max()),
            "slipping": float(seen.slipping[name, of_joint].max()),
            "separation_reserve": float(clamp.min() / clamp[0]) if clamp[0] else math.nan,
            "slip_reserve": seen.slip_reserve(name),
        }
    if spec is not None and spec.size:
        found = safety(
            spec.size, spec.strength_class, (float(force.min()), float(force.max())), bending, units
        )
        words |= {"size": spec.size, "strength_class": spec.strength_class, **vars(found)}
    preload, low, high = float(force[0]), float(force.min()), float(force.max())
    return BoltRow(name, preload, low, high, **words)  # type: ignore[arg-type]


class _Clamped:
    """Clamp load, gaping, slipping and friction in the clamped area of each bolt, by frame.

    Attributes:
        clamp: (n,) force along the axis by bolt and joint.
        gaping, slipping: (n,) shares of the area that the mounted state clamps.
        reserve: (n,) available friction over used; infinite where none is used, not a number without a law.
    """

    def __init__(
        self,
        context: FieldContext,
        areas: Mapping[tuple[str, str], tuple[np.ndarray, np.ndarray]],
        frames: list[int],
    ) -> None:
        self.clamp: dict[tuple[str, str], np.ndarray] = {key: np.zeros(len(frames)) for key in areas}
        self.gaping, self.slipping, self.reserve = (
            {key: np.full(len(frames), value) for key in areas} for value in (0.0, 0.0, math.nan)
        )
        held: dict[tuple[str, str], np.ndarray] = {}
        for i, frame in enumerate(frames):
            for joint in {joint for _, joint in areas}:
                points, pairs = joint_points(context, joint, frame), context.pairs[joint]
                law = context.friction_laws.get(joint)
                for key in [key for key in areas if key[1] == joint]:
                    own, axis = areas[key]
                    weights, pressure = pairs.weights[own], points.pressure[own]
                    along = np.abs(pairs.normals[own] @ axis)
                    self.clamp[key][i] = float((weights * along) @ pressure)
                    mounted = held.setdefault(key, pressure > 0.0)
                    area = float(weights[mounted].sum()) or 1.0
                    status = points.status[own]
                    self.gaping[key][i] = weights[mounted & (status == ContactStatus.GAPING)].sum() / area
                    if law is None or points.closed.stress is None:
                        continue
                    slides = mounted & (status == ContactStatus.SLIPPING)
                    self.slipping[key][i] = weights[slides].sum() / area
                    stress = points.stress[own]
                    used = weights @ (
                        stress[:, :1] * pairs.tangents_1[own] + stress[:, 1:] * pairs.tangents_2[own]
                    )
                    available = float(weights @ law.sticking_limit(pressure)[0])
                    size = float(np.linalg.norm(used))
                    small = size <= _NO_LOAD * available
                    self.reserve[key][i] = math.inf if small and available else available / (size or 1.0)

    def weakest(self, bolt: str) -> str:
        """Return the joint in which the clamp load of a bolt becomes the smallest; "" for none."""
        own = {key: self.clamp[key].min() for key in self._of_bolt(bolt)}
        return min(own, key=lambda key: float(own[key]))[1] if own else ""

    def slip_reserve(self, bolt: str) -> float:
        """Return the smallest reserve of the joints that a bolt clamps; not a number where none has friction."""
        reserves = [self.reserve[key] for key in self._of_bolt(bolt)]
        return float(min((each.min() for each in reserves if not np.isnan(each).any()), default=math.nan))

    def _of_bolt(self, bolt: str) -> list[tuple[str, str]]:
        """Return bolt and joint for each joint that the mounted bolt clamps."""
        return [key for key, clamp in self.clamp.items() if key[0] == bolt and clamp[0] > 0.0]


def _clamped_pairs(
    places: Sequence[BoltPlace], joints: Mapping[str, ContactPairs], model: FeModel
) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """Return (pairs, axis) by bolt and joint: across the axis, within the bolt's length, nearest to it of all bolts."""
    labels, _ = connected_parts(model, couplings=False)
    found: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
    own_parts, ranges, of_head = [], [], dict(found)
    for place in places:
        nodes = _own_nodes(model, place)
        parts = np.unique(labels[nodes])
        own_parts.append(set(parts.tolist()))
        along = (model.nodes[np.isin(labels, parts)] - place.middle) @ place.axis
        ranges.append((float(along.min()), float(along.max())))
    for joint, pairs in joints.items():
        if not len(pairs):
            continue
        away = np.array([_distances(pairs.points, place) for place in places])
        nearest = away.argmin(axis=0) if len(places) else np.zeros(len(pairs), int)
        touched = set(
            np.unique(
                labels[np.concatenate([pairs.master_nodes.ravel(), pairs.slave_shares[0].ravel()])]
            ).tolist()
        )
        for i, place in enumerate(places):
            low, high = ranges[i]
            along = (pairs.points - place.middle) @ place.axis
            inside = (along > low - 1e-6 * (high - low)) & (along < high + 1e-6 * (high - low))
            own = np.flatnonzero((nearest == i) & inside & (np.abs(pairs.normals @ place.axis) > _ACROSS))
            if len(own):
                (of_head if touched & own_parts[i] else found)[place.name, joint] = own, place.axis
    # A bolt that is of one piece with a plate has no joints but those of its own part.
    bolts = {name for name, _ in found}
    return found | {key: value for key, value in of_head.items() if key[0] not in bolts}


def _own_nodes(model: FeModel, place: BoltPlace) -> np.ndarray:
    """Return node rows that certainly belong to the bolt, on both sides of its cut."""
    rows = [section.nodes for section in place.sections]
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        own = place.elements[(place.elements >= start) & (place.elements < start + len(block.ids))] - start
        rows.append(block.connectivity[own].ravel())
    if place.cut is not None:
        rows += [e.nodes for e in model.equations if e.name == f"bolt {place.name}"]
    found = np.unique(np.concatenate(rows))
    # Where a beam hangs on a part, the node belongs to both.
    return np.setdiff1d(found, [] if place.cut is None else list(place.cut.centres))


def _distances(points: np.ndarray, place: BoltPlace) -> np.ndarray:
    arms = points - place.middle
    return np.asarray(np.linalg.norm(arms - (arms @ place.axis)[:, None] * place.axis, axis=1))
