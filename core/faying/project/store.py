"""The store of artifacts and results by key: a writable folder layered over a read-only project file.

Layout of the folder: ``<key>.h5`` an artifact (record under ``value``), ``<key>.results.h5`` complete results,
``<key>.partial.h5`` results of a running or interrupted analysis, ``<key>.json`` the recipe of a key, ``<key>.lock``
while a process computes it. In a project file the same are groups ``/artifacts/<key>``, ``/results/<key>`` and texts
``/recipes/<key>``.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faying.atomic import remove_leftovers, replacing, write_text
from faying.errors import FayingError, ReadError
from faying.hdf_files import new_file, open_hdf
from faying.progress import Progress
from faying.project.lock import Holder, claim
from faying.project.recipe import Recipe
from faying.records import copy_mark, mark, read_marked, write_record
from faying.results.copying import copy_results
from faying.results.quality_warnings import QualityWarning
from faying.results.results import Results, earlier_results

log = logging.getLogger(__name__)

# Errors on reading a damaged or foreign HDF5 file: h5py's own, missing names, unknown records, wrong contents.
_DAMAGE = (
    OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, OverflowError, FayingError,
)  # fmt: skip


@dataclass(frozen=True)
class ResultsPlace:
    """Place of results: a file and a group in it.

    Attributes:
        path, group: see above.
        complete: False for an interrupted or a running analysis.
        reached: start time (s since 1970) and number of frames, for interrupted runs only.
        warnings: why complete results are doubtful.
    """

    path: Path
    group: str
    complete: bool
    reached: tuple[float, int] = (0.0, 0)
    warnings: tuple[QualityWarning, ...] = ()

    def open(self) -> Results:
        """Open the results; the caller closes them."""
        return Results(self.path, self.group)


class StoredArtifacts:
    """The artifacts in a project file, opened for each access, so that the file can be replaced meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._damaged: set[str] = set()

    def has(self, key: str) -> bool:
        """Return whether the file holds the artifact."""
        return key not in self._damaged and self._answers(lambda file: f"artifacts/{key}/value" in file)

    def place(self, key: str) -> tuple[Path, str] | None:
        """Return the file and group of an artifact, None if it is missing."""
        return (self.path, f"artifacts/{key}/value") if self.has(key) else None

    def read(self, key: str) -> Any:
        """Return the artifact; raises as `ArtifactStore.read`, KeyError also for a damaged one."""
        if not self.has(key):
            raise KeyError(key)
        try:
            with open_hdf(self.path) as file:
                return read_marked(file[f"artifacts/{key}"], key)
        except _DAMAGE as error:
            if _tells_nothing(error):
                raise _not_read(self.path, error) from error
            log.warning("artifact %s in %s is damaged and will be computed again: %s", key, self.path, error)
            self._damaged.add(key)
            raise KeyError(key) from error

    def results(self, key: str) -> ResultsPlace | None:
        """Return the place of the results of a key, None if the file has none."""
        try:
            with open_hdf(self.path) as file:
                if f"results/{key}" not in file:
                    return None
        except _DAMAGE:
            return None
        return _place_of(self.path, f"/results/{key}")

    def recipes(self) -> dict[str, Recipe]:
        """Return all recipes by key."""
        found: dict[str, Recipe] = {}
        try:
            with open_hdf(self.path) as file:
                for key, node in file.get("recipes", {}).items():
                    with _logged("recipe %s in %s cannot be read: %s", key, self.path):
                        found[key] = _recipe_of(key, node[()].decode())
        except _DAMAGE as error:
            log.warning("the recipes in %s cannot be read: %s", self.path, error)
        return found

    def _answers(self, question: Any) -> bool:
        try:
            with open_hdf(self.path) as file:
                return bool(question(file))
        except _DAMAGE:
            return False


class ArtifactStore:
    """Artifacts and results by key.

    Args:
        folder: folder for new ones; created if missing.
        below: project file whose artifacts are also available, or None.
    """

    def __init__(self, folder: Path, below: Path | None = None) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.below = StoredArtifacts(below) if below is not None else None
        self._known: dict[
            str, Recipe
        ] = {}  # the relevant part of a recipe never changes, so each is read once
        self._known_below: tuple[object, dict[str, Recipe]] = (None, {})
        self._complete: dict[
            _Seen, ResultsPlace
        ] = {}  # the window asks often, and opening takes milliseconds
        self._whole: dict[Path, tuple[int, int, int]] = {}  # state of artifacts when they could be opened
        self._sound: set[_Seen] = set()
        self._damaged: set[_Seen] = set()
        remove_leftovers(self.folder)

    def has(self, key: str) -> bool:
        """Return whether an artifact exists and its file can be opened; contents are not verified."""
        return self.place(key) is not None

    def read(self, key: str) -> Any:
        """Return an artifact; a damaged file is moved aside and counts as missing.

        Raises:
            KeyError: when it is not there.
            FayingError: when it cannot be read for a reason unrelated to it, such as too many open files.
        """
        path = self.artifact_path(key)
        if path.exists():
            try:
                with open_hdf(path) as file:
                    return read_marked(file, key)
            except FileNotFoundError:
                pass  # somebody has removed it meanwhile
            except _DAMAGE as error:
                if _tells_nothing(error):
                    raise _not_read(path, error) from error
                log.warning("artifact %s is damaged and will be computed again: %s", path, error)
                with suppress(OSError):
                    path.unlink()
        if self.below is not None:
            return self.below.read(key)
        raise KeyError(key)

    def write(self, key: str, value: Any, recipe: Recipe | None = None) -> None:
        """Store an artifact with its recipe.

        Raises:
            FayingError: when it cannot be written; the previous one is kept.
        """
        try:
            with replacing(self.artifact_path(key)) as beside, new_file(beside) as file:
                write_record(file, "value", value)
                mark(file, key)
        except (OSError, RuntimeError) as error:
            raise _not_written(self.folder, error) from error
        if recipe is not None:
            self.write_recipe(recipe)

    def write_recipe(self, recipe: Recipe) -> None:
        """Store a recipe, even for an outcome that is not stored; it explains later why others are stale."""
        path = self.folder / f"{recipe.key}.json"
        try:
            # Always again: the youngest of a target is the one that "changed since" compares with.
            write_text(path, recipe.to_text(), durable=False)
            self._known[recipe.key] = recipe
        except OSError as error:
            raise _not_written(self.folder, error) from error

    def place(self, key: str) -> tuple[Path, str] | None:
        """Return the file of an artifact and the group in it, None if it is missing."""
        if self._is_whole(self.artifact_path(key)):
            return self.artifact_path(key), "value"
        return self.below.place(key) if self.below is not None else None

    def artifact_path(self, key: str) -> Path:
        """Return the file of an artifact in the folder."""
        return self.folder / f"{key}.h5"

    def results_path(self, key: str) -> Path:
        """Return the file for complete results in the folder."""
        return self.folder / f"{key}.results.h5"

    def partial_path(self, key: str) -> Path:
        """Return the file of a running or interrupted analysis."""
        return self.folder / f"{key}.partial.h5"

    @contextmanager
    def claim(self, key: str, progress: Progress) -> Iterator[None]:
        """Hold a key while its outcome is computed; waits while another process computes it.

        Raises:
            Cancelled: when asked to stop waiting.
            FayingError: when the lock file cannot be written.
        """

        lock = self.folder / f"{key}.lock"

        def wait(holder: Holder) -> None:
            elsewhere = f" (if there is none any more, remove {lock})" if holder.since else ""
            progress.report(0.0, f"waiting for {holder}, which computes it{elsewhere}")

        with ExitStack() as held:
            try:
                held.enter_context(claim(lock, wait))
            except OSError as error:
                raise _not_written(self.folder, error) from error
            yield

    def begin_results(self, key: str, *, restart: bool = False) -> Path:
        """Return the file for the results of a run; the file of an interrupted run is moved aside.

        It is not overwritten, so that whoever still looks at it is not disturbed, and an analysis that can go
        on from it finds it (`faying.results.interrupted`) until the run is complete. Of several the one that got
        furthest counts: a run that was interrupted again soon may have fewer frames than the one before.

        Args:
            key: of the results.
            restart: the run is to begin at its start: what an interrupted one left is removed.

        Raises:
            FayingError: when the disk has no room for a copy of what is in the project file, or an interrupted run is
                there that cannot be opened now.
        """
        path = self.partial_path(key)
        earlier = earlier_results(path)
        for file in () if restart else (path, earlier):
            try:
                file.open("rb").close()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise _not_read(file, error) from error
        furthest = self._interrupted(key)
        # Where an open file cannot be renamed or removed, it is overwritten.
        with suppress(PermissionError):
            if restart or furthest is None:
                earlier.unlink(missing_ok=True)
            elif furthest.path == path:
                path.replace(earlier)
            elif furthest.path != earlier:
                self._copy_out(furthest, earlier)
            path.unlink(missing_ok=True)
        return path

    def _copy_out(self, place: ResultsPlace, path: Path) -> None:
        """Copy results in a project file to a separate file."""
        try:
            with replacing(path, durable=False) as beside, new_file(beside) as file:
                copy_results(place.path, place.group, file)
        except (OSError, RuntimeError) as error:
            raise _not_written(self.folder, error) from error

    def _interrupted(self, key: str) -> ResultsPlace | None:
        """Return the place of the most advanced interrupted run since the last restart."""
        path = self.partial_path(key)
        places = (self._place(path), self._place(earlier_results(path)), self._below(key))
        found = [place for place in places if place is not None and not place.complete]
        return max(found, key=lambda place: place.reached, default=None)

    def complete_results(self, key: str) -> None:
        """Turn the partial results into complete ones."""
        # If an open file cannot be renamed, the old name is kept; the file itself is marked complete.
        with suppress(PermissionError):
            self.partial_path(key).replace(self.results_path(key))
        with suppress(PermissionError):
            earlier_results(self.partial_path(key)).unlink(missing_ok=True)

    def results(self, key: str) -> ResultsPlace | None:
        """Return the place of the results of a key: complete ones, else interrupted ones, else None.

        Results found damaged by `verify_results` count as missing.
        """
        for place in (self._place(self.results_path(key)), self._place(self.partial_path(key))):
            if place is not None and place.complete:
                return place
        below = self._below(key)
        return below if below is not None and below.complete else self._interrupted(key)

    def is_unsaved(self, key: str) -> bool:
        """Return whether the folder has results of a key, or frames of an interrupted run, missing in the file."""
        own = self.results(key)
        if own is None or own.path.parent != self.folder:
            return False
        below = self._below(key)
        return below is None or not (below.complete or (not own.complete and below.reached >= own.reached))

    def keys_in_file(self) -> tuple[str, ...]:
        """Return all keys in the file."""
        return tuple(self._stored_recipes())

    def keep_from_file(self, keys: Iterable[str]) -> list[str]:
        """Copy outcomes missing in the folder from the file into the folder; return the copied keys.

        Args:
            keys: keys that will be removed from the file.

        Raises:
            FayingError: when it cannot be written.
        """
        copied, recipes = [], self._stored_recipes()
        for key in keys:
            place = self._below(key)
            if place is not None and self.results(key) == place:
                self._copy_out(place, self.results_path(key) if place.complete else self.partial_path(key))
            elif (
                place is None
                and self.below is not None
                and self.place(key) == self.below.place(key) is not None
            ):
                self._copy_artifact(key)
            else:
                continue
            if key in recipes and self.below is not None:
                self.write_recipe(recipes[key])
                times = self.below.path.stat()  # it is no younger than the file: see `recipes`
                os.utime(self.folder / f"{key}.json", ns=(times.st_atime_ns, times.st_mtime_ns))
            copied.append(key)
        return copied

    def _copy_artifact(self, key: str) -> None:
        """Copy an artifact in the project file to a separate file."""
        assert self.below is not None
        try:
            with (
                open_hdf(self.below.path) as source,
                replacing(self.artifact_path(key), durable=False) as beside,
                new_file(beside) as file,
            ):
                source.copy(source[f"artifacts/{key}/value"], file, name="value")
                copy_mark(source[f"artifacts/{key}"], file)
        except (OSError, RuntimeError) as error:
            raise _not_written(self.folder, error) from error

    def _place(self, path: Path) -> ResultsPlace | None:
        return self._undamaged(_seen(path, "/"), lambda: _place_of(path))

    def _below(self, key: str) -> ResultsPlace | None:
        below = self.below
        if below is None:
            return None
        return self._undamaged(_seen(below.path, f"/results/{key}"), lambda: below.results(key))

    def _undamaged(
        self, seen: "_Seen | None", find: Callable[[], ResultsPlace | None]
    ) -> ResultsPlace | None:
        """Return the results found by `find`, cached if complete; None for damaged ones."""
        if seen is None or seen in self._damaged:
            return None
        found = self._complete.get(seen) or find()
        if found is not None and found.complete:
            self._complete[seen] = found
        return found

    def verify_results(self, key: str) -> bool:
        """Return whether the results of a key are undamaged; reads them once per file.

        Damaged ones count as missing from then on.

        Raises:
            FayingError: when they cannot be read for a reason unrelated to them, such as too many open files.
        """
        place = self.results(key)
        seen = None if place is None else _seen(place.path, place.group)
        if place is None or seen is None:
            return False
        if seen in self._sound:
            return True
        try:
            with closing(place.open()) as results:
                results.verify()
        except _DAMAGE as error:
            if _tells_nothing(error):
                raise _not_read(place.path, error) from error
            log.warning("results are damaged and will be computed again: %s", error)
            self._damaged.add(seen)
            return False
        self._sound.add(seen)
        return True

    def recipes(self) -> dict[str, Recipe]:
        """Return all known recipes by key, the most recently used last."""
        times = {}
        for path in self.folder.glob("*.json"):
            with suppress(FileNotFoundError):  # somebody has removed it meanwhile
                times[path] = path.stat().st_mtime_ns
        files = sorted(times, key=times.__getitem__)
        for path in files:
            if path.stem not in self._known:
                with _logged("recipe %s in %s cannot be read: %s", path.stem, self.folder):
                    self._known[path.stem] = _recipe_of(path.stem, path.read_text(encoding="utf-8"))
        mine = {path.stem: self._known[path.stem] for path in files if path.stem in self._known}
        return {**{key: recipe for key, recipe in self._stored_recipes().items() if key not in mine}, **mine}

    def recipe(self, key: str) -> Recipe | None:
        """Return the recipe of a key, None if unknown."""
        path = self.folder / f"{key}.json"
        if key not in self._known and path.exists():
            with _logged("recipe %s in %s cannot be read: %s", key, self.folder):
                self._known[key] = _recipe_of(key, path.read_text(encoding="utf-8"))
        return self._known.get(key) or self._stored_recipes().get(key)

    def _stored_recipes(self) -> dict[str, Recipe]:
        if self.below is None:
            return {}
        try:
            stamp = (self.below.path, self.below.path.stat().st_mtime_ns)
        except OSError:
            return {}
        if self._known_below[0] != stamp:
            self._known_below = (stamp, self.below.recipes())
        return self._known_below[1]

    def _is_whole(self, path: Path) -> bool:
        try:
            status = path.stat()
            seen = status.st_ino, status.st_mtime_ns, status.st_size
            if self._whole.get(path) != seen:
                with open_hdf(path) as file:
                    if "value" not in file:
                        return False
                self._whole[path] = seen
        except _DAMAGE:  # or missing
            return False
        return True


def _place_of(path: Path, group: str = "/") -> ResultsPlace | None:
    """Return the place of results in an existing file; None if unreadable."""
    try:
        results = Results(path, group)
    except ReadError as error:
        log.debug("results %s cannot be read (yet): %s", path, error)
        return None
    try:
        complete = results.complete
        reached = (0.0, 0) if complete else (results.begun, len(results.frames_there))
        return ResultsPlace(path, group, complete, reached, results.warnings)
    except _DAMAGE as error:
        log.debug("results %s cannot be read: %s", path, error)
        return None
    finally:
        results.close()


_Seen = tuple[Path, str, int, int]


def _seen(path: Path, group: str) -> _Seen | None:
    """Return an identifier of results, which changes when they are replaced; None if they are gone."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return path, group, found.st_mtime_ns, found.st_size


def _recipe_of(key: str, text: str) -> Recipe:
    """Return the recipe of a text; raises ValueError if it does not belong to the key."""
    recipe = Recipe.from_text(text)
    if recipe.key != key:
        raise ValueError("it is not what was written")
    return recipe


@contextmanager
def _logged(sentence: str, *names: object) -> Iterator[None]:
    """Log damage found in the block, and continue."""
    try:
        yield
    except _DAMAGE as error:
        log.warning(sentence, *names, error)


def _tells_nothing(error: BaseException) -> bool:
    """Return whether an error comes from the operating system, with a number, unrelated to the contents."""
    return any(isinstance(each, OSError) and each.errno is not None for each in (error, error.__cause__))


def _not_read(path: Path, error: Exception) -> FayingError:
    found = error if isinstance(error, OSError) else error.__cause__
    reason = os.strerror(found.errno) if isinstance(found, OSError) and found.errno else str(error)
    return FayingError(f"A result cannot be read now from {path} ({reason}).", "Mend that, and run again.")


def _not_written(folder: Path, error: Exception) -> FayingError:
    reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
    return FayingError(
        f"A result could not be written to {folder} ({reason}).", "Free some disk space there and run again."
    )
