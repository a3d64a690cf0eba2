"""The line-fitted bar: each of its numbers tells of the methods, and misses without them."""

import pytest

from faying.examples import ExampleRun, examples
from faying.project.store import ArtifactStore


@pytest.mark.slow  # four runs of the three bars
def test_every_number_is_missed_with_its_method_swapped(tmp_path):
    example, store = examples["line-fitting-bar"](), ArtifactStore(tmp_path)
    project = example.build(quick=True)
    missed = set()
    for variant in example.switched_off(project).values():
        values = example.measure(ExampleRun(variant, store))
        missed |= {e.name for e in example.expected if not e.holds(values[e.name])}
    assert missed == {e.name for e in example.expected}
