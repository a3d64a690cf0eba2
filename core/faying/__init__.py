"""Contact and friction inside jointed flexible bodies: the numerical core, without a window.

What a script or notebook needs is here; the window and the command line call the same::

    import faying

    bar = faying.read("friction_bar.toml")      # or faying.build(name=…, bodies=[…], analyses=[…])
    pairs = bar.find_pairs("lap joint")         # faying.joints.pairs.ContactPairs
    body = bar.reduce("bar")                    # faying.reduction.body.ReducedBody
    end = bar.solve("end force")                # faying.session.solution.Solution
    pressure = end.field("pressure", unit="MPa")
    end.picture("pressure").save("pressure.png")

`read` and `build` return a `Session`: a project with its computed results. `mesh` makes a deck of a simple part.
Numbers may be texts with units ("0.1 kN") wherever a quantity is declared. An error that the user can fix is raised
as a `FayingError`, in one sentence.

Names load when they are first used: importing this package alone imports no numerical library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from faying.version import __version__

if TYPE_CHECKING:
    from faying.errors import Cancelled as Cancelled
    from faying.errors import FayingError as FayingError
    from faying.project import edits as edits
    from faying.project.checks import Finding as Finding
    from faying.project.document import Document as Document
    from faying.project.specs import Project as Project
    from faying.session import Session as Session
    from faying.session import build as build
    from faying.session import read as read
    from faying.session.meshes import MadeMesh as MadeMesh
    from faying.session.meshes import mesh as mesh
    from faying.session.picture import Picture as Picture
    from faying.session.solution import Solution as Solution
    from faying.session.solution import SystemSolution as SystemSolution

__all__ = [
    "Cancelled",
    "Document",
    "FayingError",
    "Finding",
    "MadeMesh",
    "Picture",
    "Project",
    "Session",
    "Solution",
    "SystemSolution",
    "__version__",
    "build",
    "edits",
    "mesh",
    "read",
]

_PLACES = {
    "Cancelled": "faying.errors",
    "Document": "faying.project.document",
    "FayingError": "faying.errors",
    "Finding": "faying.project.checks",
    "MadeMesh": "faying.session.meshes",
    "Picture": "faying.session.picture",
    "Project": "faying.project.specs",
    "Session": "faying.session",
    "Solution": "faying.session.solution",
    "SystemSolution": "faying.session.solution",
    "build": "faying.session",
    "edits": "faying.project",
    "mesh": "faying.session.meshes",
    "read": "faying.session",
}


def __getattr__(name: str) -> Any:
    """Return a public name from its module."""
    if name not in _PLACES:
        raise AttributeError(f"module 'faying' has no attribute {name!r}")
    place = _PLACES[name]
    if name == "edits":  # a module
        return import_module(f"{place}.{name}")
    return getattr(import_module(place), name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__doc__", "__file__", "__name__", "__path__"})
