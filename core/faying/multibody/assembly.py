"""A system put together at its start: positions that meet the constraints, and how free it is there."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.multibody.bodies import FlexibleBody
from faying.multibody.history import History
from faying.multibody.initial import assembled_position
from faying.multibody.redundancy import Freedom, find_freedom, require_agreement
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec


@dataclass(frozen=True)
class Assembled:
    """A system at its assembled start.

    Attributes:
        system: with all equations, redundant ones included.
        position: (n,) that meets the constraints.
        velocity: (n,) as decided; the constraints may not allow it yet.
        history: with the angles of the constraints there.
        freedom: degrees of freedom and redundant equations.
    """

    system: MultibodySystem
    position: np.ndarray
    velocity: np.ndarray
    history: History
    freedom: Freedom


def assemble(spec: SystemSpec, bodies: Mapping[str, FlexibleBody]) -> Assembled:
    """Return a system put together from where its parts are placed.

    Args:
        spec: the decisions.
        bodies: of its flexible parts, by name.

    Raises:
        ModelError: for a system without parts, or with a body or marker that is missing.
        SolveError: when the parts cannot be put together, or prescribed motions contradict each other.
    """
    if not spec.parts:
        raise ModelError(f"The system {spec.name!r} has no parts.", "Add a rigid or a flexible part.")
    system = spec.build(bodies)
    q, v = spec.start(system)
    history = system.accepted(0.0, q, system.initial_history())
    q = assembled_position(system, q, history)
    freedom = find_freedom(system, q, history)
    require_agreement(system, q, history, freedom)
    return Assembled(system, q, v, history, freedom)
