"""Numbers that hold without friction, contact, flexibility or a method show nothing of them.

That some number of a quick run is missed then is a property of the numbers and their tolerances: it is shown once for
them and for the projects, and again when one of them changes. Should the program lose what was switched off, the same
numbers are missed by the examples themselves.
"""

import json
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from faying.examples import Example, ExampleRun, examples
from faying.project.code import installed_code
from faying.project.file_names import with_file_names
from faying.project.serialization import project_to_dict
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from support.shown import shown_once


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ArtifactStore:
    """Where runs find what they share."""
    return ArtifactStore(tmp_path_factory.mktemp("switched off"))


def _missed(example: Example, project: Project, store: ArtifactStore) -> tuple[set[str], set[str]]:
    """Return the names of all numbers, and of those that are missed."""
    with np.errstate(divide="ignore", invalid="ignore"):  # shares of what is not there
        values = example.measure(ExampleRun(project, store))
    return set(values), {e.name for e in example.expected if e.name in values and not e.holds(values[e.name])}


def _shown_once(what: str, example: Example, variants: dict[str, Project]) -> AbstractContextManager[None]:
    """Skip what was shown for the same projects and decks, the same numbers, measured and judged in the same way."""
    expected = [(e.name, e.reference, e.tolerance) for e in example.expected]
    named = [
        (n, project_to_dict(with_file_names(v, lambda file: Path(file).name))) for n, v in variants.items()
    ]
    decks = {Path(body.model.path) for project in variants.values() for body in project.bodies}
    code = installed_code().digests([type(example).__module__])
    measured = {name: digest for name, digest in code.items() if name.startswith("faying.examples")}
    words = json.dumps([expected, named, measured], sort_keys=True, default=str)
    return shown_once(what, words, *sorted(decks), Path(__file__))


@pytest.mark.slow  # another run or two of each example
@pytest.mark.parametrize("kind", sorted(examples))
def test_some_number_is_missed_with_what_the_example_is_about_switched_off(kind, store):
    example = examples[kind]()
    variants = example.switched_off(example.build(quick=True))
    assert variants
    with _shown_once(f"switched off: {kind}", example, variants):
        for missing, project in variants.items():
            measured, missed = _missed(example, project, store)
            assert missed, f"all {len(measured)} numbers of {kind} hold without {missing}"


@pytest.mark.slow  # seven reductions and more, four runs of three bars
@pytest.mark.parametrize("kind", ["condensed-beam", "line-fitting-bar"])
def test_every_number_is_missed_with_one_of_the_methods_swapped(kind, store):
    example = examples[kind]()
    variants = example.switched_off(example.build(quick=True))
    with _shown_once(f"methods swapped: {kind}", example, variants):
        missed = set().union(*(_missed(example, project, store)[1] for project in variants.values()))
        assert missed == {e.name for e in example.expected}
