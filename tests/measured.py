"""Puts what examples measured into the manual's page of verification.

    for NAME in $(faying demo | cut -d" " -f1); do faying demo $NAME --no-window --out runs/$NAME; done
    python -m tests.measured runs/*/summary.json

Only full runs count, in which every number was measured and held; what other examples have there stays.
"""

import json
import sys
from pathlib import Path

from faying.examples import examples

MEASURED = Path(__file__).parents[1] / "resources/faying_resources/manual/measured.json"


def collect(summaries: list[Path], into: Path = MEASURED) -> list[str]:
    """Write the numbers of summaries into the file, and return why some of them were left out."""
    found = json.loads(into.read_text(encoding="utf-8")) if into.exists() else {}
    left_out = []
    for path in summaries:
        summary = json.loads(path.read_text(encoding="utf-8"))
        name, numbers = summary["example"], summary["quantities"]
        expected = {each.name for each in examples[name].expected} if name in examples else set()
        missing = sorted(expected - {each["name"] for each in numbers})
        missed = [each["name"] for each in numbers if not each["passed"]]
        if not expected or missing or missed:
            why = f"not measured {missing}, missed {missed}" if expected else "no example"
            left_out.append(f"{path}: {why}")
            continue
        found[name] = {each["name"]: each["value"] for each in numbers}
    kept = {name: found[name] for name in sorted(found) if name in examples}
    into.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return left_out


if __name__ == "__main__":
    for line in collect([Path(word) for word in sys.argv[1:]]):
        sys.stderr.write(line + "\n")
