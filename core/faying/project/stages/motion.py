"""Motions of multibody systems."""

from contextlib import ExitStack, closing
from pathlib import Path

from faying.analyses import SystemAnalysis
from faying.errors import ModelError
from faying.progress import Progress
from faying.project.file_names import with_file_contents
from faying.project.specs import Project
from faying.project.stage import ResultsStage, StageContext, Target, Without
from faying.project.stages import stages
from faying.project.stages._systems import system_model, system_needs
from faying.project.stages.analysis import start_of


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
        unread = ("name", "system", "start_from", "continues", "true_fields")
        analysis = Without(project.analysis(target.item), unread)
        # Defaults are omitted, so that keys from before contact between parts existed remain valid.
        silent = [name for name in ("ground_surfaces", "contacts") if not getattr(system, name)]
        words = Without(with_file_contents(system.without_looks(), base), ("name", *silent))
        return {"analysis": analysis, "system": words, "joints": laws}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model, reduced body and contact pairs of each body, and the motion that it continues."""
        analysis = project.analysis(target.item)
        needed = system_needs(project, target.body, sampled=analysis.samples_joints)
        return needed | start_of(project, target, analysis)

    def run(self, context: StageContext, progress: Progress) -> None:
        """Integrate the motion, which streams its frames to the results file."""
        analysis = context.project.analysis(context.target.item)
        if not isinstance(analysis, SystemAnalysis):
            raise ModelError(
                f"Analysis {analysis.name!r} is not one of a system.", "Choose another analysis."
            )
        name, sampled = context.target.body, analysis.samples_joints
        with ExitStack() as opened:
            places = [context.get(OfSystem, before) for before in analysis.predecessors()]
            starts = tuple(opened.enter_context(closing(place.open())) for place in places)
            seen = system_model(context, name, sampled=sampled, starts=starts)
            analysis.run(seen, context.results_file, progress)
