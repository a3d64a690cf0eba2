"""Contract of readers of structural matrices: they recognise only their own files, by content."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import ReadError
from faying.fem.matrix_files import MatrixReader, matrix_readers
from faying.progress import Silent
from faying.testing.contracts.members import Contract

_NO_MATRIX = {"empty": b"", "blank": b"\n\n", "prose": b"what is this?\n", "bytes": bytes(range(256)) * 8}


class MatrixReaderContract(Contract):
    """A title, and a sentence with the file's name for other files."""

    family: ClassVar[Any] = matrix_readers

    @pytest.fixture
    def reader(self, kind: str) -> type[MatrixReader]:
        """The tested reader."""
        found: type[MatrixReader] = self.family[kind]
        return found

    def test_it_says_what_it_reads(self, reader: type[MatrixReader]) -> None:
        assert reader.title
        assert isinstance(reader.labelled, bool)

    @pytest.mark.parametrize("content", _NO_MATRIX)
    def test_what_is_no_matrix_is_not_recognised_and_refused_in_a_sentence(
        self, reader: type[MatrixReader], content: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "odd.mtx"
        path.write_bytes(_NO_MATRIX[content])
        # Words in a line may be as many as numbers would be.
        assert not reader.recognises(path, _NO_MATRIX[content][:4096]) or content == "prose"
        with pytest.raises(ReadError) as caught:
            reader.read(path, None, Silent())
        assert path.name in str(caught.value)
        assert path.read_bytes() == _NO_MATRIX[content]
