"""What an analysis gave, as arrays and pictures: of a body `Solution`, of a system of parts `SystemSolution`."""

import sys
from collections.abc import Sequence
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from faying.analyses.recording.true_fields import TRUE_FIELDS
from faying.errors import MissingDependencyError, ModelError, there_are
from faying.exporters import ExportContent, ExportSettings, SystemContent, exporter_for
from faying.exporters.output import chosen_field
from faying.exporters.report_parts.markup import table
from faying.exporters.state_spaces import stored_state_space
from faying.exporters.systems import ShownContent, telling_field, write_content
from faying.joints.pairs import ContactPairs
from faying.multibody.state_space import StateSpace
from faying.project.stage import target_of
from faying.results.bolt_table import columns_of
from faying.results.curve_key import CurveKey
from faying.results.curves import Curve, CurveDifference, CurveView
from faying.results.fields import FieldContext, fields
from faying.results.formula import find_field
from faying.results.key_results import extreme, key_results
from faying.results.results import FrameSource, Results
from faying.results.run_tables import RUN_TABLES
from faying.session.computed_project import ComputedProject
from faying.session.export import (
    curve_differences,
    curves_drawn,
    frame_number,
    shown_curves,
    write_fields,
)
from faying.session.picture import Picture, drawn, plotted
from faying.units import read_quantity, shown_unit, unit_text


def _package(name: str) -> Any:
    """Return an optional package.

    Raises:
        MissingDependencyError: when it is not installed; says how to install it.
    """
    try:
        return import_module(name)
    except ImportError:
        raise MissingDependencyError(
            f"This needs {name}, which is not installed.",
            f"Install it: {sys.executable} -m pip install {name}",
        ) from None


class Extreme(NamedTuple):
    """An extreme value of a field.

    Attributes:
        value: in the project's units, or the requested unit.
        frame: number of its frame, from 0.
        row: its node or pair, as in the array of the field.
        point: (3,) undeformed place.
    """

    value: float
    frame: int
    row: int
    point: np.ndarray


class _Shown:
    """What solutions of bodies and of systems have in common: frames, curves, pictures.

    Args:
        session: the project with its results.
        name: of the analysis.
    """

    def __init__(self, session: ComputedProject, name: str) -> None:
        self._session, self.name = session, name
        self.units = session.project.units

    @cached_property
    def results(self) -> Results:
        """The opened file of the results (`faying.results.results.Results`)."""
        return self._session.results(self.name)

    @property
    def frames(self) -> FrameSource:
        """Where the frames come from."""
        return self.results

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return self.frames.n_frames

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) times, load factors, or of modes frequencies, in the project's units."""
        return np.asarray(self.frames.values)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the numbers cannot be trusted, as sentences; empty when nothing speaks against them."""
        return tuple(str(warning.sentence) for warning in self.frames.warnings)

    @property
    def report(self) -> dict[str, Any]:
        """Summary of the run by name: steps, energies, error estimate, …"""
        return self.results.report

    def close(self) -> None:
        """Close the file of the results."""
        if "results" in self.__dict__:
            self.results.close()

    # Curves

    @property
    def curve_names(self) -> tuple[str, ...]:
        """Names of the curves."""
        return self.results.curve_names

    @property
    def curve_keys(self) -> tuple[CurveKey, ...]:
        """Keys of the curves, in the order of their names: owner, quantity, component, part, load."""
        return self.results.curve_keys

    def curve(self, name: CurveKey | str, *, unit: str = "") -> np.ndarray:
        """Return (n_frames,) a curve's values.

        Args:
            name: text or key of the curve; or "el 12 von_mises", "rod.node 7 stress_xx", a field at a place.
            unit: that they are to be in ("mm"); that of the project by default.

        Raises:
            ModelError: when there is no such curve, or the unit has another dimension.
        """
        _, (found,) = shown_curves(self._session, self.results, [name], self.name)
        return found.values * self._factor(found.quantity, unit)

    def difference(self, name: str, other: str) -> CurveDifference:
        """Return a curve minus that of another analysis: `curve.values` (n_frames,), `mean` over time and `largest`.

        Raises:
            ModelError: when one of them has no such curve, or they have no time in common.
        """
        return curve_differences(self._session, self.name, [name], other)[0]

    def data_frame(self, *names: str) -> Any:
        """Return curves as a table of pandas: a column for each, with its unit; rows are frames, by time or load.

        Args:
            names: of the curves; all by default.

        Raises:
            ModelError: when there is no such curve.
            MissingDependencyError: without pandas.
        """
        pandas = _package("pandas")
        columns = self.curves(*names, units=True)
        over = next(iter(columns))
        return pandas.DataFrame(columns).set_index(over)

    def curves(self, *names: str, units: bool = False) -> dict[str, np.ndarray]:
        """Return curves by name, each (n_frames,), in the project's units; first those that they are over ("Time").

        ``pandas.DataFrame(solution.curves(units=True))`` makes a table of them.

        Args:
            names: of the curves; all by default.
            units: whether names are followed by the unit: "tip uz [mm]".

        Raises:
            ModelError: when there is no such curve.
        """
        over, found = shown_curves(self._session, self.results, names or self.curve_names, self.name)

        def head(curve: Curve) -> str:
            unit = unit_text(curve.quantity, self.units) if units and curve.quantity else ""
            return f"{curve.name} [{unit}]" if unit else curve.name

        return {head(curve): curve.values for curve in (over, *found)}

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables: those of a study, and of any run "reactions", "steps", "main effects", "events", …."""
        own = self.results.table_names
        made = (name for name, (_, make) in RUN_TABLES.items() if name not in own and make(self.results))
        return (*own, *made)

    def table(self, name: str) -> dict[str, np.ndarray]:
        """Return the columns of a table by name, each (n_rows,); numbers are NaN where there is no value.

        Heads of a run's tables have units: "Force x [N]".

        Raises:
            ModelError: when the analysis has no such table.
        """
        if name not in self.tables:
            known = ", ".join(self.tables) or "none"
            raise ModelError(f"Analysis {self.name!r} has no table {name!r}.", f"It has: {known}.")
        if name in self.results.table_names:
            heads, values = self.results.table(name)
            return dict(zip(heads, values.T, strict=True))
        columns = RUN_TABLES[name][1](self.results)
        return {column.head(self.units): np.asarray(column.values) for column in columns}

    def key_results(self) -> dict[str, list[Any]]:
        """Return the main numbers of the run by column, as its report has them.

        Columns are "title", "value" in the project's units, "unit", "where", "when", "verdict" and "why";
        ``pandas.DataFrame(solution.key_results())`` shows them.
        """
        found = key_results(self.results, *self._fields_of_body(), self.units, self._session.progress)
        columns: dict[str, list[Any]] = {
            name: [getattr(each, name) for each in found]
            for name in ("title", "value", "where", "when", "verdict", "why")
        }
        units = [
            "" if each.quantity in ("", "ratio") else unit_text(each.quantity, self.units) for each in found
        ]
        return {"title": columns.pop("title"), "value": columns.pop("value"), "unit": units, **columns}

    def _fields_of_body(self) -> tuple[FieldContext | None, dict[str, ContactPairs]]:
        """Return the inputs of a body's fields, and its pairs; nothing for a system."""
        return None, {}

    def _repr_html_(self) -> str:
        """Return the solution as a notebook shows it: frames, warnings and key results."""
        warnings = "".join(f"<p><b>Doubtful:</b> {escape(each)}</p>" for each in self.warnings)
        found = self.key_results() if self._has_curves() else {}
        count = len(found.get("title", ()))
        rows = [
            [
                found["title"][i],
                f"{found['value'][i]:.4g} {found['unit'][i]}",
                found["where"][i],
                found["when"][i],
            ]
            for i in range(count)
        ]
        return (
            f"<p>{escape(repr(self).strip('<>'))}</p>{warnings}{table(('', 'value', 'where', 'when'), rows)}"
        )

    def unit(self, name: str) -> str:
        """Return the unit of a curve or field in the project's units: "N/mm²"; "" for none.

        Raises:
            ModelError: when there is neither a curve nor a field of that name.
        """
        if self._has_curves() and name in self.curve_names:
            return unit_text(self.results.curve_key(name).dimension, self.units)
        return unit_text(find_field(name).quantity_over(self.frames.axis), self.units)

    def plot(
        self, *names: str, over: str = "", view: CurveView = "values", size: tuple[int, int] = (960, 640),
        dark: bool = False, also: Sequence[str] = (),
    ) -> Picture:  # fmt: skip
        """Return curves drawn as the window draws them.

        Args:
            names: of the curves.
            over: the curve that they are drawn over; time or load by default.
            view: the values, their "envelope", or "spectrum" or "orders" of them; "decay": damping ratio and
                frequency of a free vibration over its amplitude.
            size: pixels.
            dark: a dark background.
            also: other analyses whose curves of the same kind are laid over, such as measured points.

        Raises:
            ModelError: when there is no such curve, or it has no such view.
            MissingDependencyError: when no plotting package is installed; the message names what is missing.
        """
        return plotted(curves_drawn(self._session, self.name, names, over, view, also=also), size, dark)

    # Pictures and files

    def picture(
        self, field: str = "", *, frame: int = -1, at: float | str | None = None, **how: Any
    ) -> Picture:
        """Return a frame drawn as the window draws it, coloured by a field.

        Args:
            field: its name or a formula; by default the most informative one.
            frame: its number, from 0, or from the end when negative.
            at: the frame nearest to this time or load, instead ("12 ms").
            how: `joint`, `size`, `scale`, `view`, `dark`, `transparent`, `section`, `ghost`, `isolines` as of
                `faying.exporters.ExportSettings`; `shape` of frames with several, such as
                the modes at a speed.

        Raises:
            ModelError: when the field is not there, and why; or there is no such frame.
            MissingDependencyError: when no package for pictures is installed; the message names what is missing.
        """
        exporter = exporter_for(Path("picture.png"))
        exporter.prepare()
        shown = self._content
        settings = ExportSettings(field or telling_field(shown), (self._frame(frame, at),), **how)
        title = f"{settings.field or self.name}, {self.frames.label(settings.frames[0])}"
        return drawn(
            lambda path: write_content(exporter, shown, settings, path, self._session.progress), title
        )

    def write(
        self, path: str | Path, field: str = "", *, frame: int | None = None, frames: str = "", minus: str = "",
        beside: Sequence[str] = (), curves: Sequence[str] = (), over: str = "", replace: bool = False, **how: Any,
    ) -> None:  # fmt: skip
        """Write a field as ``faying export`` does: a picture, a film or a table, by the ending of the file's name.

        Args:
            path: ``.png``, ``.mp4``, ``.gif``, ``.csv``, ``.vtkhdf``.
            field: its name or a formula; optional for the motion of a system.
            frame: a single frame, from the end when negative; all by default, of a picture the last one.
            frames: some of them, "10:200:5" or "5 ms:20 ms".
            minus: another analysis, whose field is taken off.
            beside: names of other analyses that are shown next to this one, on the same scale.
            curves: names of those that are drawn under pictures and films, with a mark that runs with the frame.
            over: curve that they are drawn over; time or load by default.
            replace: whether to replace files that Faying did not write or that have changed since.
            how: as of `picture`, and `series`, `frames_per_second`, `seconds`, `play`, `turn`, `title`, `logo`, … of
                `faying.exporters.ExportSettings`.

        Raises:
            FayingError: when the field is not there, or the file must not or cannot be written.
        """
        write_fields(
            self._session, Path(path), self.name, ExportSettings(field, (), **how), frame=frame, frames=frames,
            minus=minus, beside=beside, curves=curves, over=over, replace_others=replace, content=self._content,
        )  # fmt: skip

    @cached_property
    def _content(self) -> ShownContent:
        return self._session.shown(self.name)

    def _has_curves(self) -> bool:
        return True

    def _factor(self, quantity: str, unit: str) -> float:
        """Return the factor that converts a quantity from the project's units to a unit."""
        if not unit:
            return 1.0
        if not quantity:
            raise ModelError(f"These are plain numbers, not in {unit!r}.", "Leave the unit out.")
        try:
            return shown_unit(quantity, self.units, {quantity: unit})[1]
        except ModelError:
            own, named = unit_text(quantity, self.units), quantity.replace("_", " ")
            raise ModelError(f"{unit!r} is not a unit of {named}.", f"Write one such as {own}.") from None

    def _frame(self, frame: int, at: float | str | None) -> int:
        if at is None:
            return frame_number(frame, self.n_frames, self.name)
        wanted = read_quantity(at, self.frames.axis.quantity, self.units) if isinstance(at, str) else at
        frame_number(0, self.n_frames, self.name)
        return int(np.argmin(np.abs(self.values - wanted)))


class Solution(_Shown):
    """Frames of one body: of an analysis of it, of a flexible part of a system in motion, or its modes.

    Args:
        session: the project with its results.
        name: of the analysis; "modes" for the trial vectors of a body.
        body: of "modes".
        part: the flexible part of the system that the analysis moves.
    """

    def __init__(self, session: ComputedProject, name: str, *, body: str = "", part: str = "") -> None:
        super().__init__(session, name)
        self._body, self._part = body, part

    def __repr__(self) -> str:
        of = f" of part {self._part!r}" if self._part else ""
        warnings = f"; doubtful: {' '.join(self.warnings)}" if self.warnings else ""
        return f"<Solution {self.name!r}{of}: {self.n_frames} frames{warnings}>"

    @property
    def frames(self) -> FrameSource:
        """Where the frames come from."""
        if self._part:
            return self.results.part(self._part)
        return self.results if self._has_curves() else self._content.context.frames

    def bolts(self) -> dict[str, list[Any]]:
        """Return the table of bolts by column, a value for each bolt and bolt-like beam, in the project's units.

        Columns are those of `faying.results.bolt_table.BoltRow`; ``pandas.DataFrame(solution.bolts())`` shows them.

        Raises:
            ModelError: for a size or strength class that is not known.
        """
        rows = self._content.bolt_table()
        return {name: [getattr(row, name) for row in rows] for name in columns_of(rows)}

    def field(
        self, name: str, *, joint: str = "", frame: int = -1, at: float | str | None = None, unit: str = ""
    ) -> np.ndarray:
        """Return a field of one frame: (n_pairs,) in a joint, (n_nodes,) in the body, (…, 3) of a vector.

        Args:
            name: of the field, or a formula: "pressure", "maximum(pressure)", "pressure / 2".
            joint: that it is in; the only joint needs no name.
            frame: its number, from 0, or from the end when negative.
            at: the frame nearest to this time or load, instead ("12 ms").
            unit: that the numbers are to be in ("MPa"); that of the project by default.

        Raises:
            ModelError: when there is no such field, joint or frame, the field is not available and why, or the unit has
                another dimension.
        """
        field, where = self._field(name, joint)
        factor = self._factor(field.quantity_over(self.frames.axis), unit)
        values = np.asarray(field.evaluate(self._content.context, where, self._frame(frame, at)), float)
        return values * factor

    def data_array(self, name: str, *, joint: str = "", frames: Sequence[int] | None = None) -> Any:
        """Return a field over frames and nodes (or pairs) as an array of xarray, with places, numbers and units.

        Args:
            name, joint: as of `field`.
            frames: numbers of the frames; all by default.

        Raises:
            ModelError: as of `field`.
            MissingDependencyError: without xarray.
        """
        xarray = _package("xarray")
        field, where = self._field(name, joint)
        chosen = list(range(self.n_frames)) if frames is None else list(frames)
        values = np.array([self.field(name, joint=joint, frame=frame) for frame in chosen])
        along = "pair" if where else "node"
        axis, points = self.frames.axis, self.points(where)
        numbered = not where or self._content.pairs[where].slave_nodes is not None
        dimensions = ("frame", along, *(["component"] if values.ndim > 2 else []))
        coordinates: dict[str, Any] = {
            "frame": [frame % self.n_frames for frame in chosen],
            axis.kind: ("frame", self.values[chosen]),
        }
        if numbered:
            coordinates[f"{along}_number"] = (along, self.node_numbers(where))
        coordinates |= {axis_name: (along, points[:, k]) for k, axis_name in enumerate("xyz")}
        attributes = {"long_name": field.title, "units": unit_text(field.quantity_over(axis), self.units)}
        return xarray.DataArray(
            values, dims=dimensions, coords=coordinates, name=field.text, attrs=attributes
        )

    def fields(self) -> dict[str, list[str]]:
        """Return the fields that the frames have, by column: "name", "title", "unit" and "place" (a joint, the body).

        ``pandas.DataFrame(solution.fields())`` shows them; a formula of them is a field, too.
        """
        context, found = self._content.body_context, []
        for name, kind in fields.items():
            field = kind()
            if field.refusal(context) is None:
                unit = unit_text(field.quantity_over(self.frames.axis), self.units)
                found.append((name, field.title, unit, "joint" if field.location == "joint" else "body"))
        heads = ("name", "title", "unit", "place")
        return {head: [each[i] for each in found] for i, head in enumerate(heads)}

    @cached_property
    def true_fields(self) -> "Solution":
        """The same frames as the FE model has them: all are corrected on it, unless they are stored already.

        Raises:
            ModelError: for an analysis or part whose frames cannot be corrected.
            Cancelled: on request; frames so far are kept.
        """
        name = f"{self.name}, {self._part}" if self._part else self.name
        self._session.compute(target_of(self._session.project.analysis(f"{name}{TRUE_FIELDS}")))
        return Solution(self._session, f"{self.name}{TRUE_FIELDS}", part=self._part)

    def true_field(
        self, name: str, frame: int = -1, *, joint: str = "", at: float | str | None = None, unit: str = ""
    ) -> np.ndarray:
        """Return a field of one frame as the FE model has it.

        Pressures and stresses in joints converge slowly with the number of trial vectors; corrections on the FE model
        give them. The first call corrects all frames (`true_fields`).

        Args, errors: as of `field` and `true_fields`.
        """
        return self.true_fields.field(name, joint=joint, frame=frame, at=at, unit=unit)

    def largest(self, name: str, *, joint: str = "", frame: int | None = None, unit: str = "") -> Extreme:
        """Return the largest value of a field, where and when; nodes without a value do not count.

        Args:
            name, joint, unit: as of `field`; of a vector its length counts.
            frame: number of the only frame that counts; all by default.

        Raises:
            ModelError: as `field`, and when the field has no value anywhere.
        """
        return self._extreme(name, joint, frame, unit, smallest=False)

    def smallest(self, name: str, *, joint: str = "", frame: int | None = None, unit: str = "") -> Extreme:
        """Return the smallest value of a field; see `largest`."""
        return self._extreme(name, joint, frame, unit, smallest=True)

    def _extreme(self, name: str, joint: str, frame: int | None, unit: str, *, smallest: bool) -> Extreme:
        field, where = self._field(name, joint)
        factor = self._factor(field.quantity_over(self.frames.axis), unit)
        frames = range(self.n_frames) if frame is None else (self._frame(frame, None),)
        context, progress = self._content.body_context, self._session.progress
        value, row, number = extreme(field, context, where, frames, progress, smallest=smallest)
        if not np.isfinite(value):
            raise ModelError(f"{field.title} has no value at any place.", "Choose another field or frame.")
        return Extreme(value * factor, number, row, self.points(where)[row])

    def _fields_of_body(self) -> tuple[FieldContext | None, dict[str, ContactPairs]]:
        return self._content.body_context, dict(self._content.pairs)

    def points(self, joint: str = "") -> np.ndarray:
        """Return (n, 3) undeformed places: of the nodes of the body, or with `joint` of its pairs' slave side."""
        nodes = np.array(self._content.model.nodes)
        return self._content.pairs[joint].on_slave(nodes) if self._joint(joint) else nodes

    def node_numbers(self, joint: str = "") -> np.ndarray:
        """Return (n,) the deck's numbers of the nodes of `points`.

        Raises:
            ModelError: when there is no such joint, or its pairs are between nodes.
        """
        rows = self._content.pairs[joint].slave_nodes if self._joint(joint) else slice(None)
        if rows is None:
            raise ModelError(
                f"The pairs of joint {joint!r} are at integration points, which have no numbers.",
                "Ask points(joint) where they are.",
            )
        return np.array(self._content.model.node_ids[rows])

    @cached_property
    def _content(self) -> ExportContent:
        return self._session.shown_body(self.name, body=self._body, part=self._part)

    def _joint(self, joint: str) -> str:
        if joint and joint not in self._content.pairs:
            raise ModelError(f"There is no joint called {joint!r}.", there_are(joint, self._content.pairs))
        return joint

    def _field(self, name: str, joint: str) -> tuple[Any, str]:
        """Return a field, and the joint that it is evaluated in; "" for one of the body."""
        field, joints = chosen_field(self._content, ExportSettings(name, (), joint))
        if len(joints) > 1:
            raise ModelError(
                f"{field.title} lives in a joint, and it is not said in which.",
                f"There are: {', '.join(joints)}.",
            )
        return field, joints[0]

    def _has_curves(self) -> bool:
        project = self._session.project
        return self.name != "modes" or any(analysis.name == "modes" for analysis in project.analyses)


class SystemSolution(_Shown):
    """Frames of a system in motion: where its parts are, how they are deformed, and what happened."""

    def __repr__(self) -> str:
        warnings = f"; doubtful: {' '.join(self.warnings)}" if self.warnings else ""
        return f"<SystemSolution {self.name!r} of {', '.join(self.parts)}: {self.n_frames} frames{warnings}>"

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts."""
        return self.results.part_names

    def state_space(self) -> StateSpace:
        """Return the state-space model of an analysis of the kind `state_space`.

        Raises:
            ModelError: for another analysis.
        """
        return stored_state_space(self.results, self.name)

    def positions(self, part: str) -> np.ndarray:
        """Return (n_frames, 3) positions of the frame of a part; errors as of `orientations`."""
        return np.array([position for position, _ in self._placements(part)])

    def orientations(self, part: str) -> np.ndarray:
        """Return (n_frames, 3, 3) rotation matrices of the frame of a part, whose axes are the columns.

        Raises:
            ModelError: when there is no such part.
        """
        return np.array([rotation for _, rotation in self._placements(part)])

    def part(self, name: str) -> Solution:
        """Return the frames of a flexible part, with the fields of its body.

        Raises:
            ModelError: when there is no such part, or it is rigid.
        """
        self._known_part(name)
        solution = Solution(self._session, self.name, part=name)
        _ = solution._content  # reports at once that a rigid part has no fields
        return solution

    @cached_property
    def true_fields(self) -> "SystemSolution":
        """The same motion with fields of the FE model: all frames of each part that can be are corrected on it.

        Raises:
            ModelError: for a system whose frames cannot be corrected.
            Cancelled: on request; frames so far are kept.
        """
        self._session.compute_true_fields(self.name)
        return SystemSolution(self._session, f"{self.name}{TRUE_FIELDS}")

    def _placements(self, part: str) -> list[tuple[np.ndarray, np.ndarray]]:
        self._known_part(part)
        frames = self.results.part(part)
        return [frames.placement(i) for i in range(self.n_frames)]

    def _known_part(self, part: str) -> None:
        if part not in self.parts:
            raise ModelError(f"The system has no part called {part!r}.", there_are(part, self.parts))

    @cached_property
    def _content(self) -> SystemContent:
        content = self._session.shown(self.name)
        assert isinstance(content, SystemContent)
        return content
