"""The reduced body: the equations projected on the basis, with rows of interface nodes and joints, and surfaces."""

from dataclasses import replace
from pathlib import Path

from faying.joints.kinematics import gap_rows, slip_rows
from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.project.bodies import interface_rows
from faying.project.mounting import preload_cases
from faying.project.reduced_bodies import read_reduced_body
from faying.project.specs import BodySpec, InterfaceSpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.basis import Basis
from faying.project.stages.contact_surfaces import ContactSurfaces, surfaces_of
from faying.project.stages.interior import Interior
from faying.project.stages.load_modes import load_modes_of, loads_of
from faying.project.stages.matrices import Matrices
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of
from faying.project.stages.preload import preload_of, preloads_of
from faying.reduction.body import ReducedBody, build_reduced_body
from faying.reduction.bolts import bolt_equations
from faying.reduction.carried import find_node_equations, find_support_equations, find_tie_equations
from faying.reduction.interior import ALL_COMPONENTS
from faying.reduction.lost_compliances import lost_compliances
from faying.reduction.second_order import second_order


@stages.register("body")
class Body(Stage[ReducedBody]):
    """Projects matrices, inertia and joints onto the trial vectors, or reads a reduced body."""

    title = "reduced body"
    order = 130
    version = 2
    weight = 0.8

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the names used in the body."""
        body, cases = project.body(target.body), preload_cases(project, target.body)
        return {
            "interface nodes": [i.values() for i in body.interfaces],
            "joints": [joint.name for joint in body.contact_joints],
            **({"tied joints": [joint.name for joint in body.tied_joints]} if body.tied_joints else {}),
            **({"geometric stiffening": True} if body.geometric_stiffening else {}),
            **({"preload cases": [case.name for case in cases]} if cases else {}),
            **(
                {"contact surfaces": [each.name for each in body.contact_surfaces]}
                if body.contact_surfaces
                else {}
            ),
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model, matrices, basis, contact pairs and surfaces, and preload and load modes if there are any."""
        if project.body(target.body).model.is_reduced:
            return of_same_body(target, Model)
        needed = of_same_body(target, Model, Matrices, Basis) | surfaces_of(project, target)
        needed |= {**preload_of(project, target.body), **load_modes_of(project, target.body)}
        if project.body(target.body).geometric_stiffening or _markers_alone(project.body(target.body)):
            needed |= of_same_body(target, Interior)
        return {**needed, **pairs_of(project, target.body)}

    def compute(self, context: StageContext, progress: Progress) -> ReducedBody:
        """Return the reduced body."""
        body = context.project.body(context.target.body)
        if body.model.is_reduced:
            return read_reduced_body(body, context.get(Model), context.base)
        model, matrices = context.get(Model), context.get(Matrices)
        joints = []
        for i, (joint, pairs) in enumerate(zip(body.contact_joints, all_pairs(context), strict=True)):
            progress.report(0.5 * i / len(body.contact_joints), f"joint {joint.name}")
            rows = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
            joints.append((joint.name, *rows, pairs.weights, pairs.initial_gaps))
        rows_by_name = interface_rows(body, model)
        basis, preloads, loads = context.get(Basis), preloads_of(context), loads_of(context)
        names = [each.name for each in body.contact_surfaces]
        surfaces = dict(zip(names, context.get(ContactSurfaces), strict=True)) if names else {}
        own = not body.model.imports_matrices
        bolts = bolt_equations(model, matrices, loads, elements=own)
        tied = [joint.name for joint in body.tied_joints]
        found = {
            joint.name: each for joint, each in zip(body.contact_joints, all_pairs(context), strict=True)
        }
        ties = find_tie_equations(model, matrices, tied, loads, preloads, found, elements=own)
        supports = find_support_equations(model, matrices, loads, preloads, found, elements=own)
        held = find_node_equations(model, matrices, rows_by_name, loads, preloads, found)
        reduced = patiently(
            lambda: build_reduced_body(
                model.nodes, matrices, basis, rows_by_name, joints, preloads, surfaces, loads, bolts, ties,
                supports, held,
            ),
            progress, 0.5, "projection",
        )  # fmt: skip
        if alone := _markers_alone(body):
            nodes = {each.name: rows_by_name[each.name] for each in alone}
            part = PartialProgress(progress, 0.5, 0.6, "compliance at nodes without constraint modes")
            lost = lost_compliances(context.get(Interior), basis.modes, nodes, part)
            reduced = replace(reduced, lost_compliances=lost)
        if not body.geometric_stiffening:
            return reduced
        of_second_order = second_order(
            model, context.get(Interior), reduced.displacements, rows_by_name, PartialProgress(progress, 0.6, 1.0)
        )  # fmt: skip
        return replace(reduced, second_order=of_second_order)


def _markers_alone(body: BodySpec) -> list[InterfaceSpec]:
    """Return the interface nodes that lack constraint modes for some of their motions."""
    return [each for each in body.interfaces if each.components != ALL_COMPONENTS]
