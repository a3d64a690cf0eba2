"""Assembled initial states of a project's systems whose bodies have been reduced."""

from collections.abc import Mapping

from faying.errors import FayingError
from faying.multibody.assembly import Assembled, assemble
from faying.multibody.bodies import FlexibleBody
from faying.multibody.system_spec import SystemSpec
from faying.reduction.body import ReducedBody


def assembled_system(spec: SystemSpec, reduced: Mapping[str, ReducedBody]) -> Assembled | FayingError | None:
    """Return the assembled system, or the error that prevents it; None while a body of one of its parts is not reduced.

    Contact in joints and friction between parts are left out: they change neither the initial state nor the degrees of
    freedom.

    Args:
        spec: the decisions.
        reduced: reduced bodies by name, as far as available.
    """
    names = spec.body_names()
    if not spec.parts or not set(names) <= set(reduced):
        return None
    try:
        smooth = spec.with_(contacts=tuple(each.with_(friction_law=None) for each in spec.contacts))
        return assemble(smooth, {name: FlexibleBody(name, reduced[name]) for name in names})
    except FayingError as error:
        return error
