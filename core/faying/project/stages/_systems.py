"""Systems in the form used by analyses, and what has to be computed before."""

from faying.analyses import SystemModel
from faying.project.bodies import body_model
from faying.project.contact_friction import with_acting_friction
from faying.project.file_names import with_absolute_files
from faying.project.specs import Project
from faying.project.stage import StageContext, Target
from faying.project.stages.body import Body
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.sampling import samples_of, sampling_of
from faying.results.results import Results


def system_needs(project: Project, system: str, *, sampled: bool) -> dict[str, Target]:
    """Return model, reduced body and contact pairs of each body of a system, and the samples of its joints."""
    needed = dict[str, Target]()
    for name in project.system(system).body_names():
        needed |= {
            f"model {name}": Target(Model.name, name),
            f"body {name}": Target(Body.name, name),
        }
        needed |= {f"{pairs} of {name}": found for pairs, found in pairs_of(project, name).items()}
        if sampled:
            needed |= {f"{what} of {name}": found for what, found in sampling_of(project, name).items()}
    return needed


def system_model(
    context: StageContext, name: str, *, sampled: bool, starts: tuple[Results, ...] = ()
) -> SystemModel:
    """Return a system with the reduced bodies of its flexible parts; see `system_needs`."""
    project, bodies = context.project, {}
    system = with_absolute_files(project.system(name), context.base)
    for each in system.body_names():
        body = with_absolute_files(project.body(each), context.base)
        found = zip(body.contact_joints, all_pairs(context, each), strict=True)
        pairs = {joint.name: own for joint, own in found}
        bodies[each] = body_model(
            body, context.get(Body, body=each), context.get(Model, body=each), pairs,
            samples=samples_of(context, each) if sampled else (),
        )  # fmt: skip
    models = {each: context.get(Model, body=each) for each in bodies}
    start = starts[0] if starts else None
    acting = with_acting_friction(system, project, models, context.base)
    return SystemModel(acting, bodies, start, starts[1:])
