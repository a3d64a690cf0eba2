"""Contract of writers of model files: a description, and a complete file or none."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.fem.readers import read_model, readers
from faying.fem.writers import ModelWriter, write_model, writers
from faying.testing.contracts.members import Contract
from faying.testing.contracts.surface_selections import outside_of_plates


class ModelWriterContract(Contract):
    """Unique suffixes; if there is a reader for them, it reads the same mesh."""

    family: ClassVar[Any] = writers

    @pytest.fixture
    def writer(self, kind: str) -> type[ModelWriter]:
        """The tested writer."""
        found: type[ModelWriter] = self.family[kind]
        return found

    def test_it_says_what_it_writes(self, writer: type[ModelWriter], tmp_path: Path) -> None:
        assert writer.title and writer.extensions
        for ending in writer.extensions:
            assert ending == ending.lower() and ending.startswith(".")
            owners = [other for _, other in self.family.items() if ending in other.extensions]
            assert owners == [writer]

    def test_the_mesh_comes_back_and_what_was_left_out_is_told(
        self, writer: type[ModelWriter], tmp_path: Path
    ) -> None:
        model, _ = outside_of_plates()
        for ending in writer.extensions:
            path = tmp_path / f"plates{ending}"
            said = write_model(model, path)
            assert all(sentence.strip() for sentence in said)
            assert path.stat().st_size > 0
            if any(ending in reader.extensions for _, reader in readers.items()):
                again = read_model(path)
                np.testing.assert_allclose(again.nodes, model.nodes, atol=1e-9)
                assert sum(len(b.ids) for b in again.blocks) == sum(len(b.ids) for b in model.blocks)
        assert sorted(p.suffix for p in tmp_path.iterdir()) == sorted(writer.extensions)

    def test_a_folder_that_is_not_there_is_an_error_of_the_system(
        self, writer: type[ModelWriter], tmp_path: Path
    ) -> None:
        with pytest.raises(OSError, match="nowhere"):
            write_model(outside_of_plates()[0], tmp_path / "nowhere" / f"plates{writer.extensions[0]}")
