"""The system of a run in which events change it."""

from typing import Any

from faying.multibody.system import MultibodySystem


class RunningSystem(MultibodySystem):
    """The system as it moves at the moment; what records a run looks at it, and sees another one behind an event.

    Constraints and forces keep their order and names: only which of them are active changes.

    Args:
        system: at the start.
    """

    def __init__(self, system: MultibodySystem) -> None:
        self.now = system
        self.become(system)

    def become(self, system: MultibodySystem) -> None:
        """Be another system from now on."""
        self.__dict__.update(system.__dict__)
        self.now = system

    def remembered(self) -> dict[str, Any]:
        """Return which constraints and forces are active, by name, and which equations are left out."""
        constraints, forces = ({each.name: each.active for each in members}
                               for members in (self.constraint_members, self.force_members))  # fmt: skip
        left_out = [int(i) for i in self._equations.left_out]
        held = {c.name: float(getattr(c, c.held_by)) for c in self.constraint_members if c.held_by}
        return {"constraints": constraints, "forces": forces, "held": held, "left out": left_out}

    def restore(self, remembered: dict[str, Any]) -> None:
        """Be again the system that `remembered` tells."""
        whole = self.now.switched(remembered["constraints"], remembered["forces"], remembered["held"])
        self.become(whole.without(remembered["left out"]))
