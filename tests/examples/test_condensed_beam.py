"""The condensed beam: each of its numbers tells of the methods, and misses without them."""

import pytest

from faying.examples import ExampleRun, examples
from faying.project.store import ArtifactStore


@pytest.mark.slow  # seven reductions and more
def test_every_number_is_missed_with_methods_swapped(tmp_path):
    example, store = examples["condensed-beam"](), ArtifactStore(tmp_path)
    project = example.build(quick=True)
    missed = set()
    for variant in example.switched_off(project).values():
        values = example.measure(ExampleRun(variant, store))
        missed |= {e.name for e in example.expected if not e.holds(values[e.name])}
    assert missed == {e.name for e in example.expected}
