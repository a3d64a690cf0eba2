"""How far forces were beyond the ends of their tables in a run."""

import math
from typing import Any

from faying.multibody.characteristics import Characteristic
from faying.multibody.system import MultibodySystem
from faying.solvers.integrators import State


class TableEnds:
    """The largest excess of each force beyond the ends of a characteristic, over the accepted steps.

    Args:
        system: the multibody system.
    """

    def __init__(self, system: MultibodySystem) -> None:
        self._system = system
        self._watches = any(_has_ends(member) for member in system.force_members)
        self._worst: dict[str, dict[str, Any]] = {}

    def see(self, after: State) -> None:
        """Take an accepted step."""
        if not self._watches:
            return
        for member, motions, angles in self._system.force_elements(after.q, after.v, after.history):
            for curve, x, quantity in member.arguments(motions, after.time, angles):
                lowest, highest = (-math.inf, math.inf) if curve is None else curve.ends()
                excess = max(x - highest, lowest - x)
                last = self._worst.get(member.name, {"excess": 0.0, "span": 1.0})
                if excess / (highest - lowest) > last["excess"] / last["span"]:
                    self._worst[member.name] = {
                        "name": member.name, "excess": excess, "span": highest - lowest, "quantity": quantity,
                        "time": after.time,
                    }  # fmt: skip

    def checkpoint(self) -> dict[str, Any]:
        """Return the largest excess of each force so far, by its name."""
        return self._worst

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore what `checkpoint` returned."""
        self._worst = checkpoint

    def summary(self) -> dict[str, list[dict[str, Any]]]:
        """Return the report's entry, one of each force that was beyond; {} for none."""
        return {"beyond_tables": list(self._worst.values())} if self._worst else {}


def _has_ends(member: Any) -> bool:
    values = (getattr(member, name) for name in type(member).model_fields)
    return any(isinstance(value, Characteristic) and math.isfinite(sum(value.ends())) for value in values)
