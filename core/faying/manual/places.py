"""The page and section of the manual that describe a decision of a project (F1 in the window)."""

from faying.errors import ModelError
from faying.manual import anchor
from faying.manual._tables import family_page
from faying.params import Member, Spec, family_of
from faying.project.paths import SpecPath, field_at, value_at
from faying.project.specs import Project


def place_of(project: Project, path: SpecPath) -> tuple[str, str]:
    """Return (name of the page, anchor of its section) for the decision at a path, or for its parent.

    A member of a family has its section on the page of the family, any other table one on that of the decisions.
    """
    while path:
        try:
            value = value_at(project, path)
            if isinstance(value, Member):
                return f"reference-{family_page(family_of(field_at(project, path)))}", anchor(
                    type(value).title
                )
        except ModelError:
            path = path[:-1]
            continue
        named = tuple(part for part in path if isinstance(part, str))
        if isinstance(value, (Spec, tuple)):
            return "reference-decisions", anchor(".".join(named))
        path = path[:-1]
    return "reference-decisions", anchor("project")
