"""A C program as a shared library of this machine, by whatever C compiler is on the search path."""

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_COMPILERS = ("cc", "gcc", "clang")
_PATIENCE = 300.0  # s


@dataclass(frozen=True)
class CompiledLibrary:
    """What became of a library.

    Attributes:
        path: the file; None where it could not be compiled.
        sentence: where it runs, or why it is not there.
    """

    path: Path | None
    sentence: str


def compiled_library(sources: Sequence[Path], folder: Path, name: str) -> CompiledLibrary:
    """Compile C files as a library of an FMU of version 2, in `folder / platform`.

    Args:
        sources: the files.
        folder: ``binaries`` of the FMU.
        name: of the library, without its ending.
    """
    place, ending, words = _platform()
    if not place:
        return CompiledLibrary(
            None, f"It holds C source: FMI 2 has no platform {platform.machine()} for a library."
        )
    found = next((path for each in _COMPILERS if (path := shutil.which(each))), None)
    if found is None:
        return CompiledLibrary(
            None, f"No C compiler ({', '.join(_COMPILERS)}) is on the path: it holds C source, to be compiled by "
            "the program that imports it."
        )  # fmt: skip
    target = folder / place / f"{name}{ending}"
    target.parent.mkdir(parents=True)
    call = [found, "-O2", "-std=c99", *words, "-shared", "-o", str(target), *map(str, sources), "-lm"]
    try:
        done = subprocess.run(call, capture_output=True, timeout=_PATIENCE, check=False)
        why = done.stderr.decode(errors="replace").strip().splitlines()
    except (OSError, subprocess.TimeoutExpired) as error:
        why, done = [str(error)], None
    if done is None or done.returncode or not target.is_file():
        target.unlink(missing_ok=True)
        reason = why[0] if why else "no reason given"
        return CompiledLibrary(None, f"{found} could not compile it ({reason}): it holds C source only.")
    return CompiledLibrary(
        target, f"It runs on {place} without anything else; its C source is in it for others."
    )


def _platform() -> tuple[str, str, list[str]]:
    """Return the FMI 2 name of this platform ("" for one that it has not), ending of libraries, and options."""
    machine = platform.machine().lower()
    if sys.platform == "darwin":
        return "darwin64", ".dylib", ["-arch", "x86_64", "-arch", "arm64", "-fPIC"]
    if machine not in ("x86_64", "amd64"):
        return "", "", []
    return ("win64", ".dll", ["-static-libgcc"]) if sys.platform == "win32" else ("linux64", ".so", ["-fPIC"])
