"""Tables that follow from the curves and the report of a run.

They are of modes, critical speeds, backbones, identified parameters, effects, reactions, steps, touches, events and
flanks.

A row of reactions is of a support or node at the end of a step, in a load case, at the full load, or over time where
its force is largest.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from faying.csv_cells import text_cell
from faying.results.curve_key import AXES, CurveKey
from faying.results.main_effects import main_effects
from faying.results.names import path_of
from faying.results.results import Results
from faying.units import UnitSystemName, plain_number, unit_text

_NOISE = 1e-12  # of the largest of its quantity in a table: less is round-off
_OWNERS = {"support": "surface", "reaction": "interface node"}
"""Kind of owner of forces that hold a body, by the first word of their quantity."""


@dataclass(frozen=True)
class RunColumn:
    """A column of a table.

    Attributes:
        title: its head.
        quantity: of its numbers; "" for texts, shares and counts.
        meaning: of its cells.
        values: texts, or numbers that are NaN where there is no value.
        shows: of the first column: the frame and the shape in it that each row is about; () where they are of none.
    """

    title: str
    quantity: str
    meaning: str
    values: Sequence[float | str]
    shows: tuple[tuple[int, int], ...] = ()

    def head(self, units: UnitSystemName) -> str:
        """Return the title with the unit: "Force x [N]"."""
        unit = unit_text(self.quantity, units) if self.quantity else ""
        return f"{self.title} [{unit}]" if unit else self.title


Table = tuple[RunColumn, ...]


def reaction_table(results: Results) -> Table:
    """Return forces and moments of all supports and of nodes that are held or moved; () without any."""
    owners: dict[tuple[str, str], None] = {}
    for key in results.curve_keys:
        for what in _OWNERS:
            if key.quantity in (f"{what} force", f"{what} moment"):
                owners[key.owner, what] = None
    rows: list[tuple[str, str, str]] = []
    each: list[np.ndarray] = []
    for owner, what in owners:
        values = _values(results, owner, what)
        for frame, when in _frames(results, values[:3]):
            rows.append((owner, _OWNERS[what], when))
            each.append(values[:, frame])
    if not rows:
        return ()
    wrenches, (names, places, moments) = np.array(each), map(list, zip(*rows, strict=True))
    columns = [
        RunColumn("Support", "", "The support, or the interface node.", names),
        RunColumn("Acts on", "", "Where it acts.", places),
        RunColumn("When", "", "The step, case, load or time.", moments),
    ]
    for i, (what, about) in enumerate((("Force", ""), ("Moment", " about the node or the surface's mean"))):
        own, quantity = wrenches[:, 3 * i : 3 * i + 3], what.lower()
        for k, axis in enumerate(AXES):
            meaning = f"{what} on the body along {axis}{about}."
            columns.append(RunColumn(f"{what} {axis}", quantity, meaning, own[:, k].tolist()))
        known = np.isfinite(own).any(axis=1)
        sizes = np.where(known, np.linalg.norm(np.nan_to_num(own), axis=1), math.nan)
        columns.append(RunColumn(what, quantity, f"Size of the {quantity}.", sizes.tolist()))
    return tuple(columns)


def step_table(results: Results) -> Table:
    """Return the results of each step of a step sequence, by cycles if they repeat; () for other runs."""
    reported = results.report.get("steps")
    if results.axis.kind != "step" or not isinstance(reported, list):
        return ()
    rows: list[tuple[float, str, float, float, dict[str, list[float]]]] = []
    for step in reported:
        areas, left = step.get("loop_areas", ()), step.get("residual_slips", ())
        for i, area in enumerate(areas):
            slid = left[i] if i < len(left) else {}
            rows.append((step["step"], step["what"], i + 1.0, area, slid))
        if not areas:
            rows.append((step["step"], step["what"], math.nan, math.nan, step.get("slip", {})))
    slid = "since the body was mounted, after unloading the residual one; of a cycle what it left"
    joints = list(dict.fromkeys(joint for *_, found in rows for joint in found))
    columns = [
        RunColumn("Step", "", "Its number.", [row[0] for row in rows]),
        RunColumn("What", "", "What it does.", [row[1] for row in rows]),
        RunColumn("Cycle", "", "Number of the repetition.", [row[2] for row in rows]),
        RunColumn(
            "Loop area", "energy", "Work of loads and reactions in the cycle.", [row[3] for row in rows]
        ),
    ]
    for joint in joints:
        for k, what in enumerate(("Mean", "Largest")):
            values = [row[4].get(joint, (math.nan, math.nan))[k] for row in rows]
            title, meaning = f"{what} slip, {joint}", f"{what} slip of closed pairs {slid}."
            columns.append(RunColumn(title, "length", meaning, values))
    return tuple(columns)


def touch_table(results: Results) -> Table:
    """Return the number of touches in each contact between parts, and the touch of largest impulse; () without any.

    A touch lasts from the step that closes the first node to the one that opens the last.
    """
    contacts = results.report.get("contacts", {})
    if not contacts:
        return ()
    found, strongest = list(contacts.values()), [c.get("strongest_touch", {}) for c in contacts.values()]

    def column(title: str, quantity: str, meaning: str, key: str) -> RunColumn:
        return RunColumn(title, quantity, meaning, [touch.get(key, math.nan) for touch in strongest])

    lasted = [touch["ends"] - touch["begins"] if touch else math.nan for touch in strongest]
    return (
        RunColumn("Contact", "", "The contact between two parts, or of one with itself.", list(contacts)),
        RunColumn("Parts", "", "Master and slave.", [" and ".join(dict.fromkeys(c["parts"])) for c in found]),
        RunColumn("Touches", "", "Touches that have ended.", [float(c.get("touches", 0)) for c in found]),
        RunColumn("Most nodes", "", "Most nodes closed at once.", [float(c["most_closed"]) for c in found]),
        column("Begins", "time", "When the touch of largest impulse begins.", "begins"),
        RunColumn("Contact time", "time", "How long it lasts.", lasted),
        column("Impulse", "impulse", "Of the force on the slave's part in it.", "impulse"),
        column("Peak force", "force", "Largest force in it.", "peak_force"),
        column("Approach speed", "velocity", "Of both parts' frames before it, along the impulse.", "approach_speed"),
        column("Separation speed", "velocity", "After it.", "separation_speed"),
        column(
            "Restitution", "", "Separation over approach speed (Newton) where surfaces touch, not of centres of mass.",
            "restitution",
        ),
    )  # fmt: skip


def flank_table(results: Results) -> Table:
    """Return the largest pressure over the run at each node of the flanks of gears, unrolled; () without any."""
    reported, frames = results.report.get("flanks", {}), range(results.n_frames)
    rows: list[tuple[str, float, float, float, float, float, float]] = []
    for contact, flank in reported.items():
        path = path_of("surfaces", flank["part"], flank["surface"], contact, "pressure")
        pressures = np.array([results.named(path, frame) for frame in frames])
        if not len(pressures):
            continue
        largest, at = pressures.max(axis=0), results.values[pressures.argmax(axis=0)]
        places = zip(*(flank[name] for name in ("flank", "path", "roll", "width")), strict=True)
        for place, most, when in zip(places, largest.tolist(), at.tolist(), strict=True):
            rows.append((contact, *place, most, when if most > 0.0 else math.nan))
    if not rows:
        return ()
    contacts, numbers, paths, rolls, widths, most, when = zip(*rows, strict=True)
    return (
        RunColumn("Contact", "", "The contact of two gears.", contacts),
        RunColumn("Flank", "", "Number of the slave's flank, by angle.", [float(n) for n in numbers]),
        RunColumn("Path of contact", "length", "Where it touches, from the pitch point to the tip.", paths),
        RunColumn("Roll angle", "angle", "By which its involute is unwound.", rolls),
        RunColumn("Width", "length", "Along the axis, from the marker.", widths),
        RunColumn("Largest pressure", "stress", "Over the run.", most),
        RunColumn("At", "time", "When it was largest.", when),
    )


def mode_table(results: Results) -> Table:
    """Return frequency, effective masses and comparisons of each mode; () for runs without modes."""
    rows = results.report.get("modes", ())
    if not rows:
        return ()
    report = results.report
    moved, other = report.get("moved_masses", {}), report.get("compared_with", "")

    def column(title: str, quantity: str, meaning: str, key: str, over: float = 1.0) -> RunColumn:
        return RunColumn(title, quantity, meaning, [row.get(key, math.nan) / over for row in rows])

    numbers = range(len(rows))
    shows = tuple((k, 0) for k in numbers) if len(rows) == results.n_frames else ()
    columns = [
        RunColumn("Mode", "", "Its number.", [float(k + 1) for k in numbers], shows),
        column(
            "Frequency", "frequency", "Natural frequency, of a body that of the reduced one.", "frequency"
        ),
        column("Damped frequency", "frequency", "Frequency of the decaying vibration.", "damped frequency"),
        column("Damping ratio", "", "Over critical damping.", "damping ratio"),
    ]
    for name, total in moved.items():
        whole = "turns about" if "inertia" in name else "moves with"
        title = f"{name.capitalize()}, share"
        if total > 0.0:
            columns.append(column(title, "", f"Share of what {whole} the support.", name, total))
    columns += [
        column(
            "Most alike, FE model", "", "Number of the FE model's mode that it resembles most.", "fe_mode"
        ),
        column("Frequency, FE model", "frequency", "Frequency of that mode.", "fe_frequency"),
        column("Too high", "", "Reduced frequency over it, less one.", "fe_error"),
        column("MAC, FE model", "", "Modal assurance criterion of both.", "fe_assurance"),
        column(f"Most alike, {other}", "", f"Number of the {other} mode that it resembles most.", "like"),
        column(f"Frequency, {other}", "frequency", "Frequency of that mode.", "frequency_of_like"),
        column(f"MAC, {other}", "", "Modal assurance criterion of both.", "assurance_of_like"),
    ]
    # What was not asked for has no column.
    return tuple(
        column for column in columns if any(isinstance(v, str) or not math.isnan(v) for v in column.values)
    )


_SHARES = ("kinetic energy", "potential energy", "potential energy of weight and reactions", "damping ratio")


def mode_share_table(results: Results) -> Table:
    """Return shares of energies and of damping in the modes of a system, by part, joint and force; () without any."""
    texts = {key: text for key, text in results.curve_texts.items() if key.quantity in _SHARES}
    if results.axis.kind != "mode" or not texts:
        return ()
    numbers = [float(k + 1) for k in range(results.n_frames)]
    shows = tuple((k, 0) for k in range(results.n_frames))
    columns = [RunColumn("Mode", "", "Its number.", numbers, shows)]
    for key, text in texts.items():
        of_damping = key.quantity == "damping ratio"
        meaning = "Contribution to the damping ratio." if of_damping else "Share of the energy."
        if key.kind or not of_damping:
            columns.append(
                RunColumn(
                    text.capitalize() if not key.owner else text, "", meaning, results.curve(key).tolist()
                )
            )
    return tuple(columns)


def assurance_table(results: Results) -> Table:
    """Return the modal assurance criterion of the modes of both states of the joints; () where one is computed."""
    found, other = results.report.get("assurance", ()), results.report.get("compared_with", "")
    if not found:
        return ()
    first = results.report.get("sticking", "")
    modes = [f"{first} {k + 1}" for k in range(len(found))]
    columns = [RunColumn("Mode", "", f"Number of the mode, {first}.", modes)]
    for k in range(len(found[0])):
        meaning = f"Modal assurance criterion with mode {k + 1}, {other}."
        columns.append(RunColumn(f"{other} {k + 1}", "", meaning, [row[k] for row in found]))
    return tuple(columns)


def backbone_table(results: Results) -> Table:
    """Return frequency and damping over amplitude, or the resonance over the level of loads; () for runs without."""
    rows = results.report.get("backbone", ())
    if not rows:
        return ()
    where = results.report.get("amplitude_of", "")
    heads = (
        ("Amplitude", "length", f"Of {where}.", "amplitude"),
        ("Frequency", "frequency", "Natural frequency.", "natural frequency"),
        ("Damping ratio", "", "Of friction.", "damping by friction"),
        ("Damping ratio", "", "Of friction and of the body.", "damping ratio"),
        ("Damping ratio, body", "", "Of the body alone.", "damping ratio of the body alone"),
        ("Work of friction per cycle", "energy", "By friction.", "work of friction per cycle"),
        ("Frequency, Masing", "frequency", "From the first loading alone.", "natural frequency by Masing"),
        ("Damping ratio, Masing", "", "From the first loading alone.", "damping by friction by Masing"),
        ("Closure", "", "Difference of the loop's loads at its two ends, over their half range.", "closure"),
        ("Modal amplitude", "", "Of the mass-normalised mode.", "modal amplitude"),
        ("Load level", "", "Factor of the loads.", "level"),
        ("Frequency", "frequency", "At which the motion lags behind the loads by a quarter of a period.", "frequency"),
        ("Largest amplitude", "length", "Of the first harmonic of the recorded points.", "largest_amplitude"),
        ("Work of the loads per cycle", "energy", "Of friction and damping.", "work_per_cycle"),
        ("Slipping pairs", "", "That slip in the period.", "slipping_pairs"),
    )  # fmt: skip
    return tuple(
        RunColumn(title, quantity, meaning, [row[name] for row in rows])
        for title, quantity, meaning, name in heads
        if name in rows[0]
    )


def critical_speed_table(results: Results) -> Table:
    """Return where excitations meet modes over the speed of a rotor; () for other runs."""
    rows = results.report.get("critical_speeds", ())
    if not rows:
        return ()
    return (
        RunColumn(
            "Order", "", "Excitations per turn.", [row["order"] for row in rows], _modes_of(results, rows)
        ),
        RunColumn("Mode", "", "Its number at the first speed.", [row["mode"] for row in rows]),
        RunColumn("Speed", "angular_velocity", "Where they meet.", [row["speed"] for row in rows]),
        RunColumn("Frequency", "frequency", "Natural frequency there.", [row["frequency"] for row in rows]),
        RunColumn("Whirl", "", "Sense in which the mode circles.", [_sense(row["whirl"]) for row in rows]),
    )


def unstable_speed_table(results: Results) -> Table:
    """Return in which ranges of speeds a motion of a rotor grows; () for other runs."""
    rows = results.report.get("unstable_speeds", ())
    if not rows:
        return ()
    return (
        RunColumn("From", "angular_velocity", "Where it begins to grow.", [row["from"] for row in rows],
                  tuple(growing_modes(results))),
        RunColumn("To", "angular_velocity", "Where it ends, or the diagram.", [row["to"] for row in rows]),
    )  # fmt: skip


def growing_modes(results: Results) -> list[tuple[int, int]]:
    """Return for each range of unstable speeds its first frame, and the mode (from 0) with the least damping there."""
    found = []
    for row in results.report.get("unstable_speeds", ()):
        frame = min(int(np.searchsorted(results.values, row["from"])), results.n_frames - 1)
        keys = [key for key in results.curve_keys if key.quantity == "damping ratio"]
        least = min(keys, key=lambda key: results.curve(key)[frame])
        found.append((frame, int(least.place.split()[1]) - 1))
    return found


def _sense(whirl: float) -> str:
    return "forward" if whirl > 0.5 else "backward" if whirl < -0.5 else "mixed"


def _modes_of(results: Results, rows: Sequence[dict[str, float]]) -> tuple[tuple[int, int], ...]:
    """Return the frame nearest to the speed of each row, and its mode (from 0)."""
    return tuple((int(np.abs(results.values - row["speed"]).argmin()), int(row["mode"]) - 1) for row in rows)


def main_effect_table(results: Results) -> Table:
    """Return how much each decision of a sweep changes each result; () for other runs."""
    effects = main_effects(results)
    if not effects:
        return ()
    lowest, highest = ([int(take(e.means)) for e in effects] for take in (np.argmin, np.argmax))

    def texts(at: list[int]) -> list[str]:
        return [effect.texts[k] for effect, k in zip(effects, at, strict=True)]

    return (
        RunColumn("Result", "", "What is taken of each point.", [e.response for e in effects]),
        RunColumn("Decision", "", "What changes from point to point.", [e.decision for e in effects]),
        RunColumn("Effect", "", "Largest mean less the smallest, in the result's unit.", [e.size for e in effects]),
        RunColumn("Smallest at", "", "Value of the decision with the smallest mean.", texts(lowest)),
        RunColumn("Largest at", "", "Value of the decision with the largest mean.", texts(highest)),
        RunColumn(
            "Linear change", "", "From its lowest to its highest value, in the plane through all points.",
            [e.linear for e in effects],
        ),
        RunColumn("Share of variance", "", "Of the result, that the decision explains.", [e.share for e in effects]),
    )  # fmt: skip


def turning_point_table(results: Results) -> Table:
    """Return where curves over frequency turn back; () for runs without."""
    rows = results.report.get("turning_points", ())
    if not rows:
        return ()
    return (
        RunColumn("Load level", "", "Factor of the loads.", [row["level"] for row in rows]),
        RunColumn(
            "Frequency", "frequency", "Where the answer jumps in a sweep.", [row["frequency"] for row in rows]
        ),
    )


def identified_table(results: Results) -> Table:
    """Return the parameters that were fitted to measured points; () for runs without."""
    rows = results.report.get("identified", ())
    if not rows:
        return ()
    within = f"of the confidence interval ({100.0 * results.report['confidence']:g} %), within the bounds."

    def column(title: str, meaning: str, key: str) -> RunColumn:
        return RunColumn(title, "", meaning, [row[key] for row in rows])

    return (
        column("Parameter", "What was fitted.", "parameter"),
        column("Value", "With the smallest sum of squares.", "value"),
        column("Lower end", f"Lower end {within}", "lower"),
        column("Upper end", f"Upper end {within}", "upper"),
        column("Unit", "Of these numbers.", "unit"),
        column("In the project", "The value from which the fit began.", "start"),
    )


def event_table(results: Results) -> Table:
    """Return what happened in a motion, in order of time; () without events."""
    rows = results.report.get("events", ())
    if not rows:
        return ()
    energy = "Kinetic and potential energy before less that behind it, where it changed the motion."
    return (
        RunColumn("Event", "", "Its name.", [row["name"] for row in rows]),
        RunColumn("Time", "time", "When it happened.", [row["time"] for row in rows]),
        RunColumn("Did", "", "What was done.", [", ".join(row["did"]) for row in rows]),
        RunColumn("Energy lost", "energy", energy, [row.get("energy_lost", math.nan) for row in rows]),
        RunColumn(
            "Free parts", "", "On which nothing acts any more but weight.",
            [", ".join(row.get("free_parts", ())) for row in rows],
        ),
    )  # fmt: skip


RUN_TABLES: dict[str, tuple[str, Callable[[Results], Table]]] = {
    "modes": ("Modes", mode_table),
    "mode shares": ("Energies and damping of modes", mode_share_table),
    "critical speeds": ("Critical speeds", critical_speed_table),
    "unstable speeds": ("Unstable speeds", unstable_speed_table),
    "main effects": ("Main effects", main_effect_table),
    "assurance": ("Modal assurance", assurance_table),
    "backbone": ("Frequency and damping over amplitude", backbone_table),
    "turning_points": ("Turning points", turning_point_table),
    "identified": ("Identified parameters", identified_table),
    "reactions": ("Reactions", reaction_table),
    "steps": ("Steps", step_table),
    "touches": ("Touches", touch_table),
    "events": ("Events", event_table),
    "flanks": ("Flanks", flank_table),
}
"""Title of each table and the function that builds it, by its name."""


def without_round_off(table: Table) -> Table:
    """Return the columns of a table with zeros in place of round-off next to the largest of a quantity."""
    largest: dict[str, float] = {}
    for column in table:
        sizes = [abs(value) for value in column.values if not isinstance(value, str) and math.isfinite(value)]
        largest[column.quantity] = max([largest.get(column.quantity, 0.0), *sizes])

    def cleaned(value: float | str, quantity: str) -> float | str:
        is_small = not isinstance(value, str) and abs(value) <= _NOISE * largest[quantity]
        return 0.0 if is_small else value

    return tuple(replace(c, values=[cleaned(value, c.quantity) for value in c.values]) for c in table)


def cell_texts(table: Table, digits: int = 6) -> list[list[str]]:
    """Return the rows of a table as formatted text; round-off next to the largest of a quantity is zero."""

    def text(value: float | str) -> str:
        return value if isinstance(value, str) else "" if math.isnan(value) else plain_number(value, digits)

    columns = (column.values for column in without_round_off(table))
    return [[text(value) for value in row] for row in zip(*columns, strict=True)]


def full_cells(table: Table) -> list[list[str]]:
    """Return the rows of a table for a spreadsheet, numbers in full."""

    def text(value: float | str) -> str:
        return text_cell(value) if isinstance(value, str) else "" if math.isnan(value) else repr(float(value))

    return [[text(value) for value in row] for row in zip(*(c.values for c in table), strict=True)]


def _values(results: Results, owner: str, what: str) -> np.ndarray:
    """Return (6, n) force and moment over the frames; not a number for components without a curve."""
    kind = "support" if what == "support" else "interface"
    keys = [
        CurveKey(f"{what} {vector}", kind=kind, owner=owner, component=axis)
        for vector in ("force", "moment")
        for axis in AXES
    ]
    none = np.full(results.n_frames, math.nan)
    return np.array([results.curve(key) if key in results.curve_texts else none for key in keys])


def _frames(results: Results, force: np.ndarray) -> list[tuple[int, str]]:
    """Return number and label of the frames that make rows of a force (3, n)."""
    return results.axis.table_frames(results, force) if results.n_frames else []
