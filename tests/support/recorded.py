"""Answers that were recorded once: texts by name in a file, of which each test looks at one.

Numbers may differ by a percent, so that nothing hangs on a processor's round-off.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")


def recorded(path: Path) -> dict[str, list[str]]:
    """Return the lines of each text of a file, without those that are empty."""
    found, name = dict[str, list[str]](), ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[name].append(line[2:])
        elif line:
            name = line
            found[name] = []
    return found


def record(path: Path, makers: Mapping[str, Callable[[], Iterable[str]]]) -> None:
    """Write the texts anew."""
    texts = [
        [name, *(f"  {line}".rstrip() for line in make() if line.strip()), ""]
        for name, make in makers.items()
    ]
    path.write_text("\n".join(line for text in texts for line in text), encoding="utf-8")


def assert_as_recorded(found: Iterable[str], wanted: list[str], close: float = 1e-2) -> None:
    """Compare lines word for word, and the numbers in them to a share of themselves."""
    lines = [line.rstrip() for line in found if line.strip()]
    for one, other in zip(lines, wanted, strict=False):
        numbers = [np.array([float(x) for x in _NUMBER.findall(text)]) for text in (one, other)]
        alike = _NUMBER.sub("#", one) == _NUMBER.sub("#", other)
        assert alike and np.allclose(*numbers, rtol=close, atol=1e-12), f"{one}\nwas\n{other}"
    assert len(lines) == len(wanted), "\n".join(lines)
