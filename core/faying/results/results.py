"""Results of an analysis on disk: coordinates over time, and the history of friction. Streamed, read lazily.

A file is readable at any moment while it is written, and stays so when the writer is killed: it is written
in HDF5's single-writer-multiple-reader mode, in blocks of frames that are flushed one after the other. After each block
the dataset ``written`` is updated: number of valid frames, and of the restart data (`faying.packed`) the number of its
slot ``restart/<number>``, its bytes, and their CRC-32. An interrupted run is resumed from there.

Layout: attributes `axis`, `body`, `frame`, `settings` (JSON), `complete`; datasets ``axis_values`` (n,),
``coordinates`` (n, r) or ``displacement`` (n, 3 n_nodes) for unreduced results, of those of another program perhaps
also ``stress`` (n, n_nodes, 6) with ``stress_known`` (n_nodes,) one where there is any, of operating shapes also
``quadrature`` (n, r), the coordinates a quarter of a period later, of periodic motions ``coefficients``
(n, 2 H + 1, r) of a Fourier series over the period that begins with the frame, ``joints/<name>/history``
(n, n_pairs, h), for unreduced results also ``joints/<name>/gap`` (n, n_pairs) and ``slip`` (n, n_pairs, 2);
for a system, which has an attribute `system` instead of a body, ``parts/<name>/motion`` (n, 7) with position and
Euler parameters of the part's frame, ``parts/<name>/coordinates`` and ``parts/<name>/joints/…`` of flexible ones,
``parts/<name>/rates`` of motion and coordinates, of operating shapes ``parts/<name>/state`` (7 + r,) about which it
swings and ``parts/<name>/swing`` (n, 2, 6 + r), where a frame has m shapes (n, m, 2, 6 + r), of periodic motions
``parts/<name>/period`` (n, 2 H + 1, 6 + r) instead, ``angles/<constraint>`` that constraints count,
``contacts/<name>/force`` (n, 3) and ``moment`` about the origin of space on the slave's part, ``anchors`` of friction,
and ``surfaces/<part>/<surface>/<contact>/`` with ``pressure``, ``gap``, ``slip`` and ``friction_stress`` at its nodes;
``curves/<text>`` (n,), each with its key (`faying.results.curve_key.CurveKey`) by text in the attribute `curves`
(JSON); ``temperatures/<load>`` (m,) changes of temperature of a whole load, scaled by the curve of its factor, for a
part ``parts/<name>/temperatures/<load>``;
``tables/<name>`` (rows, columns) with attribute `columns` (JSON), NaN where nothing is known yet; ``report``
(JSON text, written at the end). ``checks`` (n, datasets) holds the checksum of each frame of each dataset that the
attribute `checked` (JSON) names, zero where there is none; attribute `shapes` (JSON) has the columns of each dataset,
`check` the checksum of the other attributes, ``table_checks/<name>`` that of a table, ``report_check`` that of the
report. Attribute `labels` (JSON) names the frames, if they have names. With the attribute `any_order` frames were
written in any order; a missing one has no axis value. Attribute `begun` is the start of the run (s since 1970), also
of a resumed run. Names in paths and of body, system and frame are as `faying.results.names` writes them.
"""

import json
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import h5py
import numpy as np
from h5py import h5d

from faying.checksums import array_checksum, checksum_of_values, row_checksums, text_checksum
from faying.errors import ReadError
from faying.hdf_files import open_hdf
from faying.results.curve_key import CurveKey, find_curve
from faying.results.frame_axes import FrameAxis, frame_axis
from faying.results.names import names_on, path_of
from faying.results.quality_warnings import Judged, QualityWarning
from faying.spatial.rotations import rotation_matrix

MOST_BYTES = 4e6
"""Of frames that are in memory at once, written or read."""

_DAMAGE = (
    OSError,
    LookupError,
    ValueError,
    RuntimeError,
    TypeError,
    AttributeError,
)  # errors of h5py and json
_AGAIN = "Run the analysis again: it finds what is damaged and computes that again."
_HEAD = (
    "begun",
    "axis",
    "body",
    "frame",
    "system",
    "settings",
    "labels",
    "any_order",
    "checked",
    "shapes",
    "curves",
)  # attributes


def earlier_results(path: Path) -> Path:
    """Return the path for the results of an interrupted run while new results are written to `path`."""
    return path.with_name(f"{path.name}.earlier")


def earlier_begin(path: Path) -> float | None:
    """Return when that interrupted run began (s since 1970); None without one."""
    try:
        with closing(Results(earlier_results(path))) as results:
            return results.begun
    except ReadError:
        return None


class FrameSource(Protocol):
    """Anything with frames that can be shown: results over time, load cases, or mode shapes."""

    axis: FrameAxis

    @property
    def warnings(self) -> tuple[QualityWarning, ...]:
        """Why the numbers cannot be trusted; empty when they can."""

    @property
    def n_frames(self) -> int:
        """Number of frames."""

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) times, load numbers or frequencies."""

    def label(self, frame: int) -> str:
        """Return the name of a frame: "t = 12.4 ms", "joint mode 3"."""

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return (r,) flexible coordinates, None for unreduced results."""

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return (r,) rates of the flexible coordinates, None where they are not stored."""

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return (r,) coordinates of an operating shape a quarter of a period later, None for anything else."""

    def period(self, frame: int) -> np.ndarray | None:
        """Return (2 H + 1, r) Fourier coefficients of the coordinates over a period that begins with the frame.

        None for frames that are no states of a periodic motion, or shapes of one alone.
        """

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return (3 n_nodes,) displacements of unreduced results, None for reduced ones."""

    def stresses(self, frame: int) -> np.ndarray | None:
        """Return (n_nodes, 6) stresses xx, yy, zz, xy, yz, zx that another program found; None for our own results."""

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs, h) committed friction history of a joint, None without friction."""

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return stored gaps (n,) and slips (n, 2) of unreduced results, None for reduced ones."""

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) offsets to subtract from the gaps before the contact law; None without hard contact."""

    def cycle_work(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) work of friction per area in a period of vibration; None where frames are no vibrations."""

    def temperatures(self, frame: int) -> np.ndarray | None:
        """Return (n,) changes of temperature at the nodes of all elements, element after element; None without any."""


def swings(frames: FrameSource) -> bool:
    """Return whether each frame is shown over its period: a mode, an operating shape, a periodic motion."""
    return frames.axis.swings or (frames.n_frames > 0 and frames.period(0) is not None)


def _plain_name(name: str) -> str:
    return repr("/".join(names_on(name.lstrip("/"))))


def head_checksum(head: h5py.AttributeManager) -> int:
    """Return the checksum of the attributes of results."""
    return checksum_of_values((name, head[name]) for name in _HEAD if name in head)


def open_results_file(path: Path, group: str = "/") -> h5py.File:
    """Return the HDF5 file of results for reading; one of its own may still be written to, so it is not locked."""
    return open_hdf(path, swmr=True, locking=False) if group == "/" else open_hdf(path)


class Results(Judged):
    """An opened results file.

    Args:
        path: HDF5 file, or the file that contains the results as a group.
        group: path of that group; "/" for a file of its own.

    Attributes: `root`, the group that holds everything; `begun` and `in_any_order` as in the layout above;
    `curve_texts`, the text of each curve by its key; `shapes` of a frame of each dataset by path.

    Raises:
        ReadError: when it is not a results file.
    """

    def __init__(self, path: Path, group: str = "/") -> None:
        try:
            with ExitStack() as opened:  # closes a file that is refused
                self._file = opened.enter_context(open_results_file(path, group))
                self.root, self._path = self._file[group], Path(path)
                head = self.root.attrs
                if "check" in head and int(head["check"]) != head_checksum(head):
                    raise ValueError("its head is damaged")
                self.axis = frame_axis(str(head["axis"]))
                self.body, self.system, self.frame_of_reference = (
                    names_on(str(head.get(name, "")))[0] for name in ("body", "system", "frame")
                )
                texts = {text: CurveKey(**words) for text, words in json.loads(head["curves"]).items()}
                self.curve_texts: Mapping[CurveKey, str] = {key: text for text, key in texts.items()}
                self.settings: dict[str, Any] = json.loads(head["settings"])
                self._labels: list[str] = json.loads(head.get("labels", "[]"))
                self.in_any_order = bool(head.get("any_order", False))
                checked = json.loads(head.get("checked", "[]"))
                self._columns = {name: i for i, name in enumerate(checked)}
                self._checks = np.zeros((0, len(self._columns)), np.uint32)
                self._temperatures: dict[str, dict[str, np.ndarray]] = {}  # of each part, of a body under ""
                self._sound: dict[str, int] = {}  # number of rows of histories that were found sound
                self._is_complete = False
                self._latest: tuple[int, np.ndarray] | None = None  # frame and its coordinates
                self._count = int(self.root["written"][0]) if "written" in self.root else None
                self.begun = float(head.get("begun", 0.0))
                shapes = json.loads(head["shapes"])
                self._lengths = _rows_of_datasets(self.root, shapes, len(self._columns))
                self.shapes = {name: tuple(columns) for name, columns in shapes.items()}
                opened.pop_all()
        except _DAMAGE as error:
            raise ReadError(
                path, None, "this is not a results file of Faying.", "Run the analysis again."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def refresh(self) -> None:
        """Update to the frames that a running analysis has written since.

        HDF5 does not update a dataset that is open elsewhere in this process, for example by another reader. So
        no dataset is kept open.
        """
        self._latest = None
        if self._file.swmr_mode:
            others = [
                f"{name}/{inner}" for name in ("tables", "restart") for inner in self.root.get(name, {})
            ]
            # Each object caches its length and its blocks. The number of frames is read first: lookups after that
            # include these frames, whereas a block written in between would be read as empty.
            if self._count is not None:
                self._count = int(self._refreshed("written")[0])
            for name in sorted(self._lengths, key=lambda name: name != "axis_values"):
                self._lengths[name] = len(self._refreshed(name))
            for name in others:
                self._refreshed(name)

    def _refreshed(self, name: str) -> h5py.Dataset:
        dataset = self.root[name]
        dataset.refresh()
        return dataset

    @property
    def n_frames(self) -> int:
        """Number of frames that all datasets have, up to the first one that is not there yet."""
        n = min(self._lengths.values(), default=0)
        if not self.in_any_order:
            return n if self._count is None else min(n, self._count)
        missing = np.flatnonzero(np.isnan(self._rows("axis_values", n)))
        return int(missing[0]) if len(missing) else n

    @property
    def frames_there(self) -> np.ndarray:
        """(n,) numbers of all frames that are there, also beyond a missing one."""
        if not self.in_any_order:
            return np.arange(self.n_frames)
        n = min(self._lengths.values(), default=0)
        return np.flatnonzero(~np.isnan(self._rows("axis_values", n)))

    @property
    def complete(self) -> bool:
        """Whether the analysis ran to its end."""
        if not self._is_complete:
            try:
                self._is_complete = bool(self.root["complete"][()]) and _report_text(self.root) is not None
            except _DAMAGE:
                return False
        return self._is_complete

    @property
    def report(self) -> dict[str, Any]:
        """The run report; empty while running or after an interruption."""
        try:
            text = _report_text(self.root)
            return dict(json.loads(text)) if text else {}
        except _DAMAGE as error:
            if self._file.swmr_mode:  # written beyond the end of the file at its opening
                return {}
            raise self._damage("the report") from error

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) times or load numbers."""
        return self._rows("axis_values", self.n_frames)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints."""
        return self._names("joints")

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of the parts of a system that move; none for results of a body."""
        return self._names("parts")

    @property
    def n_shapes(self) -> int:
        """Number of shapes in each frame: modes at a speed; 1 where a frame is one shape or state."""
        counts = [
            shape[0] for path, shape in self.shapes.items() if len(shape) == 3 and path.endswith("/swing")
        ]
        return max(counts, default=1)

    def part(self, name: str, shape: int = 0) -> "PartResults":
        """Return the results of one part of a system, of frames with several shapes with the one of that number."""
        return PartResults(self, path_of("parts", name), min(max(shape, 0), self.n_shapes - 1))

    @property
    def curve_keys(self) -> tuple[CurveKey, ...]:
        """Keys of the stored scalar histories, ordered by their texts."""
        return tuple(sorted(self.curve_texts, key=self.curve_texts.__getitem__))

    @property
    def curve_names(self) -> tuple[str, ...]:
        """Texts of the stored scalar histories, for people; all are unique."""
        return tuple(sorted(self.curve_texts.values()))

    def curve_key(self, text: str) -> CurveKey:
        """Return the key of a curve from its text.

        Raises:
            ModelError: when there is no such curve, or the text may mean several.
        """
        name = self.settings.get("name")
        return find_curve(text, self.curve_texts, f"Analysis {name!r}" if name else "The run")

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables."""
        try:
            return tuple(self.root["tables"]) if "tables" in self.root else ()
        except _DAMAGE as error:
            raise self._damage("the list of tables") from error

    def table(self, name: str) -> tuple[tuple[str, ...], np.ndarray]:
        """Return the columns' names and the values (rows, columns) of a table."""
        try:
            table = self.root["tables"][name]
            columns, values = tuple(json.loads(table.attrs["columns"])), np.asarray(table[()])
            check = int(self.root[f"table_checks/{name}"][()]) if f"table_checks/{name}" in self.root else 0
        except _DAMAGE as error:
            raise self._damage(f"table {name!r}") from error
        # While it is being written, table and checksum may be of different moments.
        if check and check != array_checksum(values) and self.complete:
            raise self._damage(f"table {name!r}")
        return columns, values

    def curve(self, curve: CurveKey | str) -> np.ndarray:
        """Return (n_frames,) values of a stored scalar history, by its key or text.

        Raises:
            ModelError: as `curve_key`.
            KeyError: for a key that is not among `curve_keys`.
        """
        return self._rows(self._curve_path(curve), self.n_frames)

    def curve_at(self, curve: CurveKey | str, frame: int) -> float:
        """Return the value of a stored scalar history at a frame; raises as `curve`."""
        return float(self.named(self._curve_path(curve), frame))

    def _curve_path(self, curve: CurveKey | str) -> str:
        return path_of("curves", self.curve_texts[self.curve_key(curve) if isinstance(curve, str) else curve])

    def has(self, path: str) -> bool:
        """Return whether a dataset or group exists at a path of `faying.results.names.path_of`."""
        return path in self.root

    def _names(self, group: str) -> tuple[str, ...]:
        try:
            return tuple(names_on(name)[0] for name in self.root[group]) if group in self.root else ()
        except _DAMAGE as error:
            raise self._damage(f"the list of {group}") from error

    def named(self, path: str, frame: int) -> np.ndarray:
        """Return one frame of a dataset, in the shape that it has, by its path (`faying.results.names.path_of`).

        Raises:
            ReadError: when it is damaged.
        """
        row = frame if frame >= 0 else len(self.root[path]) + frame
        found: np.ndarray = self._checked(path, row, row + 1)[0]
        return found

    def _rows(self, name: str, count: int) -> np.ndarray:
        """Return the first rows of a dataset of numbers."""
        first = self._sound.get(name, 0)
        if first >= count:
            return self._read(self.root[name], slice(count))
        rows = self._checked(name, 0, count, first)
        self._sound[name] = count
        return rows

    def _checked(self, name: str, start: int, stop: int, first: int = 0) -> np.ndarray:
        """Return rows of a dataset, with those from `first` on compared to their checksums.

        While they are being written, blocks that HDF5 cached as empty are read again.
        """
        for is_last in (not self._file.swmr_mode, True):
            rows = self._read(self.root[name], slice(start, stop))
            first = max(first, start)
            checks = self._row_checks(name, first, stop)
            wrong = np.flatnonzero(
                (checks != 0) & (checks != row_checksums(rows[first - start :])[: len(checks)])
            )
            if not len(wrong):
                break
            if is_last:
                raise self._damage(f"{_plain_name(name)} of frame {first + int(wrong[0])}")
            self.refresh()
        return rows

    def _read(self, dataset: h5py.Dataset, rows: int | slice) -> np.ndarray:
        try:
            return np.asarray(dataset[rows])
        except (OSError, RuntimeError) as error:  # h5py's errors for a missing page
            raise self._damage(_plain_name(dataset.name)) from error

    def _row_checks(self, name: str, start: int, stop: int) -> np.ndarray:
        """Return (at most stop - start,) checksums of rows; none in a file from before there were any."""
        if name not in self._columns:
            return np.zeros(0, np.uint32)
        if not self.complete:
            return self._read(self.root["checks"], slice(start, stop))[:, self._columns[name]]
        if len(self._checks) < stop:
            self._checks = self._read(self.root["checks"], slice(None))
        return self._checks[start:stop, self._columns[name]]

    def _damage(self, what: str) -> ReadError:
        return ReadError(self._path, None, f"{what} is damaged: it is not what was computed.", _AGAIN)

    def verify(self) -> None:
        """Read everything once.

        Raises:
            ReadError: when something is damaged; the sentence names the first place.
        """
        for name in self._lengths:
            if name == "checks":
                continue
            rows = max(1, int(MOST_BYTES // max(8 * np.prod(self.root[name].shape[1:]), 1)))
            for first in range(0, self.n_frames, rows):
                found = self._read(self.root[name], slice(first, min(first + rows, self.n_frames)))
                checks = self._row_checks(name, first, first + len(found))
                wrong = np.flatnonzero((checks != 0) & (checks != row_checksums(found)[: len(checks)]))
                if len(wrong):
                    raise self._damage(f"{_plain_name(name)} of frame {first + int(wrong[0])}")
        for name in self._constants():
            self.constant(name, _plain_name(name))
        for name in self.table_names:
            self.table(name)

    def label(self, frame: int) -> str:
        """Return the frame's name, or its time or load number in words."""
        if frame < len(self._labels):
            return self._labels[frame]
        return self.axis.label(self, frame)

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return (r,) flexible coordinates, None for unreduced results.

        Those that were asked for last are remembered until `refresh`: each joint and field of a frame needs them.
        """
        if self._latest is not None and self._latest[0] == frame:
            return self._latest[1].copy()
        if "coordinates" not in self.root:
            return None
        found = self.named("coordinates", frame)
        self._latest = frame, found.copy()
        return found

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return (r,) rates of the flexible coordinates, None where they are not stored."""
        return self.named("velocities", frame) if "velocities" in self.root else None

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return (r,) coordinates a quarter of a period later, None where frames are no operating shapes."""
        return self.named("quadrature", frame) if "quadrature" in self.root else None

    def period(self, frame: int) -> np.ndarray | None:
        """Return (2 H + 1, r) coefficients of the motion over the period of a frame; None for shapes and other runs."""
        return self.named("coefficients", frame) if "coefficients" in self.root else None

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return (3 n_nodes,) of unreduced results, None for reduced ones."""
        return self.named("displacement", frame) if "displacement" in self.root else None

    def stresses(self, frame: int) -> np.ndarray | None:
        """Return (n_nodes, 6) stresses of another program's results, NaN where it has none; None for our own."""
        if "stress" not in self.root:
            return None
        known = self.constant("stress_known", "the list of nodes with stresses")
        return np.where(known[:, None] > 0.0, self.named("stress", frame), np.nan)

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs, h) friction history, None without friction."""
        path = path_of("joints", joint, "history")
        return self.named(path, frame) if self.has(path) else None

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return stored gaps (n_pairs,) and slips (n_pairs, 2) of unreduced results, None for reduced ones."""
        base = path_of("joints", joint)
        if not self.has(f"{base}/gap"):
            return None
        return self.named(f"{base}/gap", frame), self.named(f"{base}/slip", frame)

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) offsets to subtract from the gaps before the contact law; None without hard contact."""
        path = path_of("joints", joint, "gap_offset")
        return self.named(path, frame) if self.has(path) else None

    def cycle_work(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) work of friction per area in a period of vibration; None where frames are no vibrations."""
        path = path_of("joints", joint, "cycle_work")
        return self.named(path, frame) if self.has(path) else None

    def on_surfaces(self, part: str, what: str, frame: int) -> list[tuple[str, np.ndarray]]:
        """Return values (n,) or (n, k) at the nodes of a part's contact surfaces, with the surface's name, by contact.

        Args:
            part: its name.
            what: name of the values: "pressure", "gap", "slip" or "friction_stress".
            frame: number of the frame.
        """
        found = []
        for name in self._lengths:
            words = names_on(name)
            if len(words) == 5 and words[:2] == ("surfaces", part) and words[4] == what:
                found.append((words[2], self.named(name, frame)))
        return found

    def temperatures(self, frame: int, part: str = "") -> np.ndarray | None:
        """Return (n,) changes of temperature at the nodes of all elements, element after element; None without any.

        Args:
            frame: its number.
            part: of a system; "" for the results of a body.
        """
        if not (whole := self.whole_temperatures(part)):
            return None
        keys = [CurveKey("factor", kind="load", owner=name, part=part) for name in whole]
        factors = [self.curve_at(key, frame) for key in keys]
        return np.asarray(sum(f * values for f, values in zip(factors, whole.values(), strict=True)))

    def whole_temperatures(self, part: str = "") -> dict[str, np.ndarray]:
        """Return (m,) temperature changes of each load at factor one, by its name.

        Args:
            part: of a system; "" for the results of a body.

        Raises:
            ReadError: when they are damaged.
        """
        if part not in self._temperatures:
            group = path_of("parts", part, "temperatures") if part else "temperatures"
            self._temperatures[part] = {
                name: self.constant(f"{group}/{path_of(name)}", f"temperatures of {name!r}")
                for name in self._names(group)
            }
        return self._temperatures[part]

    def constant(self, path: str, what: str) -> np.ndarray:
        """Return (n,) numbers that hold for all frames.

        Args:
            path: of the dataset (`faying.results.names.path_of`).
            what: name of the numbers, for the error message.

        Raises:
            ReadError: when the numbers are damaged.
        """
        try:
            node = self.root[path]
            found = np.asarray(node[()], float)
            sound = int(node.attrs["check"]) == array_checksum(found)
        except _DAMAGE as error:
            raise self._damage(what) from error
        if not sound:
            raise self._damage(what)
        return found

    def _constants(self) -> list[str]:
        """Return the names of the datasets that hold for all frames: each has its own checksum."""
        found: list[str] = []

        def visit(name: str, node: Any) -> None:
            if isinstance(node, h5py.Dataset) and "check" in node.attrs:
                found.append(name)

        try:
            self.root.visititems(visit)
        except _DAMAGE as error:
            raise self._damage("the list of what it holds") from error
        return found


class PartResults:
    """Frames of one part of a system: where it is, and how it is deformed in its own frame."""

    def __init__(self, results: Results, path: str, shape: int = 0) -> None:
        self._results, self._path, self._shape = results, path, shape
        self.axis = results.axis

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return self._results.n_frames

    @property
    def values(self) -> np.ndarray:
        """(n_frames,) times."""
        return self._results.values

    @property
    def curve_keys(self) -> tuple[CurveKey, ...]:
        """Keys of the part's own scalar histories, of its bolts, joints and loads, as those of a body."""
        own = names_on(self._path)[1]
        return tuple(replace(key, part="") for key in self._results.curve_keys if key.part == own)

    def curve(self, key: CurveKey) -> np.ndarray:
        """Return (n_frames,) values of one of them; KeyError for another key."""
        return self._results.curve(replace(key, part=names_on(self._path)[1]))

    def label(self, frame: int) -> str:
        """Return the name of a frame."""
        return self._results.label(frame)

    @property
    def warnings(self) -> tuple[QualityWarning, ...]:
        """Why the numbers of the whole system cannot be trusted."""
        return self._results.warnings

    def close(self) -> None:
        """Close the file of the whole system's results."""
        self._results.close()

    def placement(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Return position (3,) and rotation matrix (3, 3) of the part's frame."""
        motion = self._results.named(f"{self._path}/motion", frame)
        return motion[:3], rotation_matrix(motion[3:])

    def coordinates(self, frame: int) -> np.ndarray | None:
        """Return (r,) flexible coordinates, None for a rigid part."""
        return self._stored("coordinates", frame)

    def position(self, frame: int) -> np.ndarray:
        """Return (7 + r,) position and Euler parameters of the part's frame, then flexible coordinates."""
        flexible = self.coordinates(frame)
        motion = self._results.named(f"{self._path}/motion", frame)
        return motion if flexible is None else np.concatenate([motion, flexible])

    def rates(self, frame: int) -> np.ndarray | None:
        """Return (7 + r,) rates of the position, None where they are not stored."""
        return self._stored("rates", frame)

    def velocities(self, frame: int) -> np.ndarray | None:
        """Return (r,) rates of the flexible coordinates, None where they are not stored."""
        rates = self.rates(frame)
        return rates if rates is None else rates[7:]

    @cached_property
    def state(self) -> np.ndarray | None:
        """(7 + r,) position about which the part swings; None for frames of other motions."""
        path = f"{self._path}/state"
        return self._results.constant(path, _plain_name(path)) if self._results.has(path) else None

    def swing(self, frame: int) -> np.ndarray | None:
        """Return (2, 6 + r) deviation of an operating shape from the state, at its instant and a quarter period later.

        Displacement of the part's frame in space, small rotation about the axes that the frame has in the state, and
        flexible coordinates; None where frames are no operating shapes.
        """
        found = self._stored("swing", frame)
        return found if found is None or found.ndim == 2 else np.asarray(found[self._shape])

    def quadrature(self, frame: int) -> np.ndarray | None:
        """Return (r,) flexible coordinates of an operating shape a quarter of a period later, None without one."""
        found, state = self.swing(frame), self.state
        return None if found is None or state is None else state[7:] + found[1, 6:]

    def period(self, frame: int) -> np.ndarray | None:
        """Return (2 H + 1, 6 + r) coefficients of the swing over a period that begins with the frame; None for others.

        They are deviations from the state, as those of `swing`.
        """
        return self._stored("period", frame)

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return None: parts are given by coordinates."""
        return None

    def stresses(self, frame: int) -> np.ndarray | None:
        """Return None: stresses of parts follow from their coordinates."""
        return None

    def history(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs, h) friction history of a joint, None without friction."""
        return self._stored(path_of("joints", joint, "history"), frame)

    def _stored(self, path: str, frame: int) -> np.ndarray | None:
        path = f"{self._path}/{path}"
        return self._results.named(path, frame) if self._results.has(path) else None

    def on_surfaces(self, what: str, frame: int) -> list[tuple[str, np.ndarray]]:
        """Return values (n,) or (n, k) at the nodes of the part's contact surfaces, see `Results.on_surfaces`."""
        return self._results.on_surfaces(names_on(self._path)[1], what, frame)

    def gap_and_slip(self, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return None: they follow from the coordinates."""
        return None

    def gap_offset(self, joint: str, frame: int) -> np.ndarray | None:
        """Return None: motions have no contact multipliers."""
        return None

    def cycle_work(self, joint: str, frame: int) -> np.ndarray | None:
        """Return (n_pairs,) work of friction per area in a period of vibration; None where frames are no vibrations."""
        return self._stored(path_of("joints", joint, "cycle_work"), frame)

    def temperatures(self, frame: int) -> np.ndarray | None:
        """Return (n,) changes of temperature at the nodes of all elements, as those of a body; None without any."""
        return self._results.temperatures(frame, names_on(self._path)[1])


def _rows_of_datasets(root: h5py.Group, shapes: dict[str, list[int]], n_checked: int) -> dict[str, int]:
    """Return the number of rows, by name, of each dataset with a row for each frame.

    Args:
        root: the group of the results.
        shapes: columns by name.
        n_checked: number of datasets with checksums.

    Raises:
        ValueError: for the first dataset that is not of numbers with the stored number of columns.
        KeyError: for a missing dataset.
    """
    found = {}
    # Here h5py's own objects would take three times as long, and a motion has hundreds of datasets.
    for name, columns in {"axis_values": [], **shapes}.items():
        node = h5d.open(root.id, name.encode())
        if node.dtype.kind != "f" or not node.rank or list(node.shape[1:]) != columns:
            raise ValueError(f"{name} is damaged")
        found[name] = int(node.shape[0])
    if n_checked:
        checks = root["checks"].shape
        if checks[1:] != (n_checked,):
            raise ValueError("the checksums are damaged")
        found["checks"] = int(checks[0])
    written = root.get("written")
    if written is not None and (not isinstance(written, h5py.Dataset) or written.shape != (4,)):
        raise ValueError("how many frames there are is damaged")
    return found


def _report_text(root: h5py.Group) -> str | None:
    """Return the report as it was written, None when it is damaged."""
    text = root["report"][()]
    try:
        text = text.decode() if isinstance(text, bytes) else str(text)
    except UnicodeDecodeError:
        return None
    check = int(root["report_check"][()]) if "report_check" in root else 0
    return text if not check or check == text_checksum(text) else None
