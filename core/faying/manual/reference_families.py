"""The families whose members a study file chooses by their kind."""

from faying.analyses import analyses
from faying.fem.materials import material_choices
from faying.fem.selections import surface_selections
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.load_histories import load_histories
from faying.manual._families import add_family
from faying.multibody.constraints import constraints
from faying.multibody.forces import forces
from faying.multibody.part_kinds import part_kinds
from faying.multibody.rigid_surfaces import rigid_surfaces
from faying.reduction.contact_shapes import contact_shapes
from faying.reduction.derivative_selections import derivative_selections
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods import reduction_methods
from faying.reduction.preload_loads import preload_loads
from faying.solvers.integrators import integrators

for _family, _introduction in (
    (
        analyses,
        "What can be computed of a body or a system. `name` and what it is about stand beside the kind.",
    ),
    (
        reduction_methods,
        "How a body's motion is described by few coordinates, before its joints are looked at.",
    ),
    (joint_mode_methods, "How the basis is extended so that gaps and pressures of the joints come out."),
    (
        derivative_selections,
        "Which derivatives of the trial vectors go into the decomposition for joint modes.",
    ),
    (contact_shapes, "Local shapes of a surface that touches other parts."),
    (contact_laws, "Pressure over gap: negative gaps penetrate, pressure is positive."),
    (friction_laws, "Friction stress over slip, in two directions of the surface."),
    (preload_loads, "What acts in a preload case; the forces of a case are in balance."),
    (material_choices, "Materials for elements to which a deck gives none, or another one."),
    (surface_selections, "Ways to say which facets make a surface; they can be put together."),
    (part_kinds, "What a part of a system is."),
    (rigid_surfaces, "Surfaces of rigid parts that may touch others."),
    (constraints, "What ties a marker of one part to a marker of another."),
    (forces, "Forces between markers."),
    (load_histories, "A factor over time."),
    (integrators, "Time integration."),
):
    add_family(_family, _introduction)
