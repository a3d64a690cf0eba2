"""The engineer's decisions as immutable specs, which refer to each other by name."""

from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationInfo, field_validator, model_validator

from faying.analyses import BodyAnalysis, SystemAnalysis
from faying.analyses import analyses as analysis_kinds  # not the name of the field below
from faying.analyses.recording.true_fields import TRUE_FIELDS, WithTrueFields
from faying.errors import ModelError, there_are
from faying.fem.added_bolts import BoltSpec
from faying.fem.added_couplings import CouplingSpec
from faying.fem.body_arrays import ENDINGS
from faying.fem.condensed import CONDENSED, MatrixNames
from faying.fem.imported.superelements import SuperelementSpec
from faying.fem.materials import material_choices
from faying.fem.selections import surface_selections
from faying.fem.strength import StrengthSpec
from faying.fem.supports import GROUND, SupportSpec
from faying.fem.ties import TieSpec
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.sampled import SamplingSpec
from faying.joints.search import SearchSpec
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.system_spec import SystemSpec
from faying.params import Spec, member_of, parameter, unique_names
from faying.project.numbers import in_units, with_numbers
from faying.reduction.body_loads import body_loads
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.reduction.interior import ALL_COMPONENTS
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods import reduction_methods
from faying.reduction.preload import PreloadSpec
from faying.results.places import ProbeSpec
from faying.units import OF_DEFAULTS, UnitSystemName

SCHEMA_VERSION = 4


class ModelSpec(Spec):
    """The deck of a body."""

    path: str = parameter(
        title="Deck", choices="file",
        meaning="File of the FE model, of a reduced body that Faying exported (.npz, .h5), or of condensed matrices "
        "with contact elements (.mat), which need no reduction; a relative path counts from the study or project file.",
    )  # fmt: skip
    digest: str = parameter(
        "", title="Content fingerprint", advanced=True,
        meaning="Fingerprint of the deck's content when it was imported; shows whether the file has changed since.",
    )  # fmt: skip
    stiffness_file: str = parameter(
        "", title="Stiffness file", choices="file",
        meaning="Stiffness matrix of another program (Abaqus or MatrixMarket .mtx, CalculiX .sti, .npz, .npy) for the "
        "nodes of the deck; empty to compute it from the deck's elements. Of matrices that Faying exported, the "
        "constraints beside are read too.",
    )  # fmt: skip
    mass_file: str = parameter(
        "", title="Mass file", choices="file",
        meaning="Mass matrix of the same program and run; empty to compute it from the deck's elements.",
    )  # fmt: skip
    dof_file: str = parameter(
        "", title="List of degrees of freedom", choices="file", advanced=True,
        meaning="Node and component of each row, for formats that do not say so themselves; empty for the file beside "
        "the matrices, such as job.dof.",
    )  # fmt: skip
    matrices_digest: str = parameter(
        "", title="Fingerprint of the matrices", advanced=True,
        meaning="Fingerprint of the matrix files' content when they were chosen.",
    )  # fmt: skip

    turn_elements: bool = parameter(
        False, title="Turn elements that are inside out", advanced=True,
        meaning="Takes the nodes of solid elements of negative volume in the order of their mirror image: decks of "
        "some mesh programs number them the left-handed way. Nodes, faces and surfaces stay where they are.",
    )  # fmt: skip

    superelements: tuple[SuperelementSpec, ...] = parameter(
        (), title="Superelements",
        meaning="Stiffness and mass of the rest of the structure at nodes of the deck, where the mesh is cut off.",
    )  # fmt: skip

    matrices: MatrixNames = parameter(
        MatrixNames(), title="Matrices of the file", advanced=True,
        meaning="Which matrices of a .mat file hold mass, stiffness, contact pairs, points and forces; where nothing "
        "is named, those that have the names of tmdsimpy: M, K, L, Qm, Tm, R, Fv.",
    )  # fmt: skip

    @field_validator("superelements")
    @classmethod
    def _unique_names(cls, items: tuple[SuperelementSpec, ...]) -> tuple[SuperelementSpec, ...]:
        return unique_names(items)

    @property
    def is_reduced(self) -> bool:
        """Whether the body is read in reduced form from a file."""
        return Path(self.path).suffix.lower() in ENDINGS or self.is_condensed

    @property
    def is_condensed(self) -> bool:
        """Whether the body comes from a file of condensed matrices, without inertia of the body as a whole."""
        return Path(self.path).suffix.lower() in CONDENSED

    @property
    def has_own_matrices(self) -> bool:
        """Whether mass and stiffness come from files, reduced or not, instead of the elements of a deck."""
        return self.imports_matrices or self.is_reduced

    @property
    def imports_matrices(self) -> bool:
        """Whether stiffness and mass come from files."""
        return bool(self.stiffness_file or self.mass_file)


class InterfaceSpec(Spec):
    """A node where the body is held or loaded."""

    name: str = parameter(title="Name", meaning="Name of the interface node.", min_length=1)
    node_set: str = parameter(
        "", title="Node set", choices="node_set", meaning="A deck node set that holds just this node."
    )
    node: int = parameter(
        0,
        title="Node number",
        ge=0,
        choices="node",
        meaning="The deck's node number; used without a node set.",
    )
    components: tuple[int, ...] = parameter(
        ALL_COMPONENTS, title="Components", advanced=True,
        meaning="Which motions of the node get a constraint mode: 1 to 3 along x, y, z, 4 to 6 about them. A bolt "
        "that is only tightened may do with the one along its axis. None for a node that is only a marker, where "
        "forces, constraints and measures may be: the body bends there as its other trial vectors let it, and a check "
        "tells the compliance that is lost.",
    )  # fmt: skip

    @field_validator("components")
    @classmethod
    def _known_components(cls, components: tuple[int, ...]) -> tuple[int, ...]:
        if not set(components) <= set(ALL_COMPONENTS):
            raise ValueError("components are numbers from 1 to 6")
        return tuple(sorted(set(components)))

    def values(self, *without: str) -> dict[str, object]:
        """Return the decisions as plain values, for keys; `components` only if not all."""
        implied = {"components"} if self.components == ALL_COMPONENTS else set()
        return self.model_dump(mode="json", exclude={*without, *implied})


class JointSpec(Spec):
    """Two faying surfaces, and the laws between them or the tie that bonds them."""

    name: str = parameter(title="Name", meaning="Name of the joint.", min_length=1)
    master: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Master surface",
        meaning="The surface on which intersection points are sought; the coarser one.",
    )
    slave: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Slave surface",
        meaning="The surface at whose nodes or integration points contact is evaluated; the finer one.",
    )
    treatment: Literal["contact", "tied"] = parameter(
        "contact", title="Treatment",
        meaning="Contact: the surfaces touch, slide and part by the laws below. Tied: the slave surface is bonded to "
        "the master, as by a weld or glue; the laws wait until the joint is one with contact again.",
    )  # fmt: skip
    tie: TieSpec = parameter(
        TieSpec(), title="Tie", advanced=True,
        meaning="How the surfaces are bonded where the joint is tied.",
    )  # fmt: skip
    search: SearchSpec = parameter(SearchSpec(), title="Pair search", meaning="How contact pairs are found.")
    contact_law: member_of(contact_laws) = parameter(  # type: ignore[valid-type]
        {"kind": "linear_penalty"}, title="Contact law", meaning="Pressure over gap."
    )
    friction_law: member_of(friction_laws) | None = parameter(  # type: ignore[valid-type]
        None, title="Friction law", meaning="Friction stress over slip; none for a frictionless joint."
    )
    joint_modes: member_of(joint_mode_methods) | None = parameter(  # type: ignore[valid-type]
        None, title="Joint modes of its own", advanced=True,
        meaning="A joint-mode method for this joint alone; without one it shares that of the body.",
    )  # fmt: skip
    sampling: SamplingSpec = parameter(
        SamplingSpec(), title="Sampling in motion", advanced=True,
        meaning="Whether few pairs represent all of them while the body moves, and how accurately.",
    )  # fmt: skip


def _ground_of(support: Any) -> str:
    """Return the ground node of a support, from a spec or its table; "" if it does not name any."""
    if isinstance(support, SupportSpec):
        return support.ground
    if not isinstance(support, dict):
        return ""
    return str(support.get("name", "")) if support.get("moves") is True else GROUND


class BodySpec(Spec):
    """A flexible body with joints inside."""

    name: str = parameter(title="Name", meaning="Name of the body.", min_length=1)
    model: ModelSpec = parameter(title="Model", meaning="The FE model.")
    materials: tuple[member_of(material_choices), ...] = parameter(  # type: ignore[valid-type]
        (), title="Materials",
        meaning="Materials for elements to which the deck gives none, or another one; later ones override.",
    )  # fmt: skip
    expected_mass: float | None = parameter(
        None, title="Expected mass", quantity="mass", gt=0.0,
        meaning="What the body weighs on the scales or in the drawing; the check says by how much the model differs.",
    )  # fmt: skip
    interfaces: tuple[InterfaceSpec, ...] = parameter(
        (), title="Interface nodes", meaning="Nodes where the body is held or loaded."
    )
    couplings: tuple[CouplingSpec, ...] = parameter(
        (), title="Couplings", meaning="Surfaces coupled to new nodes, besides the couplings of the deck."
    )
    supports: tuple[SupportSpec, ...] = parameter(
        (), title="Supports",
        meaning="Surfaces that are fixed, slide, or lie on springs. They rest on one rigid ground: an analysis that "
        'holds the interface node "supports" holds the body on all of them.',
    )  # fmt: skip
    deck_supports: bool = parameter(
        False, title="Supports of the deck",
        meaning="Whether the nodes that the deck holds stand on the ground of the supports, each in the directions in "
        "which the deck holds it. Nodes that the deck displaces follow their own interface nodes.",
    )  # fmt: skip
    bolts: tuple[BoltSpec, ...] = parameter(
        (), title="Bolts", meaning="Shanks that are cut, so that a preload case can tighten them."
    )
    joints: tuple[JointSpec, ...] = parameter((), title="Joints", meaning="Where parts of the body touch.")
    joints_tied: bool = parameter(
        False, title="All joints tied",
        meaning="Takes every joint as tied, whatever its own setting: a first, linear answer without contact.",
    )  # fmt: skip
    contact_surfaces: tuple[ContactSurfaceSpec, ...] = parameter(
        (), title="Contact surfaces", meaning="Where parts of a system may touch the body from outside."
    )
    preloads: tuple[PreloadSpec, ...] = parameter(
        (),
        title="Preload cases",
        meaning="Mounting loads; each gives a preload mode and may act in analyses.",
    )
    preload_modes: bool = parameter(
        True, title="Preload modes", advanced=True,
        meaning="Whether the preload modes are trial vectors. The preload cases may act either way.",
    )  # fmt: skip
    loads: tuple[member_of(body_loads), ...] = parameter(  # type: ignore[valid-type]
        (), title="Loads",
        meaning="Pressures, weight and other loads beyond those at interface nodes; analyses apply them by name, with "
        "a factor over time.",
    )  # fmt: skip
    relief_modes: bool = parameter(
        False, title="Inertia relief modes", advanced=True,
        meaning="Whether the static shapes under the inertia of the six accelerations as a whole are trial vectors: "
        "with them statics of the free body (a static analysis that holds it nowhere) are exact.",
    )  # fmt: skip
    load_modes: bool = parameter(
        True, title="Load modes", advanced=True,
        meaning="Whether the static responses to the loads are trial vectors, so that the reduced body carries them as "
        "the FE model does. The loads may act either way; runs tell the error.",
    )  # fmt: skip
    reduction: member_of(reduction_methods) = parameter(  # type: ignore[valid-type]
        {"kind": "craig_bampton"}, title="Component modes", meaning="The method of component mode synthesis."
    )
    joint_modes: member_of(joint_mode_methods) = parameter(  # type: ignore[valid-type]
        {"kind": "error_controlled"}, title="Joint modes", meaning="How the basis is extended for the joints."
    )
    weak_ties: float | None = parameter(
        None, title="Weak ties", ge=0.0, le=1.0, advanced=True,
        meaning="For a part that hangs on the rest by contact alone, such as a bolt: springs between the surfaces of "
        "the joints, as a share of the stiffness of their nodes in the mesh. Without a number such parts get a hundred "
        "thousandth in their joints, which holds them and changes little, and all else gets none; zero leaves them "
        "loose, so that the body cannot be reduced.",
    )  # fmt: skip

    geometric_stiffening: bool = parameter(
        False, title="Geometric stiffening",
        meaning="For parts that spin fast or that a force pulls along: centrifugal and interface forces stiffen or "
        "soften bending, as in a blade, a string or a compressed strut. For bodies of solid elements.",
    )  # fmt: skip

    strengths: tuple[StrengthSpec, ...] = parameter(
        (), title="Strengths", advanced=True,
        meaning="What the materials bear, for safety factors against yielding and fatigue.",
    )  # fmt: skip
    probes: tuple[ProbeSpec, ...] = parameter(
        (), title="Probes", advanced=True,
        meaning="Fields at nodes and elements that are curves of all analyses of the body and of systems that it is "
        "a part of.",
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _ground_of_supports(cls, table: Any) -> Any:
        """Add interface nodes for the grounds of the supports, unless they exist."""
        if not isinstance(table, dict) or not (table.get("supports") or table.get("deck_supports") is True):
            return table
        interfaces = table.get("interfaces", ())
        if not isinstance(interfaces, (list, tuple)):
            return table
        sets = [i.get("node_set") if isinstance(i, dict) else getattr(i, "node_set", "") for i in interfaces]
        grounds = dict.fromkeys(_ground_of(support) for support in table.get("supports", ()))
        if table.get("deck_supports") is True:
            grounds[GROUND] = None
        added = [{"name": name, "node_set": name} for name in grounds if name and name not in sets]
        names = [i.get("name") if isinstance(i, dict) else getattr(i, "name", "") for i in interfaces]
        for each in added:
            if each["name"] in names:
                raise ValueError(
                    f"an interface node at another node is called {each['name']!r}, as the node is on which supports "
                    "stand; give that interface node another name"
                )
        return {**table, "interfaces": [*interfaces, *added]} if added else table

    @field_validator(
        "interfaces", "couplings", "supports", "bolts", "joints", "contact_surfaces", "preloads", "loads"
    )
    @classmethod
    def _unique_names(cls, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return unique_names(items)

    def is_tied(self, joint: JointSpec) -> bool:
        """Return whether a joint of the body is tied, by itself or with all others."""
        return self.joints_tied or joint.treatment == "tied"

    @property
    def held_interfaces(self) -> tuple[InterfaceSpec, ...]:
        """The interface nodes with constraint modes, at which the interior problem holds the body."""
        return tuple(interface for interface in self.interfaces if interface.components)

    @property
    def contact_joints(self) -> tuple[JointSpec, ...]:
        """The joints that have contact pairs: those that are not tied."""
        return tuple(joint for joint in self.joints if not self.is_tied(joint))

    @property
    def tied_joints(self) -> tuple[JointSpec, ...]:
        """The joints whose surfaces are bonded; they are part of the model."""
        return tuple(joint for joint in self.joints if self.is_tied(joint))


class Project(Spec):
    """All decisions of a study."""

    name: str = parameter("Untitled", title="Name", meaning="Name of the project.", min_length=1)
    note: str = parameter("", title="Note", meaning="Free text: what the study is for.")
    units: UnitSystemName = parameter(
        "mm-t-s", title="Unit system", meaning="The consistent units in which decks and numbers are written."
    )
    bodies: tuple[BodySpec, ...] = parameter((), title="Bodies", meaning="The flexible bodies.")
    systems: tuple[SystemSpec, ...] = parameter(
        (), title="Systems", meaning="Multibody systems: parts in motion, and what acts between them."
    )
    analyses: tuple[member_of(analysis_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Analyses", meaning="What is computed."
    )

    @model_validator(mode="before")
    @classmethod
    def _units_in_texts(cls, table: Any) -> Any:
        system = table.get("units", cls.model_fields["units"].default) if isinstance(table, dict) else ""
        return with_numbers(cls, table, system) if system in get_args(UnitSystemName) else table

    @field_validator("bodies", "systems", "analyses")
    @classmethod
    def _unique_names(cls, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return unique_names(items)

    @field_validator("bodies", "systems", "analyses")
    @classmethod
    def _defaults_in_units(cls, items: tuple[Any, ...], others: ValidationInfo) -> tuple[Any, ...]:
        system = others.data.get("units", OF_DEFAULTS)  # the project itself reports invalid units
        return tuple(in_units(item, system) for item in items)

    def body(self, name: str) -> BodySpec:
        """Return the body of that name.

        Raises:
            ModelError: when there is none.
        """
        found: BodySpec = _named(self.bodies, name, "body")
        return found

    def system(self, name: str) -> SystemSpec:
        """Return the system of that name.

        Raises:
            ModelError: when there is none.
        """
        found: SystemSpec = _named(self.systems, name, "system")
        return found

    def analysis(self, name: str) -> Any:
        """Return the analysis of that name; with `TRUE_FIELDS` behind it the correction of all of its frames.

        Frames of a system have several corrections, "run, rod (true fields)" for each part; "run (true fields)" is the
        motion itself.

        Raises:
            ModelError: when there is none, or its frames cannot be corrected.
        """
        if name.endswith(TRUE_FIELDS) and all(analysis.name != name for analysis in self.analyses):
            for each in (found for analysis in self.analyses for found in self.corrections_of(analysis)):
                if each.name == name:
                    return each
            reduced = _named(self.analyses, name.removesuffix(TRUE_FIELDS), "analysis")
            if not self.corrections_of(reduced):
                raise ModelError(
                    f"Analysis {reduced.name!r} has no true fields: its frames are not corrected on the FE model.",
                    "Choose a static or transient analysis of a body that has contact joints and was not read reduced, "
                    "or the motion of a system with such a part that touches no other one.",
                )
            return reduced
        return _named(self.analyses, name, "analysis")

    def can_follow(self, analysis: Any, other: Any) -> bool:
        """Return whether an analysis can build on another one: of its kinds, of its body or system.

        One of a body may build on the motion of a system with a part that is made of it.
        """
        if other is analysis or other.kind not in analysis.follows:
            return False
        systems = [system for system in self.systems if system.name == getattr(other, "system", None)]
        return other.owner == analysis.owner or any(analysis.owner in each.body_names() for each in systems)

    def corrections_of(self, analysis: Any) -> tuple[BodyAnalysis, ...]:
        """Return the corrections of all frames of an analysis: of its body, or of each part of a system that can be.

        These are bodies with contact joints and FE matrices, and parts that touch no other ones. Others have none.
        """
        if not isinstance(analysis, WithTrueFields):
            return ()
        jointed = {body.name for body in self.bodies if body.contact_joints and not body.model.is_reduced}
        if not isinstance(analysis, SystemAnalysis):
            return (analysis.corrected(analysis.owner),) if analysis.owner in jointed else ()
        system = next((system for system in self.systems if system.name == analysis.owner), None)
        return tuple(
            analysis.corrected(part.body, part.name)
            for part in (system.parts if system is not None else ())
            if isinstance(part, FlexiblePartSpec) and part.joint_contact and part.body in jointed
            if not system.touches(part.name)
        )

    def true_fields_of(self, analysis: Any) -> tuple[BodyAnalysis, ...]:
        """Return the corrections of all frames of an analysis, if its true fields are switched on; else none."""
        switched_on = isinstance(analysis, WithTrueFields) and analysis.true_fields
        return self.corrections_of(analysis) if switched_on else ()

    @property
    def computed_analyses(self) -> tuple[Any, ...]:
        """The analyses, each followed by its true fields where they are switched on."""
        return tuple(found for each in self.analyses for found in (each, *self.true_fields_of(each)))


def _named(items: tuple[Any, ...], name: str, what: str) -> Any:
    for item in items:
        if item.name == name:
            return item
    raise ModelError(f"There is no {what} called {name!r}.", there_are(name, [item.name for item in items]))
