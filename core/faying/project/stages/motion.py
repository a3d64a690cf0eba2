"""Motions of multibody systems."""

from contextlib import closing
from pathlib import Path

from faying.analyses import SystemAnalysis, SystemModel
from faying.errors import ModelError
from faying.progress import Progress
from faying.project.bodies import body_model
from faying.project.contact_friction import with_acting_friction
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import Project
from faying.project.stage import ResultsStage, StageContext, Target, Without
from faying.project.stages import stages
from faying.project.stages.analysis import start_of
from faying.project.stages.body import Body
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.sampling import samples_of, sampling_of


@stages.register("motion")
class OfSystem(ResultsStage):
    """Moves a system with the reduced bodies of its flexible parts."""

    title = "motion"
    order = 150
    per = "motion"
    weight = 15.0

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the analysis, the system, and the laws of the joints in its bodies."""
        system = project.system(target.body)
        laws = {
            name: [
                [
                    joint.name,
                    with_file_contents(joint.contact_law, base),
                    with_file_contents(joint.friction_law, base),
                ]
                for joint in project.body(name).contact_joints
            ]
            for name in system.body_names()
        }
        analysis = Without(project.analysis(target.item), ("name", "system", "start_from"))
        # Defaults are omitted, so that keys from before contact between parts existed remain valid.
        silent = [name for name in ("ground_surfaces", "contacts") if not getattr(system, name)]
        words = Without(with_file_contents(system.without_looks(), base), ("name", *silent))
        return {"analysis": analysis, "system": words, "joints": laws}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model, reduced body and contact pairs of each body, and the motion that it continues."""
        analysis, needed = project.analysis(target.item), dict[str, Target]()
        for name in project.system(target.body).body_names():
            needed |= {
                f"model {name}": Target(Model.name, name),
                f"body {name}": Target(Body.name, name),
            }
            needed |= {f"{pairs} of {name}": found for pairs, found in pairs_of(project, name).items()}
            if analysis.samples_joints:
                needed |= {f"{what} of {name}": found for what, found in sampling_of(project, name).items()}
        return needed | start_of(project, target, analysis)

    def run(self, context: StageContext, progress: Progress) -> None:
        """Integrate the motion, which streams its frames to the results file."""
        project = context.project
        analysis = project.analysis(context.target.item)
        system = with_absolute_files(project.system(context.target.body), context.base)
        if not isinstance(analysis, SystemAnalysis):
            raise ModelError(
                f"Analysis {analysis.name!r} is not one of a system.", "Choose another analysis."
            )
        bodies = {}
        for name in system.body_names():
            body = with_absolute_files(project.body(name), context.base)
            found = zip(body.contact_joints, all_pairs(context, name), strict=True)
            pairs = {joint.name: each for joint, each in found}
            bodies[name] = body_model(
                body, context.get(Body, body=name), context.get(Model, body=name), pairs,
                samples=samples_of(context, name) if analysis.samples_joints else (),
            )  # fmt: skip
        models = {name: context.get(Model, body=name) for name in bodies}
        system = with_acting_friction(system, project, models, context.base)
        if not analysis.predecessors():
            analysis.run(SystemModel(system, bodies), context.results_file, progress)
            return
        with closing(context.get(OfSystem, analysis.predecessors()[0]).open()) as start:
            analysis.run(SystemModel(system, bodies, start), context.results_file, progress)
