"""The page of examples and studies, made from the families."""

from faying.examples import GROUPS, examples
from faying.manual import reference_pages
from faying.manual._tables import table
from faying.studies import studies


@reference_pages.register("examples")
def examples_page() -> str:
    """Return the page: name, title and summary of each example and study."""
    parts = [
        "# Examples and studies",
        "`faying demo NAME` runs an example to the end and compares its numbers with their references; `--quick` makes "
        "it shorter. It leaves `NAME.faying`, `NAME.png`, `NAME.mp4` and `summary.json` in its folder. "
        "[Verification](verification.md) lists the numbers.",
    ]
    for group in GROUPS:
        rows = [
            (f"`{name}`", f"{kind.title}. {kind.summary}")
            for name, kind in sorted(examples.items())
            if kind.group == group
        ]
        parts += [f"## {group}", table(("name", "content"), rows)]
    parts += [
        "## Studies",
        "Studies test statements of the literature: each lists the statement, the measured numbers, and whether it "
        "holds, does not hold, or is too near to a limit to be decided. `faying studies` lists them, "
        "`faying studies NAME` prints the recorded tables, and `--measure` measures again (minutes to an hour).",
        table(
            ("name", "content"), [(f"`{n}`", f"{s.title}. {s.summary}") for n, s in sorted(studies.items())]
        ),
        "The thesis does not print where the holes of its friction bar are, so the studies try two bars. With the "
        "beams 100 mm apart, as in `friction-bar` and `friction-bar-preloaded`, 20 joint modes bring the deflection "
        "within the printed 1 %; with 50 mm, as in the other two examples of the bar, that takes 30.",
    ]
    return "\n\n".join(parts) + "\n"
