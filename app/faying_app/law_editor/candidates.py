"""The laws that are compared, and the made-up project in which one of them is edited."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from faying.joints.friction_laws import FrictionLaw
from faying.project.paths import SpecPath, value_at, with_changed
from faying.project.recorded import Edit
from faying.project.specs import BodySpec, JointSpec, ModelSpec, Project
from faying_app.context import Context
from faying_app.forms.contact_suggestion import suggested_stiffness
from faying_app.forms.host import Suggestion
from faying_app.forms.project_host import ProjectFormHost
from faying_app.forms.sticking_suggestion import acting_law, suggested_sticking

LONE_JOINT: SpecPath = ("bodies", 0, "joints", 0)


@dataclass
class Candidate:
    """One of the compared laws; None is a joint without friction. Its curve keeps the style of that number."""

    law: Any
    style: int
    shown: bool = True


class CandidateHost:
    """A project in which the selected law replaces that of the joint: forms edit this copy, never the real project.

    Args:
        context: of the window; its project stays as it is.
        project: what surrounds the law.
        path: of the law in it.
        edited: called with the law after each edit.
    """

    def __init__(
        self, context: Context, project: Project, path: SpecPath, edited: Callable[[Any], None]
    ) -> None:
        self._real, self._edited, self._computed = ProjectFormHost(context), edited, context.computed
        self.project, self.path = project, path

    @property
    def units(self) -> str:
        """Unit system of the project."""
        return self.project.units

    def put(self, law: Any) -> None:
        """Put a law in the joint's place."""
        self.project = with_changed(self.project, self.path, lambda _: law)

    def value(self, path: SpecPath) -> Any:
        """Return what is at a path of the project."""
        return value_at(self.project, path)

    def names(self, choices: str, path: SpecPath) -> list[str]:
        """Return the names that a parameter may refer to: those of the real project."""
        return self._real.names(choices, path)

    def apply(self, label: str, edit: Edit) -> None:
        """Edit the law; raises ModelError when it is not allowed."""
        self.project = edit(self.project)
        self._edited(self.value(self.path))

    def picker(self, path: SpecPath, what: str) -> Callable[[], None] | None:
        """Return None: nothing is picked for it."""
        return None

    def opener(self, path: SpecPath) -> Callable[[], None] | None:
        """Return None: the law is in its editor already."""
        return None

    def duration(self, path: SpecPath) -> float:
        """Return 1: laws have no load history."""
        return 1.0

    def suggestion(self, path: SpecPath) -> Suggestion | None:
        """Return the stiffness that suits the mesh, for a contact law; what follows from it, for a friction law."""
        at = self._computed, self.project, path
        return suggested_stiffness(*at) or suggested_sticking(*at)

    def acting(self, law: Any) -> Any:
        """Return a law as it acts in the joint: a friction law with the stiffness that follows there."""
        return (
            acting_law(self._computed, self.project, self.path, law) if isinstance(law, FrictionLaw) else law
        )


def project_around(real: Project, joint: SpecPath) -> tuple[Project, SpecPath]:
    """Return a project with a joint, and the joint's path: the real one, or one made up where there is none."""
    if joint:
        return real, joint
    surface = {"kind": "deck_surface", "name": "any"}
    lone = JointSpec(name="joint", master=surface, slave=surface)
    body = BodySpec(name="body", model=ModelSpec(path="any.inp"), joints=(lone,))
    return Project(units=real.units, bodies=(body,)), LONE_JOINT


@dataclass(frozen=True)
class JointPlace:
    """A joint, or a contact between parts, by name: numbers in a path change when something before them goes.

    Empty names for none; `among` says in which lists of the project it is.
    """

    body: str = ""
    joint: str = ""
    among: tuple[str, str] = ("bodies", "joints")

    @classmethod
    def of(cls, project: Project, path: SpecPath) -> "JointPlace":
        """Return the place of the joint at a path; () for none."""
        if not path:
            return cls()
        among = str(path[0]), str(path[2])
        owner = getattr(project, among[0])[int(path[1])]
        return cls(owner.name, getattr(owner, among[1])[int(path[3])].name, among)

    def path(self, project: Project) -> SpecPath:
        """Return where the joint is now; () when it is gone."""
        owners, inner = self.among
        for i, owner in enumerate(getattr(project, owners)):
            for k, one in enumerate(getattr(owner, inner)):
                if (self.body, self.joint) == (owner.name, one.name):
                    return (owners, i, inner, k)
        return ()
