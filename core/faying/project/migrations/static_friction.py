"""Schema 1 to 2: unreduced static analyses have friction, which they had not."""

from faying.project.migrations import PlainDict, migrations


@migrations.register("1")
def static_friction(table: PlainDict) -> PlainDict:
    """Return the table with what a project file of schema 1 decided about friction in unreduced analyses: none.

    A project file has every value written out. A study leaves the defaults to the program that reads it, so that its
    static analyses, reduced or not, get the friction laws of their joints.
    """

    def migrated(analysis: PlainDict) -> PlainDict:
        written_out = analysis.get("kind") == "unreduced_static" and "allowed_penetration" in analysis
        return {"friction": False, **analysis} if written_out else analysis

    analyses = table.get("analyses")
    if not isinstance(analyses, list):
        return table
    return table | {"analyses": [migrated(a) if isinstance(a, dict) else a for a in analyses]}
