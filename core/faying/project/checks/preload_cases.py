"""Preload cases: existing targets of their loads, and existing cases in analyses."""

from collections.abc import Iterator

from faying.errors import FayingError, there_are
from faying.fem.model import FeModel
from faying.params import Spec, fields_of
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.specs import BodySpec


@checks.register("preload_cases")
@spoils("preload")
def preload_cases(checked: CheckedProject) -> Iterator[Finding]:
    """Check that every preload case has loads with existing targets, and that analyses name existing cases."""
    for path, body, model in checked.bodies():
        for i, case in enumerate(body.preloads):
            place: EntityPath = (*path, "preloads", i)
            if not case.loads and not body.model.is_reduced:
                yield Finding(
                    "error", place, f"Preload case {case.name!r} has no load.",
                    "Add bolt forces in pairs, a pressure or an interference, or remove the case.",
                )  # fmt: skip
            for j, load in enumerate(case.loads):
                for sentence, hint in _problems(checked, load, body, model):
                    yield Finding(
                        "error", (*place, "loads", j), f"Preload case {case.name!r}: {sentence}", hint
                    )
    known = {body.name: [case.name for case in body.preloads] for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        cases = known.get(analysis.owner, [])
        for name in getattr(analysis, "preloads", ()):
            if name not in cases:
                yield Finding(
                    "error", ("analyses", i, "preloads"),
                    f"Analysis {analysis.name!r} acts under a preload case {name!r}, which the body has not.",
                    there_are(name, cases),
                )  # fmt: skip


def _problems(
    checked: CheckedProject, load: Spec, body: BodySpec, model: FeModel | None
) -> Iterator[tuple[str, str]]:
    """Yield (sentence, hint) for every name in a load that does not exist, and for surfaces without facets."""
    known = {
        "interface": ("interface node", [item.name for item in body.interfaces]),
        "joint": ("joint", [item.name for item in body.contact_joints]),
    }
    if model is not None:
        single = sorted(name for name, rows in model.node_sets.items() if len(rows) == 1)
        known["node_set"] = ("node set of one node", single)
        known["bolt"] = ("bolt", [bolt.name for bolt in model.bolts])
    for name, _, extra in fields_of(load):
        what, names = known.get(str(extra.get("choices", "")), ("", []))
        value = getattr(load, name)
        # Names of a deck's sets and bolts match in any case.
        of_deck = extra.get("choices") in ("node_set", "bolt")
        alike = {known.upper() for known in names} if of_deck else set()
        if what and value and value not in names and str(value).strip().upper() not in alike:
            yield f"there is no {what} called {value!r}.", there_are(str(value), names)
        if model is not None and hasattr(value, "select"):
            try:
                value.select(model, checked.skin(model))
            except FayingError as error:
                yield error.message, error.hint
