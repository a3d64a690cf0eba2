"""The contact stiffness that suits the mesh, suggested where a contact law is chosen: of joints, and between parts."""

from faying.errors import FayingError
from faying.joints.contact_stiffness import StiffnessProposal, fitted_to, penetration_at, propose_stiffness
from faying.project import edits
from faying.project.contact_sides import ContactSide, propose_part_stiffness
from faying.project.file_names import with_absolute_files
from faying.project.paths import SpecPath, value_at
from faying.project.recorded import Edit
from faying.project.specs import JointSpec, Project
from faying.units import unit_text
from faying_app.computed import Computed
from faying_app.entities import body_at, contact_path, joint_at, kind_of
from faying_app.forms.host import Suggestion

# A law whose penetration differs by a smaller share than this is as suggested.
_NEAR = 0.01


def suggested_stiffness(computed: Computed, project: Project, path: SpecPath) -> Suggestion | None:
    """Return what is suggested for a contact law; None for other members, and while the pairs are not found.

    Args:
        computed: where the joint's model, surfaces and pairs are.
        project: that contains the law.
        path: of the law in it.
    """
    if kind_of(path) != "contact_law":
        return None
    proposal = None
    if at := contact_path(project, path):
        proposal = _between_parts(computed, project, at)
    elif (body := body_at(project, path)) is not None:
        proposal = _proposal(computed, body.name, joint_at(project, path))
    if proposal is None:
        return None
    law = with_absolute_files(value_at(project, path), computed.base)
    try:
        depth = penetration_at(law, proposal.pressure)
    except FayingError:  # errors of an unreadable table are reported where it is drawn and checked
        depth = float("nan")

    def edit() -> Edit:
        return edits.set_value(path, fitted_to(law, proposal))

    fits = abs(depth / proposal.penetration - 1.0) < _NEAR
    return Suggestion(
        _sentence(proposal, depth, project.units, fits),
        "Take the proposed contact stiffness",
        None if fits else edit,
    )


def _proposal(computed: Computed, body: str, joint: JointSpec) -> StiffnessProposal | None:
    model, pairs = computed.model(body), computed.pairs(body, joint.name)
    if model is None or pairs is None:
        return None
    master, slave = computed.surface(body, joint, "master"), computed.surface(body, joint, "slave")
    if master is None or slave is None:
        return None
    return propose_stiffness(model, master, slave, pairs)


def _between_parts(computed: Computed, project: Project, at: SpecPath) -> StiffnessProposal | None:
    sides = computed.contact_sides(value_at(project, at[:2]), value_at(project, at))
    found = [side for side in sides.values() if isinstance(side, ContactSide)]
    return propose_part_stiffness(*found) if len(found) == 2 else None


def _sentence(proposal: StiffnessProposal, depth: float, units: str, fits: bool) -> str:
    per_length, stress, length = (unit_text(q, units) for q in ("contact_stiffness", "stress", "length"))
    begin = f"{proposal.stiffness:g} {per_length}, from E and element size"
    at = f"at {proposal.pressure:.2g} {stress}"
    if fits:
        return f"As proposed: {begin}; penetrates {depth:.2g} {length} {at}."
    now = f", now {depth:.2g} {length}" if depth == depth else ""
    return f"Proposed: {begin}; penetrates {proposal.penetration:.2g} {length} {at}{now}."
