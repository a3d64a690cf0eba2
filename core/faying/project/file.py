"""The project file ``.faying``: one HDF5 file with the decisions as text and the computed artifacts.

Layout: attributes `format`, `schema_version`, `program`; texts ``/project.toml`` (the study) and ``/view.json``
(view state, meaningful to the window only); groups ``/artifacts/<key>``, ``/results/<key>``; texts
``/recipes/<key>``. It is written to a temporary file that replaces the old one, so that a crash or full disk leaves the
old file unchanged.
"""

import itertools
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import h5py
import numpy as np

from faying.atomic import remove_leftovers, replacing
from faying.checksums import DamagedError, text_checksum
from faying.errors import FayingError, ReadError
from faying.fingerprint import fingerprint
from faying.hdf_files import has_endless_heap, new_file, open_hdf
from faying.input_files import check_regular
from faying.progress import Progress, Silent
from faying.project.deck import with_digests, without_digests
from faying.project.recipe import Recipe
from faying.project.specs import SCHEMA_VERSION, Project
from faying.project.store import ArtifactStore
from faying.project.study import read_study, study_of, study_text
from faying.records import copy_mark
from faying.results.copying import copy_results
from faying.version import __version__

log = logging.getLogger(__name__)

FORMAT = "faying project"
EXTENSION = ".faying"
_SIGNATURE = b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True)
class OpenedProject:
    """Contents of a project file apart from artifacts.

    Attributes:
        project: the decisions, with absolute deck paths.
        view: the view state's text.
        path: the file.
        run_of: identity of the study whose run wrote it (`faying.project.run_place`); "" if decisions have changed
            since, or it was not written by a run.
    """

    project: Project
    view: str
    path: Path
    run_of: str = ""


def numbered_files(path: Path) -> Iterator[Path]:
    """Yield paths in the same folder with numbers from 2 on appended to the name."""
    return (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))


def unused_file(path: Path) -> Path:
    """Return the first unused of the `numbered_files` of a path."""
    return next(free for free in numbered_files(path) if not free.exists())


class ProjectChanged(FayingError):  # noqa: N818 - a state, not a mistake
    """A project file contains other decisions than when it was opened."""


def decisions_in(path: Path) -> str:
    """Return a fingerprint of the decisions in a project or study file; "" without one, "unreadable" for any other."""
    if not path.exists():
        return ""
    try:
        if path.suffix.lower() == ".toml":
            return decisions_digest(read_study(path))
        _check_signature(path)
        return _digest_of_text(_read(path)[0], path)
    except ReadError:
        return "unreadable"


@lru_cache(maxsize=4)
def _digest_of_text(text: str, path: Path) -> str:
    """Return the fingerprint of the decisions in a study's text; cached, since saving needs it several times."""
    return decisions_digest(study_of(text, path))


def require_decisions(path: Path, *allowed: str) -> None:
    """Raise an error unless the decisions in a file (`decisions_in`) are among the allowed ones.

    Raises:
        ProjectChanged: when they are not; the caller can allow their replacement.
    """
    if decisions_in(path) not in allowed:
        raise ProjectChanged(
            f"{path.name} was changed by another program meanwhile: it holds other decisions now.",
            "Save under another name, or open it again.",
        )


def same_decisions(one: Project, other: Project) -> bool:
    """Return whether two projects have the same decisions, whatever the contents of their decks."""
    return without_digests(one) == without_digests(other)


def decisions_digest(project: Project) -> str:
    """Return the fingerprint of `decisions_in` for a file with these decisions and absolute deck paths."""
    return fingerprint(without_digests(project))


def save_project(
    path: str | Path,
    project: Project,
    view: str,
    store: ArtifactStore,
    recipes: Iterable[Recipe],
    *,
    base: Path | None = None,
    progress: Progress | None = None,
    replaces: str | None = None,
    run_of: str | None = None,
) -> None:
    """Write a project file; the old one is kept until the new one is complete on disk.

    Args:
        path: the file; folders are not created.
        project: the decisions.
        view: view state, an arbitrary text.
        store: store of the artifacts and results; it may be based on the file at `path`.
        recipes: recipes of the artifacts to write (`Pipeline.reached`).
        base: folder of relative deck paths; the current one by default.
        progress: reports and cancels; a cancelled save leaves the old file.
        replaces: `decisions_in` of the file to replace; None replaces any file.
        run_of: identity of the study whose run writes it, "" for none; None keeps that of a replaced file with the same
            decisions.

    Raises:
        ProjectChanged: when the file now contains other decisions than these and those of `replaces`; it stays
            unchanged.
        FayingError: when it cannot be written; the old file stays unchanged.
    """
    path, progress = Path(path), progress or Silent()
    text = study_text(with_digests(project, base or Path.cwd()), path.absolute().parent, base, complete=True)
    kept = list(recipes)
    try:
        with replacing(path) as beside, new_file(beside) as file:
            file.attrs["format"] = FORMAT
            file.attrs["schema_version"] = SCHEMA_VERSION
            file.attrs["program"] = f"Faying {__version__}"
            for name, content in (("project.toml", text), ("view.json", view)):
                file[name] = content
                file[name].attrs["check"] = text_checksum(content)
            file.attrs["run_of"] = _run_of(path, text) if run_of is None else run_of
            file.attrs["run_of_decisions"] = fingerprint(text)
            for group in ("artifacts", "results", "recipes"):
                file.create_group(group)
            for i, recipe in enumerate(kept):
                progress.report(i / len(kept), "saving")
                _keep(file, recipe, store)
            _keep_recipes(file, kept, store)
            # Check as late as possible, since writing may have taken long.
            if replaces is not None:
                require_decisions(path, replaces, _digest_of_text(text, path))
        remove_leftovers(path.absolute().parent, path.name)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise FayingError(
            f"The project could not be saved to {path} ({reason}). What was there before is untouched.",
            "Free some space there, or save it somewhere else.",
        ) from error
    progress.report(1.0, "saved")


def open_project(path: str | Path) -> OpenedProject:
    """Return the project in a file. Artifacts are read later through a store based on the file.

    Raises:
        ReadError: when the file is missing, not a project, truncated, or was written by a newer version.
    """
    path = Path(path)
    _check_signature(path)
    text, view, run_of = _read(path)
    return OpenedProject(study_of(text, path), view, path, run_of)


def _read(path: Path) -> tuple[str, str, str]:
    """Return the study's text, the view state and `OpenedProject.run_of` of a project file.

    Raises:
        ReadError: as `open_project`.
    """
    try:
        with open_hdf(path) as file:
            if file.attrs.get("format") != FORMAT:
                raise ReadError(path, None, "this is an HDF5 file, but not a Faying project.", _OTHER_FILE)
            version = int(file.attrs["schema_version"])
            if version > SCHEMA_VERSION:
                program = file.attrs.get("program", "a newer Faying")
                raise ReadError(
                    path, None,
                    f"it was written by {program} (schema {version}; this version reads up to {SCHEMA_VERSION}).",
                    "Install the newer version to open it.",
                )  # fmt: skip
            text, view = _text(file["project.toml"]), _view_of(file, path)
            if not text.strip():  # even a project without decisions is written with its name
                raise DamagedError("/project.toml is empty")
            untouched = file.attrs.get("run_of_decisions") == fingerprint(text)
            run_of = str(file.attrs.get("run_of", "")) if untouched else ""
    except OSError as error:
        log.info("%s cannot be opened: %s", path, error)
        cut = "truncated" in str(error)
        raise ReadError(
            path, None, "the file is cut off." if cut else "the file is damaged.",
            _COPY_AGAIN,
        ) from error  # fmt: skip
    except (KeyError, ValueError, RuntimeError, AttributeError, TypeError, OverflowError) as error:
        raise ReadError(
            path, None, "the project in it is damaged.", "Go back to a backup of the file."
        ) from error
    return text, view, run_of


_COPY_AGAIN = "The copy was probably interrupted: copy it again, or go back to a backup."
_OTHER_FILE = "Choose a file that Faying has saved (*.faying), or import a deck (*.inp)."


def _run_of(path: Path, text: str) -> str:
    """Return `run_of` of the existing file, "" if its decisions differ from those of a text."""
    try:
        _check_signature(path)
        there, _, run_of = _read(path)
        same = not run_of or _digest_of_text(there, path) == _digest_of_text(text, path)
    except ReadError:
        return ""
    return run_of if same else ""


def _check_signature(path: Path) -> None:
    try:
        check_regular(path)
        with path.open("rb") as stream:
            begin = stream.read(len(_SIGNATURE))
    except FileNotFoundError:
        raise ReadError(
            path, None, "there is no such file.", f"Looked in {path.absolute().parent}."
        ) from None
    except IsADirectoryError:
        raise ReadError(path, None, "this is a folder.", "Choose a project file in it.") from None
    except OSError as error:
        raise ReadError(path, None, f"the file cannot be read ({error.strerror}).") from None
    if not begin:
        raise ReadError(path, None, "the file is empty.", "Go back to a backup of the file.")
    if begin != _SIGNATURE:
        raise ReadError(path, None, "this is not a Faying project.", _OTHER_FILE)
    if has_endless_heap(path):
        raise ReadError(path, None, "the file is damaged.", _COPY_AGAIN)


def _keep(file: h5py.File, recipe: Recipe, store: ArtifactStore) -> None:
    """Copy one artifact or result with its recipe; unreadable ones are left out."""
    key = recipe.key
    place = store.results(key)
    artifact = None if place is not None else store.place(key)
    if place is not None:
        copy_results(place.path, place.group, file["results"].create_group(key))
    elif artifact is not None:
        source_path, group = artifact
        with open_hdf(source_path) as source:
            place_here = file["artifacts"].create_group(key)
            source.copy(source[group], place_here, name="value")
            copy_mark(source[group].parent, place_here)
    else:
        log.warning("%s of %s is gone and was not saved", recipe.stage, recipe.body)
        return
    known = store.recipe(key)
    recipe = replace(recipe, made_with=known.made_with) if known else recipe
    file[f"recipes/{key}"] = recipe.to_text()


def _keep_recipes(file: h5py.File, kept: list[Recipe], store: ArtifactStore) -> None:
    """Write also the recipes of inputs, which later explain why an artifact is out of date."""
    waiting = [key for recipe in kept for key in recipe.needs.values()]
    while waiting:
        key = waiting.pop()
        recipe = store.recipe(key) if f"recipes/{key}" not in file else None
        if recipe is not None:
            file[f"recipes/{key}"] = recipe.to_text()
            waiting += recipe.needs.values()


def _view_of(file: h5py.File, path: Path) -> str:
    """Return the view state, empty if damaged, which loses no decision."""
    try:
        return _text(file["view.json"])
    except (OSError, ValueError, RuntimeError, AttributeError) as error:
        log.warning("the view state in %s is damaged: %s", path, error)
        return ""


def _text(node: h5py.Dataset) -> str:
    value = node[()]
    if isinstance(value, np.ndarray) or not isinstance(value, (bytes, str)):
        raise ValueError(f"{node.name} is not a text")
    text = value.decode() if isinstance(value, bytes) else value
    if "check" in node.attrs and int(node.attrs["check"]) != text_checksum(text):
        raise DamagedError(f"{node.name} is not what was written")
    return text
