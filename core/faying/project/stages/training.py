"""Training data of joint modes: laws of the joints, and loads of the body's analyses and systems."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyAnalysis
from faying.analyses.statics.displacements import imposed_displacements
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.loads import LoadSpec, all_load_columns
from faying.progress import Progress
from faying.project.bodies import interface_rows
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.friction_laws import laws_of
from faying.project.mounting import case_of, is_trained, preload_cases
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.joint_problem import JointProblem
from faying.project.stages.load_modes import load_modes_of, loads_of
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadSpec
from faying.reduction.training import Training, TrainingLoad, TrainingMotion
from faying.solvers.friction_path import friction_path


@stages.register("training")
class JointTraining(Stage[Training]):
    """Collects the training loads of a body's joint modes."""

    title = "loads that joint modes are trained on"
    order = 95
    keeps = "memory"
    weight = 0.1
    unreduced = True

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has joints in contact."""
        return bool(project.body(target.body).contact_joints)

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the laws, and the loads with names replaced by numbers: renaming does not change trial vectors."""
        body = with_absolute_files(project.body(target.body), base)
        cases = preload_cases(project, target.body)
        return {
            "laws": [
                [with_file_contents(law, base) for law in (joint.contact_law, joint.friction_law) if law]
                for joint in body.contact_joints
            ],
            "loads": [
                [_numbered(case, body, cases), _numbers((state,), cases) if state else []]
                for case, state in _load_cases(project, target.body)
            ],
            "motions": [
                [_numbered(case, body, cases), at_interfaces]
                for case, at_interfaces in _motions(project, target.body)
            ],
            "interfaces": len(body.held_interfaces),
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the model, the joint-mode problem, and the loads of the body."""
        needed = of_same_body(target, Model, JointProblem) | load_modes_of(project, target.body)
        return needed | pairs_of(project, target.body)

    def compute(self, context: StageContext, progress: Progress) -> Training:
        """Return laws and loads."""
        project, name = context.project, context.target.body
        body = with_absolute_files(project.body(name), context.base)
        problem, loads = context.get(JointProblem), loads_of(context)
        dofs, n = problem.interior.matrices.dofs, problem.interior.n_dofs
        nodes = interface_rows(body, context.get(Model))
        motions = {of: dofs.transformation[dofs.node_rows(row)] for of, row in nodes.items()}
        cases = [case.name for case in preload_cases(project, name)]

        def acting(preloads: tuple[str, ...]) -> np.ndarray:
            return np.array([float(case in preloads) for case in cases])

        def held(support: str) -> np.ndarray:
            return motions[support].indices if support in motions else np.zeros(0, np.int64)

        found = []
        for case, state in _load_cases(project, name):
            force = _force(case, motions, loads, n)
            if state:  # the force of a bolt changes from its previous to its new value
                assert problem.preloads is not None
                force = problem.preloads.forces @ (acting((state,)) - acting(case.preloads))
            imposed = imposed_displacements(case.displacements, motions, case.support)
            rows = sp.csr_matrix((0, n)) if imposed is None else sp.csr_matrix(imposed.rows)
            values = np.zeros(0) if imposed is None else imposed.values
            if force.any() or len(values):
                found.append(
                    TrainingLoad(
                        f"{state!r}" if state else _words(case),
                        acting(case.preloads),
                        force,
                        held(case.support),
                        rows,
                        values,
                        case.friction,
                        mounts=bool(state),
                    )
                )
        return Training(
            problem.rows_of_joints,
            laws_of(body.contact_joints, context.get(Model), all_pairs(context)),
            tuple(found),
            np.zeros((n, 0)) if loads is None else loads.forces,
            tuple(
                TrainingMotion(acting(case.preloads), held(case.support), at, _force(case, motions, loads, n))
                for case, at in _motions(project, name)
            ),
            friction_path,
        )


def training_of(project: Project, body: str) -> dict[str, Target]:
    """Return the training data of joint modes as a need; none for methods without training."""
    return {JointTraining.name: Target(JointTraining.name, body)} if is_trained(project.body(body)) else {}


def _load_cases(project: Project, body: str) -> list[tuple[LoadCase, str]]:
    """Return the distinct nonzero loads of the body's analyses.

    Each comes with its final preload case if it tightens bolts, else with "".
    """
    mounted = preload_cases(project, body)

    def named(bolts: tuple[tuple[str, float], ...]) -> str:
        return case_of(dict(bolts), mounted) or ""

    found: list[tuple[LoadCase, str]] = []
    for case in _cases(project, body):
        if case.inertia or not case.acts:
            continue
        before, state = named(case.bolts), named(case.tightened)
        whole = replace(case, preloads=(before,) if before else case.preloads, bolts=(), tightened=())
        if (whole, state) not in found and (whole.acts or state):
            found.append((whole, state))
    return found


def _cases(project: Project, body: str) -> list[LoadCase]:
    of_body = [a for a in project.analyses if isinstance(a, BodyAnalysis) and a.body == body]
    return [case for analysis in of_body for case in analysis.load_cases()]


def _motions(project: Project, body: str) -> list[tuple[LoadCase, bool]]:
    """Return loads, support and preload cases of each motion of the body, and whether it is in a system.

    A body without analyses and systems is assumed to move under all of its preload cases.
    """
    found = [(_without_histories(case), False) for case in _cases(project, body) if case.inertia]
    found += [
        (LoadCase("", tuple(getattr(part, "preloads", ()))), True)
        for system in project.systems
        for part in system.parts
        if part.body_name() == body
    ]
    if not found and not _load_cases(project, body):
        found = [(LoadCase("", tuple(case.name for case in project.body(body).preloads)), True)]
    return [each for k, each in enumerate(found) if each not in found[:k]]


def _without_histories(case: LoadCase) -> LoadCase:
    """Return a load case of a motion with only the directions of its loads, so that magnitudes are irrelevant."""
    loads = tuple(
        LoadSpec(interface=load.interface, **_direction(load))
        for load in case.loads
        if load.force or load.moment
    )
    return replace(case, loads=loads, displacements=())


def _direction(load: LoadSpec) -> dict[str, tuple[float, ...]]:
    size = float(np.linalg.norm(load.force)) or float(np.linalg.norm(load.moment)) or 1.0
    return {name: tuple(c / size for c in getattr(load, name)) for name in ("force", "moment")}


def _force(case: LoadCase, motions: dict[str, sp.csr_matrix], loads: LoadModes | None, n: int) -> np.ndarray:
    """Return (n_dofs,) the forces of a load case at full size."""

    def of_body(names: Sequence[str]) -> np.ndarray:
        return np.zeros((n, 0)) if loads is None else loads.columns(names)

    dense = {
        load.interface: motions[load.interface].toarray() for load in case.loads if load.interface in motions
    }
    return np.asarray(all_load_columns(case.loads, dense, case.body_loads, of_body).sum(axis=1))


def _words(case: LoadCase) -> str:
    """Return the acting loads as text."""
    names = [load.interface for load in case.loads] + [each.load for each in case.body_loads]
    names += [each.interface for each in case.displacements]
    return f"load at {', '.join(dict.fromkeys(names))}" + ("" if case.friction else ", frictionless")


def _numbered(case: LoadCase, body: BodySpec, cases: Sequence[PreloadSpec]) -> object:
    """Return a load case as plain values, names replaced by numbers."""
    return [
        _number(case.support, body.interfaces),
        _numbers(case.preloads, cases),
        [[_number(load.interface, body.interfaces), load.force, load.moment] for load in case.loads],
        [[_number(each.load, body.loads), each.factor] for each in case.body_loads],
        [
            [_number(each.interface, body.interfaces), sorted(each.given.items())]
            for each in case.displacements
        ],
        case.friction,
    ]


def _number(name: str, among: Sequence[Any]) -> int | str:
    names = [each.name for each in among]
    return names.index(name) if name in names else name


def _numbers(names: Sequence[str], among: Sequence[Any]) -> list[int | str]:
    return sorted((_number(name, among) for name in names), key=str)
