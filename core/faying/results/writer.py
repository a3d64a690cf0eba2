"""Streaming of results to disk, frame by frame, so that they can be shown during the run and survive its abrupt end."""

import json
import math
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from faying.checksums import array_checksum, row_checksums, text_checksum
from faying.errors import FayingError
from faying.hdf_files import append_rows
from faying.packed import pack
from faying.results.curve_key import CurveKey, curve_texts
from faying.results.memory import MemorySlots, read_memory
from faying.results.names import path_of
from faying.results.quality_warnings import Judge
from faying.results.results import MOST_BYTES, Results, head_checksum
from faying.results.room import begin_file, disk_full, require_room

_FLUSH_INTERVAL = 0.5  # s
_CHUNK = 65536  # bytes that belong together on disk, where a frame is not longer
# By default HDF5 keeps a megabyte of each of dozens of datasets in memory, although none is read again; only the chunk
# being filled is needed.
_CACHE_SIZE = 2 * _CHUNK
_HDF5_OVERHEAD = 1_000_000  # bytes that HDF5 may need for itself in one block of frames
_EMPTY_DATASET = 4_000  # bytes of an empty dataset
_PATIENCE = 20.0  # times longer than remembering took, before it is done again


class ResultsWriter:
    """Appends frames to a results file; every block of frames is on disk before the next one begins.

    A call to HDF5 takes as long as writing the numbers of dozens of frames, and there are many datasets: so frames are
    collected in memory, for half a second and up to 4 MB at most.

    Args:
        path: file to create.
        axis: see `faying.results.results.FrameSource`.
        body, frame: names of the body and of the interface that its frame is clamped to.
        system: name of the multibody system, in place of a body.
        sizes: length or shape of ``coordinates``, ``displacement``, ``parts/rod/motion`` …, by path
            (`faying.results.names.path_of`).
        joints: shapes of the datasets of a body's joints: {"joint": {"history": (n, h)}, …}.
        curves: keys of scalar histories.
        settings: the analysis' settings as plain words.
        labels: names of the frames, where time or load number are not enough.
        tables: number of rows and names of columns of each table.
        constants: numbers (n,) that hold for all frames, by path.
        any_order: whether frames are `put` at their places instead of appended.
        flush_every: largest number of frames in a block; slow runs write frame by frame.
        spare: bytes that stay free on the disk.
        after: an interrupted run of the same analysis; its frames are copied, and the next one is number `n_frames`.
        keep: largest number of copied frames; all by default.
        unknown: whether NaN is a value that was not measured, instead of a failure.
        begun: when the run began (s since 1970), if not now and not with the interrupted run.

    Raises:
        FayingError: before the disk is full, with the file still readable.
    """

    def __init__(
        self,
        path: Path,
        *,
        axis: str,
        body: str = "",
        frame: str = "",
        system: str = "",
        sizes: Mapping[str, int | tuple[int, ...]],
        joints: dict[str, dict[str, tuple[int, ...]]],
        curves: Iterable[CurveKey] = (),
        settings: dict[str, Any] | None = None,
        labels: tuple[str, ...] = (),
        tables: dict[str, tuple[int, tuple[str, ...]]] | None = None,
        constants: Mapping[str, np.ndarray] | None = None,
        any_order: bool = False,
        flush_every: int = 64,
        spare: float = 32e6,
        after: Results | None = None,
        keep: int | None = None,
        begun: float | None = None,
        unknown: bool = False,
    ) -> None:
        self._path, self._spare, self._flushed = Path(path), spare, time.monotonic()
        self._recall: Callable[[], Any] | None = None
        self._remember_again = 0.0
        self._require_free()
        texts = curve_texts(curves)
        self._curves = {key: path_of("curves", text) for key, text in texts.items()}
        begin_file(
            self._path, _HDF5_OVERHEAD + _EMPTY_DATASET * (len(sizes) + len(texts) + 4 * len(joints) + 8)
        )
        # No locks: a reader must never block the writer.
        self._file = h5py.File(path, "w", libver="latest", locking=False, rdcc_nbytes=_CACHE_SIZE)
        self._every, self.n_frames, self._any_order = flush_every, 0, any_order
        head, self._judge = self._file.attrs, Judge(settings or {}, unknown)
        body, frame, system = (path_of(name) if name else "" for name in (body, frame, system))
        words = {
            "begun": begun or (after.begun if after else time.time()), "axis": axis, "body": body, "frame": frame,
            "settings": json.dumps(settings or {}), "system": system, "any_order": any_order,
            "labels": json.dumps(labels) if labels else "",
            "curves": json.dumps({text: key.words() for key, text in texts.items()}),
        }  # fmt: skip
        head.update({name: value for name, value in words.items() if value or name in ("body", "frame")})
        self._file.create_dataset("complete", data=False)
        self._file.create_dataset("report", shape=(), dtype=h5py.string_dtype())
        self._file.create_dataset("report_check", shape=(), dtype=np.uint32)
        self._sets: dict[str, h5py.Dataset] = {}
        self._chunks: list[tuple[int, int]] = []  # rows and bytes of one of each dataset
        self._waiting: dict[str, list[np.ndarray]] = {}
        self._frame_bytes = 0
        self._add("axis_values", ())
        for name, size in sizes.items():
            self._add(name, size if isinstance(size, tuple) else (size,))
        for joint, shapes in joints.items():
            for name, shape in shapes.items():
                self._add(path_of("joints", joint, name), shape)
        for name in self._curves.values():
            self._add(name, ())
        for name, (rows, columns) in (tables or {}).items():
            _make_table(self._file, name, rows, columns)
        for name, values in (constants or {}).items():
            # Temperatures are the same in many elements.
            dataset = self._file.create_dataset(
                name, data=np.asarray(values, float), compression="lzf", shuffle=True
            )
            dataset.attrs["check"] = array_checksum(dataset[()])
        count = len(self._sets)
        self._checks = self._file.create_dataset(
            "checks", (0, count), np.uint32, maxshape=(None, count), chunks=(_chunk_rows(4 * count), count)
        )
        head.update(_kept(self._sets))
        head["check"] = head_checksum(head)
        self._written = self._file.create_dataset("written", data=np.zeros(4, np.int64))
        self._memory = MemorySlots(self._file)
        self._file.swmr_mode = True
        if after is not None:
            try:
                self._take_over(after, after.n_frames if keep is None else min(keep, after.n_frames))
            except BaseException:
                self._file.close()
                raise

    def _add(self, name: str, shape: tuple[int, ...]) -> None:
        bytes_per_frame = 8 * int(np.prod(shape, dtype=np.int64))
        self._frame_bytes += bytes_per_frame
        self._waiting[name] = []
        chunks = _chunk_rows(bytes_per_frame), *(max(s, 1) for s in shape)
        self._chunks.append((chunks[0], 8 * math.prod(chunks)))
        self._sets[name] = self._file.create_dataset(
            name,
            shape=(0, *shape),
            maxshape=(None, *(s or None for s in shape)),  # a chunk is not longer than that, but never empty
            chunks=chunks,
            dtype=np.float64,
            fillvalue=np.nan if self._any_order else 0.0,
        )

    def _take_over(self, after: Results, count: int) -> None:
        """Copy the first frames of an interrupted run, block by block."""
        step = max(1, int(MOST_BYTES) // max(self._frame_bytes, 1))
        for first in range(0, count, step):
            last = min(first + step, count)
            self._require_room(last - first)
            self.n_frames = last
            self._write({name: np.asarray(after.root[name][first:last]) for name in self._sets})
        self._note()
        self._write_waiting(read_memory(after))

    def append(
        self,
        value: float,
        named: Mapping[str, Any] | None = None,
        /,
        curves: Mapping[CurveKey, float] | None = None,
        **data: Any,
    ) -> None:
        """Append one frame: its axis value, every curve, and every other dataset by its path (`path_of`)."""
        items = self._items(value, named, curves, data)
        for name, waiting in self._waiting.items():
            waiting.append(self._judge.see(np.array(items[name], float), name, self.n_frames))
        self.n_frames += 1
        count = len(self._waiting["axis_values"])
        enough = count >= self._every or count * self._frame_bytes > MOST_BYTES
        if enough or time.monotonic() > self._flushed + _FLUSH_INTERVAL:
            self.flush()

    def _items(
        self,
        value: float,
        named: Mapping[str, Any] | None,
        curves: Mapping[CurveKey, float] | None,
        data: Mapping[str, Any],
    ) -> dict[str, Any]:
        of_curves = {self._curves[key]: number for key, number in (curves or {}).items()}
        return {**(named or {}), **of_curves, **data, "axis_values": value}

    def put(
        self,
        frame: int,
        value: float,
        named: Mapping[str, Any] | None = None,
        /,
        curves: Mapping[CurveKey, float] | None = None,
        **data: Any,
    ) -> None:
        """Write one frame at its place, in any order, and bring it to disk; arguments as of `append`."""
        self.n_frames = max(self.n_frames, frame + 1)
        self._require_room(self.n_frames)
        items = self._items(value, named, curves, data)
        rows = {name: np.array(items[name], float) for name in self._sets}
        for dataset in (self._checks, *self._sets.values()):
            if len(dataset) < self.n_frames:
                dataset.resize(self.n_frames, axis=0)
        self._checks[frame] = [row_checksums(row[None])[0] for row in rows.values()]
        for name, row in rows.items():
            if name != "axis_values":
                self._sets[name][frame] = row
        self._file.flush()
        self._sets["axis_values"][frame] = value  # marks the frame as written, so it is last
        self._file.flush()
        self._require_free()

    def write_table(self, name: str, values: np.ndarray) -> None:
        """Write a table (rows, columns) as far as it is known; not a number for the rest."""
        self._file[f"tables/{name}"][...] = values
        self._file[f"table_checks/{name}"][()] = array_checksum(self._file[f"tables/{name}"][...])

    @property
    def curve_keys(self) -> tuple[CurveKey, ...]:
        """Keys of the scalar histories."""
        return tuple(self._curves)

    def curve(self, key: CurveKey) -> np.ndarray:
        """Return (n_frames,) values of a curve so far, also of frames taken over; KeyError for another one."""
        name = self._curves[key]
        return np.concatenate([self._sets[name][()], np.array(self._waiting[name], float)])

    def flush(self) -> None:
        """Write everything to disk, including tables if no frame is buffered."""
        self._write_waiting()
        self._file.flush()
        self._require_free()

    def remember(self, recall: Callable[[], dict[str, Any] | None]) -> None:
        """Write restart data to disk, so that the run can be resumed from here (`faying.results.interrupted`).

        May be called after every step: data is written only at intervals at which it costs little, and again when the
        run is interrupted.

        Args:
            recall: returns the data as a dict that `faying.packed` can pack; None if there is none at that moment.
        """
        self._recall, began = recall, time.monotonic()
        if began > self._remember_again:
            self._write_waiting(_packed(recall))
            took = time.monotonic() - began
            self._remember_again = began + took + max(_FLUSH_INTERVAL, _PATIENCE * took)

    def _write_waiting(self, memory: bytes = b"") -> None:
        """Write the waiting frames and the restart data, then the number of frames."""
        first = self.n_frames - len(self._waiting["axis_values"])
        if first == self.n_frames and not memory:
            return
        self._require_room(self.n_frames - first, len(memory))
        if first < self.n_frames:
            self._write({name: np.array(waiting) for name, waiting in self._waiting.items()})
        for waiting in self._waiting.values():
            waiting.clear()
        if memory:
            self._memory.write(memory)
        self._note()

    def _write(self, rows: dict[str, np.ndarray]) -> None:
        """Write the last frames of all datasets, and their checksums."""
        checks = np.stack([row_checksums(rows[name]) for name in self._sets], axis=1)
        first = self.n_frames - len(checks)
        append_rows(self._checks, first, checks)
        for name, dataset in self._sets.items():
            append_rows(dataset, first, rows[name])

    def _note(self) -> None:
        """Flush frames to disk, and only then write their number."""
        self._file.flush()
        self._written[...] = self.n_frames, *self._memory.place
        self._file.flush()
        self._flushed = time.monotonic()

    def _require_room(self, frames: int, more: int = 0) -> None:
        """Reserve the disk space that a block of frames and some more bytes need at most."""
        size = _HDF5_OVERHEAD + more + sum((frames // rows + 2) * size for rows, size in self._chunks)
        require_room(self._path, self._file.id.get_filesize(), size)

    def _require_free(self) -> None:
        """Refuse to write on when less than the spare disk space is left."""
        if shutil.disk_usage(self._path.parent).free < self._spare:
            raise disk_full(self._path)

    def close(self, report: dict[str, Any] | None = None) -> None:
        """Close the file; with a report it counts as complete, without one the run can be resumed from it.

        Raises:
            FayingError: when the disk does not take the last frames; the file is closed all the same.
        """
        if not self._file:
            return
        try:
            self._write_waiting(_packed(self._recall) if report is None else b"")
            if report is not None:
                text = json.dumps(self._judge.judged(report))
                self._require_room(0, len(text))
                self._file["report"][()] = text
                self._file["report_check"][()] = text_checksum(text)
                self._file["complete"][()] = True
            self._file.flush()
        finally:
            self._file.close()

    def __enter__(self) -> "ResultsWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            self.close()
        except FayingError:
            if kind is None:  # otherwise the first error is raised
                raise


def _packed(recall: Callable[[], Any] | None) -> bytes:
    memory = None if recall is None else recall()
    return b"" if memory is None else pack(memory)


def _make_table(file: h5py.File, name: str, rows: int, columns: tuple[str, ...]) -> None:
    shape = rows, len(columns)
    table = file.create_dataset(f"tables/{name}", shape, np.float64, fillvalue=np.nan)
    table.attrs["columns"] = json.dumps(columns)
    file.create_dataset(f"table_checks/{name}", shape=(), dtype=np.uint32)


def _chunk_rows(bytes_per_frame: int) -> int:
    return int(np.clip(_CHUNK // max(bytes_per_frame, 1), 1, 256))


def _kept(sets: dict[str, h5py.Dataset]) -> dict[str, str]:
    """Return the attributes that name the datasets with checksums, and the columns of each."""
    shapes = {name: dataset.shape[1:] for name, dataset in sets.items()}
    return {"checked": json.dumps([*sets]), "shapes": json.dumps(shapes)}
