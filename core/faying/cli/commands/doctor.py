"""``faying doctor``: a check of this machine that names what is missing."""

import argparse
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from faying.cli import system
from faying.cli.commands import Command, commands
from faying.cli.licences import NEITHER, required_licences
from faying.cli.terminal import table
from faying.errors import MissingDependencyError

# Optional packages, and the features that need them.
_OPTIONAL = {
    "numba": "without it assembly, contact and motion take several times as long",
    "pymetis": "without it large bodies need more memory to factor",
    "rslab": "without it large bodies take longer to factor",
    "vtk": "without it there is neither window nor picture",
    "pyvista": "without it there is neither window nor picture",
    "pyside6-essentials": "without it there is no window",
    "pyvistaqt": "without it there is no window",
    "pyqtgraph": "without it there is neither window nor drawn curve",
    "imageio": "without it there are no films",
    "imageio-ffmpeg": "without it films need an ffmpeg of the system that encodes H.264",
}

_CONDITION = re.compile(r"""(sys_platform|platform_machine|python_version) (==|!=|<|>=) ['"]([\w.]+)""")
_BOUND = re.compile(r"(<|>=)\s*([\d.]+)")

_EXTRAS = {
    "amg": "bodies whose factor does not fit into memory",
    "cad": "meshes of CAD files",
    "cluster": "studies on a cluster",
    "fmi": "motions as FMUs",
    "manual": "the manual as a site",
}


@dataclass(frozen=True)
class Diagnosis:
    """Result of one check: whether it passed, whether it is required, and the text to print."""

    thing: str
    well: bool
    needed: bool
    sentence: str


@commands.register("doctor")
class Doctor(Command):
    """Checks Python, packages, libraries, display, graphics, films and disk."""

    summary = "check this machine and name what is missing"
    order = 90

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument(
            "--licences", action="store_true", help="list the licences of all that the program needs, instead"
        )

    def run(self, args: argparse.Namespace) -> int:
        """Print one line per check; 1 if a requirement is missing, or has a licence that the program cannot rely on."""
        if args.licences:
            return _tell_licences()
        lacking = 0
        for found in diagnose():
            mark = "ok     " if found.well else ("missing" if found.needed else "note   ")
            print(f"{mark} {found.thing}: {found.sentence}", flush=True)
            lacking += found.needed and not found.well
        return 1 if lacking else 0


def _tell_licences() -> int:
    found = list(required_licences())
    rows = [(each.package, each.version, each.text, each.kind) for each in found]
    print(table(rows, ("package", "version", "licence", "kind")))
    if any(each.package == "imageio-ffmpeg" for each in found):
        print("The ffmpeg in imageio-ffmpeg has its own licence (GPL) and runs as a separate process.")
    return 1 if any(each.kind == NEITHER for each in found) else 0


def diagnose() -> Iterator[Diagnosis]:
    """Yield the result of each check."""
    new_enough = sys.version_info >= (3, 11)
    words = f"{platform.python_version()} on {platform.platform()}"
    yield Diagnosis(
        "Python", new_enough, True, words if new_enough else f"{words}; install Python 3.11 or newer."
    )
    needed, extras = _requirements()
    for name in needed:
        yield _package(name)
    for extra, names in extras.items():
        if names:
            yield _extra(extra, names)
    yield _solver()
    if system.has_window():
        yield from _window()
        yield _film()
    else:
        yield Diagnosis("window", False, False, system.CORE_ALONE)
    yield _disk()


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Return the requirements of the installed distribution on this platform, and those of each of `_EXTRAS`."""
    listed: list[str] = []
    for distribution in ("faying", "faying-core"):
        try:
            listed = requires(distribution) or []
            break
        except PackageNotFoundError:
            continue
    needed: list[str] = []
    extras: dict[str, list[str]] = {extra: [] for extra in _EXTRAS}
    for requirement in listed:
        name, _, marker = requirement.partition(";")
        package = re.match(r"[\w.-]+", name)
        if package is None or not _holds(marker):
            continue
        extra = re.search(r"""extra == ['"]([\w-]+)""", marker)
        if extra is None:
            needed.append(name.strip())
        elif extra[1] in extras:
            extras[extra[1]].append(name.strip())
    return needed, extras


def _holds(marker: str) -> bool:
    """Return whether the marker of a requirement holds here, by its conditions on platform, machine and Python."""
    here = {"sys_platform": sys.platform, "platform_machine": platform.machine()}

    def holds(name: str, sign: str, value: str) -> bool:
        if name == "python_version":
            return (_numbers(value) > sys.version_info[:2]) == (sign == "<")
        return (here[name] == value) == (sign == "==")

    return any(
        all(holds(*condition) for condition in _CONDITION.findall(alternative))
        for alternative in marker.split(" or ")
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _suits(found: str, requirement: str) -> bool:
    """Return whether a version lies within the bounds of a requirement."""
    return all((_numbers(found) < _numbers(at)) == (sign == "<") for sign, at in _BOUND.findall(requirement))


def _extra(extra: str, names: list[str]) -> Diagnosis:
    lacking = [name for name in names if not _package(name).well]
    plain = ", ".join(_name(each) for each in lacking or names)
    if not lacking:
        return Diagnosis(_EXTRAS[extra], True, False, f"{plain} here")
    wanted = " ".join(f'"{each}"' for each in lacking)
    advice = f"{plain} not installed, or in another version: {sys.executable} -m pip install {wanted}"
    return Diagnosis(_EXTRAS[extra], False, False, advice)


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def _package(requirement: str) -> Diagnosis:
    """Return whether the package of a requirement is here in a version within its bounds."""
    name = _name(requirement)
    loss = _OPTIONAL.get(name.lower(), "")
    advice = f'{f"{loss}; " if loss else ""}install it: {sys.executable} -m pip install "{requirement}"'
    try:
        found = version(name)
    except PackageNotFoundError:
        return Diagnosis(name, False, not loss, advice)
    if not _suits(found, requirement):
        return Diagnosis(name, False, not loss, f"{found}, which has not been tried; {advice}")
    if name.lower() == "pyside6-essentials" and found.startswith("6.12.0") and sys.version_info < (3, 12):
        why = f"{found} ends the program after some hundred signals on Python 3.11"
        return Diagnosis(name, False, True, f'{why}: install "PySide6-Essentials<6.12".')
    return Diagnosis(name, True, True, found)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "of unknown version"


def _solver() -> Diagnosis:
    from faying.linalg.backends import factor_backends

    kinds = {name: kind for name, kind in factor_backends.items() if kind.is_available()}
    names = sorted(kinds, key=lambda name: kinds[name].rank)
    first, *others = (f"{name} ({kinds[name].library} {_version(kinds[name].library)})" for name in names)
    words = f"in use is {first}" + (
        f", and where it does not suit {', then '.join(others)}" if others else ""
    )
    if "pardiso" in names:
        return Diagnosis("sparse solvers", True, False, words)
    advice = "on x86 processors large bodies factor a third faster with MKL: pip install mkl"
    return Diagnosis("sparse solvers", False, False, f"{words}; {advice}.")


def _window() -> Iterator[Diagnosis]:
    missing = system.missing_libraries()
    sentence = system.install_sentence(list(missing.values())) if missing else "all here"
    yield Diagnosis(
        "window libraries", not missing, False, f"{', '.join(missing)}: {sentence}" if missing else sentence
    )
    why = system.why_no_window()
    yield Diagnosis(
        "window", not why, False, f"opens on display {system.display()}" if not why
        else f"{why} Everything but the window works: use --no-window.",
    )  # fmt: skip
    renderer, why = system.graphics_renderer()
    yield Diagnosis("pictures", not why, True, why or f"drawn by {renderer}")


def _film() -> Diagnosis:
    from faying.exporters.film_program import film_program

    try:
        return Diagnosis("films", True, True, f"encoded by {film_program()}")
    except MissingDependencyError as error:
        return Diagnosis("films", False, True, str(error))


def _disk() -> Diagnosis:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    words = f"{free:.1f} GB free in {Path.cwd()}"
    return Diagnosis(
        "disk", free > 2.0, False, words if free > 2.0 else f"{words}; make room, runs need about 2 GB."
    )
