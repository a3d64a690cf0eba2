"""Results that are out of date, shown with the model, body, pairs and laws that they were computed with."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from faying.analyses import Analysis, BodyAnalysis
from faying.errors import FayingError, ModelError
from faying.exporters.content import ExportContent
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection, surface_selections
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import find_skin
from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.joints.friction_laws import FrictionLaw, friction_laws
from faying.joints.pairs import ContactPairs
from faying.params import build, fields_of
from faying.progress import Progress
from faying.project.bodies import body_of_results
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.friction_laws import acting_friction
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.recipe import Recipe
from faying.project.specs import JointSpec, Project
from faying.project.stage import target_of
from faying.project.store import ArtifactStore
from faying.registry import Registry
from faying.results.fields import FieldContext, Kept

EARLIER = " (earlier)"


def analysis_of(project: Project, name: str) -> Analysis | None:
    """Return the analysis named with its earlier results ("press (earlier)"); None for other names."""
    known = {analysis.name: analysis for analysis in project.analyses}
    return known.get(name.removesuffix(EARLIER)) if name.endswith(EARLIER) and name not in known else None


def earlier_recipe(
    project: Project, analysis: Analysis, store: ArtifactStore, pipeline: Pipeline, base: Path
) -> Recipe | None:
    """Return the recipe of the newest outdated results of an analysis, None when there are none."""
    try:
        return pipeline.earlier(project, target_of(analysis), store, base)
    except FayingError:
        return None  # the project in its present form cannot be computed


def earlier_content(
    project: Project,
    store: ArtifactStore,
    analysis: Analysis,
    *,
    base: Path,
    pipeline: Pipeline,
    memory: Memory,
    progress: Progress,
    kept: Callable[[FeModel], Kept],
) -> ExportContent:
    """Return the content of an analysis' earlier results; arguments as for `export_content`.

    Raises:
        ModelError: when there are none, when their model, body or pairs are missing, or when they belong to a system.
    """
    if not isinstance(analysis, BodyAnalysis):
        raise ModelError(
            f"Of the earlier results of {analysis.name!r}, which move a whole system, only curves can be seen.",
            "Export curves, or run the analysis again.",
        )
    recipe = earlier_recipe(project, analysis, store, pipeline, base)
    place = store.results(recipe.key) if recipe is not None else None
    if recipe is None or place is None:
        raise ModelError(
            f"Analysis {analysis.name!r} has no earlier results.",
            "They are kept when the program has changed since, until newer ones are out of date, too.",
        )
    spec, needs = project.body(analysis.body), recipe.needs

    def value(name: str) -> Any:
        key = needs.get(name, "")
        if key not in memory:
            try:
                memory.put(key, store.read(key))
            except KeyError:
                raise ModelError(
                    f"The earlier results of {analysis.name!r} cannot be shown: their {name} is not kept any more.",
                    "Run the analysis again.",
                ) from None
        return memory.get(key)

    was = recipe.reads["joints"]
    if set(was) != {joint.name for joint in spec.contact_joints}:
        raise ModelError(
            f"The earlier results of {analysis.name!r} are of a body with other joints: {', '.join(was) or 'none'}.",
            "Give the joints these names again, or run the analysis.",
        )
    model: FeModel = value("model")
    numbers = _numbers_of_joints(analysis, recipe, store)
    pairs: dict[str, ContactPairs] = {j.name: value(numbers[j.name]) for j in spec.contact_joints}
    results = place.open()
    reduced = body_of_results(
        _as_preloaded(analysis, recipe),
        spec,
        model,
        pairs,
        results.frame_of_reference,
        partial(value, "body"),
    )
    laws = {
        joint.name: _laws(joint, was[joint.name], base, model, pairs[joint.name])
        for joint in spec.contact_joints
    }
    skin = find_skin(model)
    sides = {j.name: _sides(j, store.recipe(needs[numbers[j.name]])) for j in spec.contact_joints}
    return ExportContent(
        title=f"{analysis.name}{EARLIER}",
        units=project.units,
        model=model,
        context=FieldContext(
            results, reduced, {name: law for name, (law, _) in laws.items()},
            {name: law for name, (_, law) in laws.items()}, pairs, model, kept(model), progress=progress,
            strengths=spec.strengths,
        ),
        surfaces={
            name: facing_sides(model, master.select(model, skin), slave.select(model, skin))
            for name, (master, slave) in sides.items()
        },
        pairs=pairs,
    )  # fmt: skip


def _numbers_of_joints(analysis: BodyAnalysis, recipe: Recipe, store: ArtifactStore) -> dict[str, str]:
    """Return the name ("pairs 2") under which each joint's contact pairs entered the results, by the joint's old name.

    The pairs are numbered in the former order of the joints, which is known from the reduced body, or else from the
    pairs' own recipes. These keep the joint's name at the time of the pair search; a joint renamed since then is the
    remaining one.

    Raises:
        ModelError: when neither gives the order.
    """
    was = recipe.reads["joints"]
    numbers = [f"pairs {i + 1}" for i in range(len(was))]
    body = store.recipe(recipe.needs.get("body", ""))
    if body is not None:
        names = list(body.reads["joints"])
    else:
        found = [store.recipe(recipe.needs.get(number, "")) for number in numbers]
        names = [each.item if each is not None else "" for each in found]
        left, renamed = [n for n in was if n not in names], [n for n in names if n not in was]
        if len(left) == len(renamed) == 1:
            names[names.index(renamed[0])] = left[0]
    if sorted(names) != sorted(was):
        raise ModelError(
            f"The earlier results of {analysis.name!r} cannot be shown: the order of their joints is not kept.",
            "Run the analysis again.",
        )
    return dict(zip(names, numbers, strict=True))


def _as_preloaded(analysis: BodyAnalysis, recipe: Recipe) -> BodyAnalysis:
    """Return the analysis with its former preload cases; its recipe reads none if there were none."""
    if not hasattr(analysis, "preloads"):
        return analysis
    return analysis.model_copy(update={"preloads": tuple(recipe.reads["analysis"].get("preloads", ()))})


def _sides(joint: JointSpec, was: Recipe | None) -> tuple[SurfaceSelection, SurfaceSelection]:
    """Return the former selections of a joint's master and slave surface; the present ones if they were not stored."""
    if was is None or "master" not in was.reads:  # a body read in reduced form has its pairs in its file
        return joint.master, joint.slave
    return _selection(was.reads["master"]), _selection(was.reads["slave"])


def _selection(words: dict[str, Any]) -> SurfaceSelection:
    return build(surface_selections[words["kind"]], {k: v for k, v in words.items() if k != "kind"})


def _laws(
    joint: JointSpec, was: dict[str, Any], base: Path, model: FeModel, pairs: ContactPairs
) -> tuple[ContactLaw, FrictionLaw | None]:
    """Return the former laws of a joint: the present ones if they are the same."""
    contact = _law(joint.contact_law, was["contact_law"], contact_laws, joint, base)
    friction = was.get("friction_law", joint.friction_law)  # an analysis without friction reads none
    if isinstance(friction, dict):
        friction = _law(joint.friction_law, friction, friction_laws, joint, base)
    return contact, acting_friction(f"Joint {joint.name!r}", contact, friction, model, pairs)


def _law(law: Any, was: dict[str, Any], family: Registry[Any], joint: JointSpec, base: Path) -> Any:
    if law is not None and with_file_contents(law, base).model_dump(mode="json") == was:
        return with_absolute_files(law, base)
    words = dict(was)
    made = build(family[words.pop("kind")], words)
    if any(extra.get("choices") == "file" and getattr(made, name) for name, _, extra in fields_of(made)):
        raise ModelError(
            f"Joint {joint.name!r} had another law from a file, which is not kept.", "Choose that file again."
        )
    return made
