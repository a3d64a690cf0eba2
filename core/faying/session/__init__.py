"""Sessions: a project with its computed results. Scripts, the command line and the worker all use one."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faying.analyses import Analysis
from faying.errors import MissingDependencyError, ModelError, ReadError
from faying.fem.cad_files import GEOMETRY_HINT, is_geometry
from faying.fem.readers import model_endings
from faying.progress import Progress
from faying.project.file import EXTENSION, open_project
from faying.project.outputs import writing
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.project.study import read_study
from faying.session.computed_project import ComputedProject

if TYPE_CHECKING:  # modules that show results are loaded when they are needed
    from faying.fem.matrices import StructuralMatrices
    from faying.fem.model import FeModel
    from faying.joints.pairs import ContactPairs
    from faying.project.joint_proposals import ProposedJoint
    from faying.reduction.body import ReducedBody
    from faying.results.main_effects import MainEffect
    from faying.session.picture import Picture
    from faying.session.solution import Solution, SystemSolution


class Session(ComputedProject):
    """A project with its computed results, for scripts and notebooks: find pairs, reduce, solve, move, plot.

    Decisions are immutable; `apply` replaces the project by an edited one. Each result is stored under the decisions
    that it was computed from, so that nothing is computed twice and no outdated result is returned. A session closes at
    the end of a ``with`` block, by `close`, or when it is garbage-collected.

    Arguments and attributes as of `faying.session.computed_project.ComputedProject`.
    """

    def read_model(self, body: str = "") -> "FeModel":
        """Return the FE model of a body (`faying.fem.model.FeModel`); the only body needs no name.

        Raises:
            FayingError: when there is no such body, or its deck cannot be read.
        """
        model: FeModel = self.compute(Target("model", self.body(body).name))
        return model

    def assemble(self, body: str = "") -> "StructuralMatrices":
        """Return stiffness and mass of a body (`faying.fem.matrices.StructuralMatrices`); errors as `read_model`."""
        matrices: StructuralMatrices = self.compute(Target("matrices", self.body(body).name))
        return matrices

    def find_pairs(self, joint: str = "", body: str = "") -> "ContactPairs":
        """Return the contact pairs of a joint (`faying.joints.pairs.ContactPairs`, arrays of one row per pair).

        Args:
            joint: its name; optional if there is only one joint.
            body: name of its body; needed if several bodies have a joint of that name.

        Raises:
            FayingError: when there is no such joint, or it has no pairs.
        """
        bodies = [self.body(body)] if body else self.project.bodies
        joints = [
            (of.name, each.name) for of in bodies for each in of.contact_joints if joint in ("", each.name)
        ]
        if len(joints) != 1:
            every = ", ".join(
                f"{each.name!r} of {of.name!r}" for of in self.project.bodies for each in of.contact_joints
            )
            named = f"There is no joint called {joint!r}." if joint else "It is not said which joint."
            wrong = f"There are {len(joints)} joints called {joint!r}." if joints and joint else named
            raise ModelError(wrong, f"There are: {every or 'none'}.")
        of_body, name = joints[0]
        pairs: ContactPairs = self.compute(Target("pairs", of_body, name))
        return pairs

    def search_joints(
        self, body: str = "", *, distance: float = 0.0, angle: float = 30.0
    ) -> "list[ProposedJoint]":
        """Return joints where parts of a body face each other, the largest first; the project stays as it is.

        Each has its `joint`, areas and gaps; ``session.apply(faying.edits.add_joint(name, found.joint))`` takes one.

        Args:
            body: its name; optional if there is only one body.
            distance: largest one of faces; 4 % of the usual edge of the mesh by default.
            angle: largest one between faces, in degrees.

        Raises:
            FayingError: when there is no such body, or its deck cannot be read.
        """
        from faying.project.joint_proposals import proposed_joints

        model = self.read_model(body)
        skin = self.compute(Target("skin", self.body(body).name))
        return proposed_joints(model, skin, distance, angle, self.progress)

    def reduce(self, body: str = "") -> "ReducedBody":
        """Return the reduced body (`faying.reduction.body.ReducedBody`): its matrices on the trial vectors.

        Args:
            body: its name; optional if there is only one body.

        Raises:
            FayingError: when there is no such body, or it cannot be reduced.
        """
        reduced: ReducedBody = self.compute(Target("body", self.body(body).name))
        return reduced

    def solve(self, analysis: str = "", *, restart: bool = False) -> "Solution":
        """Return the solution of an analysis of a body: frames, fields and curves as arrays.

        Args:
            analysis: its name; optional if only one analysis is of a body.
            restart: whether an interrupted run begins again at its start.

        Raises:
            FayingError: when there is no such analysis, or it cannot be computed.
            Cancelled: on request; frames written so far are kept.
        """
        from faying.session.solution import Solution

        chosen = self._chosen(analysis, "analysis")
        self.compute(target_of(chosen), restart=restart)
        return Solution(self, chosen.name)

    def move(self, analysis: str = "", *, restart: bool = False) -> "SystemSolution":
        """Return the motion of a system of parts: their positions, fields and curves as arrays.

        Args, errors: as of `solve`.
        """
        from faying.session.solution import SystemSolution

        chosen = self._chosen(analysis, "motion")
        self.compute(target_of(chosen), restart=restart)
        return SystemSolution(self, chosen.name)

    def modes(self, body: str = "") -> "Solution":
        """Return the trial vectors of a body as frames; it is reduced for that. Errors as of `reduce`."""
        from faying.session.solution import Solution

        name = self.body(body).name
        self.reduce(name)
        return Solution(self, "modes", body=name)

    def diagrams(self, analysis: str) -> tuple[str, ...]:
        """Return the titles of the diagrams of an analysis that has been run.

        Such are "Campbell diagram", "Pole map", "Kinetic energy" of modes, "Main effects on …" of a sweep.
        """
        from faying.analyses.diagrams import diagrams_of

        with closing(self.results(analysis)) as results:
            return tuple(diagrams_of(results, self.project.units))

    def diagram(
        self, analysis: str, title: str = "", *, size: tuple[int, int] = (960, 640), dark: bool = False
    ) -> "Picture":
        """Return a diagram of an analysis, drawn as the window draws it.

        Args:
            analysis: its name.
            title: one of `diagrams`; the first one by default.
            size: pixels.
            dark: a dark background.

        Raises:
            ModelError: when it has no results, or no such diagram.
            MissingDependencyError: when no plotting package is installed; the message names what is missing.
        """
        from faying.analyses.diagrams import diagram_called
        from faying.session.picture import plotted

        with closing(self.results(analysis)) as results:
            return plotted(diagram_called(results, title, self.project.units), size, dark)

    def main_effects(self, sweep: str) -> "tuple[MainEffect, ...]":
        """Return the effect of each decision of a sweep on each of its results; () for a search.

        Raises:
            ModelError: when it has no results.
        """
        from faying.results.main_effects import main_effects

        with closing(self.results(sweep)) as results:
            return main_effects(results)

    def write_report(self, path: str | Path, *, author: str = "", replace: bool = False) -> None:
        """Write a report of the computed results as one HTML file or a PDF, as ``faying report`` does.

        Args:
            path: ``.html`` or ``.pdf``; the latter needs Chromium, Chrome or Edge.
            author: name of the author, printed in the report.
            replace: whether to replace files that Faying did not write or that have changed since.

        Raises:
            FayingError: when the file must not or cannot be written.
        """
        from faying.exporters import exporter_for
        from faying.exporters.report import ENDINGS, Report, ReportTexts

        try:
            exporter_for(Path("picture.png")).prepare()
            pictures = True
        except MissingDependencyError:
            pictures = False  # nothing here draws them
        report = Report(
            self.project, self.store, self.base, pipeline=self.pipeline, memory=self.memory, pictures=pictures,
            words=ReportTexts(author),
        )  # fmt: skip
        with writing(Path(path), endings=ENDINGS, reads=self.reads(), replace=replace):
            report.write(Path(path), self.progress)

    def write_fmu(
        self, path: str | Path, motion: str = "", outputs: Sequence[str] = (), *, replace: bool = False
    ) -> str:
        """Write a motion of a system as an FMU for co-simulation, or a state space as one that needs no Python.

        Args:
            path: ``.fmu``.
            motion: name of the analysis, a motion or state space; optional if only one analysis is of a system.
            outputs: names of the outputs; all by default.
            replace: whether to replace files that Faying did not write or that have changed since.

        Returns:
            What the machine that runs it needs, in a sentence.

        Raises:
            MissingDependencyError: for a motion without PythonFMU.
            FayingError: when there is no such analysis or output, a state space has no results yet, or the file must
                not or cannot be written.
        """
        from faying.session.fmu import write_fmu

        return write_fmu(self, self._chosen(motion, "motion").name, Path(path), outputs, replace=replace)

    def _chosen(self, name: str, stage: str) -> Analysis:
        """Return the analysis of that name; without a name the only one that bodies, or systems, have."""
        if name:
            found: Analysis = self.project.analysis(name)
            if found.stage != stage:
                if found.stage == "sweep":
                    raise ModelError(
                        f"Analysis {name!r} is a sweep.", f"Call run(), and results({name!r}) for its table."
                    )
                moves = found.stage == "motion"
                hint = f"Call {'move' if moves else 'solve'}({name!r})."
                raise ModelError(f"Analysis {name!r} {'moves a system' if moves else 'is of a body'}.", hint)
            return found
        fitting = [analysis for analysis in self.project.analyses if analysis.stage == stage]
        if len(fitting) != 1:
            known = ", ".join(repr(analysis.name) for analysis in fitting) or "none"
            raise ModelError("It is not said which analysis.", f"There are: {known}.")
        only: Analysis = fitting[0]
        return only


def read(
    path: str | Path, artifacts: str | Path | None = None, *, progress: Progress | None = None
) -> Session:
    """Return the session of a study (``.toml``) or project file (``.faying``); stored results are not computed again.

    Args:
        path: the file; relative paths in it count from its folder.
        artifacts: folder that keeps computed results; None for a temporary one.
        progress: receives the progress of computations, and may cancel them.

    Raises:
        ReadError: when it is neither, is damaged, or a decision in it is wrong.
    """
    path = Path(path)
    project, view = read_decisions(path)
    base = path.absolute().parent
    return Session(project, artifacts, base=base, path=path, view=view, progress=progress)


def build(artifacts: str | Path | None = None, *, progress: Progress | None = None, **tables: Any) -> Session:
    """Return the session of a new project, from the same tables as in a study file.

    Args:
        artifacts: folder that keeps computed results; None for a temporary one.
        progress: receives the progress of computations, and may cancel them.
        tables: ``name``, ``units``, ``bodies``, ``systems``, ``analyses`` …; tables are dicts. Numbers may be
            texts with units ("0.1 kN"); relative paths count from the current folder.

    Raises:
        ModelError: one sentence with the path of the first parameter that is wrong.
    """
    return Session(project_from_dict(tables), artifacts, progress=progress)


def read_decisions(path: Path) -> tuple[Project, str]:
    """Return (project, view state) of a study or project file.

    Raises:
        ReadError: when it is neither.
    """
    if path.suffix.lower() == ".toml":
        return read_study(path), ""
    if path.suffix.lower() == EXTENSION:
        opened = open_project(path)
        return opened.project, opened.view
    if path.suffix.lower() in model_endings():
        raise ReadError(
            path, None, "this is a deck, not a project.", "Write a study file that names it as a model."
        )
    if is_geometry(path):
        raise ReadError(path, None, "this is geometry, not a project.", GEOMETRY_HINT)
    if not path.exists():
        raise ReadError(path, None, "there is no such file.", f"Looked in {path.absolute().parent}.")
    raise ReadError(
        path, None, "this is neither a study nor a project.", "Give a STUDY.toml or a PROJECT.faying."
    )
