"""Schema 3 to 4: joint modes are added to an accuracy by default, and were weighted POD modes of derivatives."""

from faying.project.migrations import PlainDict, migrations


@migrations.register("3")
def joint_modes(table: PlainDict) -> PlainDict:
    """Return the table with the method that bodies had which name none."""
    bodies = table.get("bodies")
    if not isinstance(bodies, list):
        return table
    named = [
        {**body, "joint_modes": body.get("joint_modes", {"kind": "weighted_pod"})}
        if isinstance(body, dict)
        else body
        for body in bodies
    ]
    return table | {"bodies": named}
