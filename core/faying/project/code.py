"""The code of computations: modules that a computation depends on, each with a digest.

Dependencies follow from imports, including those inside functions (`faying.project.syntax`). For a family whose members
are specs (laws, methods, analyses) only members named by the decisions are included; any other family is included as a
whole, unless one of its members is named.

A member from another distribution that reads data files names them in its module, relative to it, to include them::

    DATA_FILES = ("friction_over_speed.csv",)
"""

import json
import logging
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

from faying.atomic import write_text
from faying.fingerprint import file_digest
from faying.project import syntax
from faying.project.home import home
from faying.project.syntax import ModuleSyntax
from faying.version import __version__

log = logging.getLogger(__name__)

# Decisions, files, progress and infrastructure of stages, which do not affect results.
_NOT_COMPUTING = {
    "faying", "faying.atomic", "faying.checksums", "faying.child_process", "faying.errors", "faying.fingerprint",
    "faying.hdf_files", "faying.linalg.freed_memory", "faying.packed", "faying.params", "faying.plot",
    "faying.progress", "faying.project", "faying.project.deck", "faying.project.file_names", "faying.project.specs",
    "faying.project.stage", "faying.project.stages", "faying.project.store", "faying.records", "faying.registry",
    "faying.results.copying", "faying.results.interrupted", "faying.results.memory", "faying.results.results",
    "faying.results.room", "faying.results.writer", "faying.parallel", "faying.parallel.cluster",
    "faying.parallel.task", "faying.parallel.pool", "faying.parallel.processes", "faying.version",
}  # fmt: skip
_STAGES = "faying.project.stages"


class Code:
    """The sources of the program, or of a copy of it, each read on first use.

    Args:
        root: folder that contains the package.
        cache: file that stores digests by time and size of their sources; None for no cache.
    """

    def __init__(self, root: Path, cache: Path | None = None) -> None:
        self._root, self._cache = Path(root), cache
        self._modules: dict[str, ModuleSyntax | None] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[str, ...], dict[str, str]] = {}
        self._kept: dict[str, list[object]] | None = None
        self._news = False

    def digests(self, modules: Iterable[str]) -> dict[str, str]:
        """Return by name the digest of each module on which the given ones depend.

        Args:
            modules: modules of a stage, and of the members of families that its decisions name.
        """
        given = tuple(sorted({name for name in modules if name not in _NOT_COMPUTING}))
        if given not in self._found:
            names = {name for module in given for name in self._reached_from(module)}
            for family in [name for name in names if (found := self._module(name)) and found.whole_family]:
                if not any(name.startswith(f"{family}.") for name in given):
                    names |= {name for member in self._members(family) for name in self._reached_from(member)}
            self._found[given] = {n: found.digest for n in sorted(names) if (found := self._module(n))}
            for name in sorted(names):
                self._found[given] |= _data_digests(name)
            self._keep()
        return self._found[given]

    def _reached_from(self, module: str) -> frozenset[str]:
        if module not in self._reached:
            seen: set[str] = set()
            waiting = [module]
            while waiting:
                name = waiting.pop()
                if name in seen or (name != module and not _computes(name)):
                    continue
                found = self._module(name)
                if found is not None:
                    seen.add(name)
                    waiting += found.imports
            self._reached[module] = frozenset(seen)
        return self._reached[module]

    def _members(self, family: str) -> list[str]:
        folder = self._root.joinpath(*family.split("."))
        return [f"{family}.{path.stem}" for path in folder.glob("*.py") if not path.stem.startswith("_")]

    def _module(self, name: str) -> ModuleSyntax | None:
        if name not in self._modules:
            self._modules[name] = self._read(name)
        return self._modules[name]

    def _read(self, name: str) -> ModuleSyntax | None:
        """Return the digest of a module's code; if there is only byte code, the program's version is used."""
        file = self._file(name)
        if file is None:
            return ModuleSyntax(__version__, (), False) if name in sys.modules else None
        found = file.stat()
        stamp = [_way_of_digesting(), found.st_mtime_ns, found.st_size]
        kept = self._known().get(str(file))
        if kept is not None:
            with suppress(TypeError, ValueError, KeyError):
                before, words = kept
                if before == stamp:
                    assert isinstance(words, dict)
                    return ModuleSyntax(words["digest"], tuple(words["imports"]), words["whole_family"])
        ours = {"faying", name.partition(".")[0]}
        read = syntax.read_syntax(
            file.read_text(encoding="utf-8"),
            name if file.name == "__init__.py" else name.rpartition(".")[0],
            lambda other: other.partition(".")[0] in ours and self._file(other) is not None,
        )
        self._known()[str(file)] = [stamp, asdict(read)]
        self._news = True
        return read

    def _file(self, name: str) -> Path | None:
        """Return the source path of a module of the program, or of another distribution's member."""
        if name.partition(".")[0] != "faying":
            file = getattr(sys.modules.get(name), "__file__", None)
            return Path(file) if file and file.endswith(".py") else None
        path = self._root.joinpath(*name.split("."))
        files = (path / "__init__.py", path.with_suffix(".py"))
        return next((found for found in files if found.exists()), None)

    def _known(self) -> dict[str, list[object]]:
        if self._kept is None:
            self._kept = {}
            if self._cache is not None:
                with suppress(OSError, ValueError):
                    found = json.loads(self._cache.read_text(encoding="utf-8"))
                    self._kept = found if isinstance(found, dict) else {}
        return self._kept

    def _keep(self) -> None:
        """Write the digests to the cache, without those of files that no longer exist."""
        if not self._news or self._cache is None:
            return
        self._news = False
        kept = {file: words for file, words in self._known().items() if Path(file).exists()}
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            write_text(self._cache, json.dumps(kept), durable=False)
        except OSError as error:
            log.info("digests of modules cannot be kept and are made again next time: %s", error)


@cache
def _way_of_digesting() -> str:
    """Return a digest of the digesting code itself, so that digests cached by another version are recomputed."""
    source = Path(syntax.__file__)
    return file_digest(source) if source.exists() else __version__


@cache
def installed_code() -> Code:
    """Return the code run by this process."""
    return Code(Path(__file__).parents[2], home() / "module-digests.json")


def _data_digests(module: str) -> dict[str, str]:
    """Return a digest of each file in the ``DATA_FILES`` of a module from another distribution."""
    loaded = sys.modules.get(module)
    if module.partition(".")[0] == "faying" or loaded is None or not loaded.__file__:
        return {}
    folder, found = Path(loaded.__file__).parent, {}
    for name in getattr(loaded, "DATA_FILES", ()):
        try:
            found[f"{module}: {name}"] = file_digest(folder / name)
        except OSError:
            found[f"{module}: {name}"] = "missing"
    return found


def _computes(name: str) -> bool:
    package, _, own = name.rpartition(".")
    # Results of other stages are covered by their keys; code shared by stages is included.
    return name not in _NOT_COMPUTING and (package != _STAGES or own.startswith("_"))
