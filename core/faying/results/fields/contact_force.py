"""Force vector on the slave side of each pair, from pressure and friction; the opposite acts on the master."""

import numpy as np

from faying.results.fields import CONTACT, PAIRS, Field, FieldContext, fields
from faying.results.joint_points import joint_pairs, joint_points


@fields.register("contact_force")
class ContactForce(Field):
    """Force vector on the slave side of each pair, from pressure and friction; the opposite acts on the master."""

    order = 8
    needs = (CONTACT, PAIRS)
    quantity = "force"
    components = 3
    open_at_zero = True

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs, 3) in the directions of the undeformed body."""
        pairs, points = joint_pairs(context, joint), joint_points(context, joint, frame)
        stress = points.pressure[:, None] * pairs.normals
        for tangents, friction in zip((pairs.tangents_1, pairs.tangents_2), points.stress.T, strict=True):
            stress -= friction[:, None] * tangents
        return np.asarray(pairs.weights[:, None] * stress)
