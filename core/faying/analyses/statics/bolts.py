"""Bolts that steps tighten and lock at their length."""

from collections.abc import Sequence

import numpy as np

from faying.analyses.step_kinds import Step
from faying.errors import ModelError


def lockable(steps: Sequence[Step], names: Sequence[str], cut: Sequence[bool]) -> list[int]:
    """Return for each step the number of the bolt that it tightens, −1 for none.

    Args:
        steps: of a sequence.
        names: of the bolts and bolt-like beams.
        cut: which of them are cut.

    Raises:
        ModelError: when a bolt does not exist, or its length cannot be locked.
    """
    numbers = []
    known = ", ".join(name for name, is_cut in zip(names, cut, strict=True) if is_cut) or "none"
    for step in steps:
        found = -1
        if step.tightening is not None:
            wanted = step.tightening.bolt
            # Names of a deck match in any case, unless two of them differ in nothing else.
            alike = [i for i, name in enumerate(names) if name == wanted] or [
                i for i, name in enumerate(names) if name.upper() == wanted.strip().upper()
            ]
            if not alike:
                raise ModelError(f"There is no bolt called {wanted!r} to tighten.", f"There are: {known}.")
            found = alike[0]
            if not cut[found]:
                raise ModelError(
                    f"The length of {wanted!r} cannot be locked: it is a beam that is not cut.",
                    f"Cut it in the deck (*PRE-TENSION SECTION), or tighten one of: {known}.",
                )
        numbers.append(found)
    return numbers


def require_lockable(overlaps: np.ndarray, names: Sequence[str]) -> None:
    """Refuse bolts whose overlaps the trial vectors cannot change, or not independently of each other.

    Args:
        overlaps: (b, r) overlap rows of the bolts that are tightened.
        names: (b,) of these bolts.

    Raises:
        ModelError: naming the bolt.
    """
    sizes = np.linalg.norm(overlaps, axis=1)
    for i, name in enumerate(names):
        if not sizes[i]:
            raise ModelError(
                f"The length of bolt {name!r} cannot be locked: no trial vector moves its cut.",
                "Reduce the body again; its component modes then hold the response to the bolt's tension.",
            )
        others = overlaps[:i] / sizes[:i, None]
        left = overlaps[i] / sizes[i]
        if i:
            left = left - others.T @ np.linalg.lstsq(others.T, left, rcond=None)[0]
        if np.linalg.norm(left) < 1e-8:
            raise ModelError(
                f"The length of bolt {name!r} cannot be locked: its cut moves only together with those of "
                f"{' and '.join(names[:i])}.",
                "Take more component modes, or check whether two bolts are one and the same.",
            )
