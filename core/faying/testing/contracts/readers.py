"""Contract of readers of model files: a description, and a sentence for unreadable files."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import ReadError
from faying.fem.readers import ModelReader, reader_of, readers
from faying.progress import Silent
from faying.testing.contracts.members import Contract


class ReaderContract(Contract):
    """Unique suffixes, and a sentence with the file's name for other files."""

    family: ClassVar[Any] = readers

    @pytest.fixture
    def reader(self, kind: str) -> type[ModelReader]:
        """The tested reader."""
        found: type[ModelReader] = self.family[kind]
        return found

    def test_it_says_what_it_reads(self, reader: type[ModelReader]) -> None:
        assert reader.title and reader.extensions
        for ending in reader.extensions:
            assert ending == ending.lower() and ending.startswith(".")
            assert reader_of(Path(f"x{ending.upper()}")) is reader

    @pytest.mark.parametrize(
        "content",
        [b"", b"\n\n", b"what is this?\n", bytes(range(256)) * 8],
        ids=["empty", "blank", "prose", "bytes"],
    )
    def test_what_is_no_model_is_refused_in_a_sentence(
        self, reader: type[ModelReader], content: bytes, tmp_path: Path
    ) -> None:
        path = tmp_path / f"odd{reader.extensions[0]}"
        path.write_bytes(content)
        with pytest.raises(ReadError) as caught:
            reader.read(path, Silent())
        assert path.name in str(caught.value)
        assert path.read_bytes() == content

    def test_what_is_not_there_is_refused_in_a_sentence(
        self, reader: type[ModelReader], tmp_path: Path
    ) -> None:
        path = tmp_path / f"nowhere{reader.extensions[0]}"
        with pytest.raises(ReadError, match="nowhere"):
            reader.read(path, Silent())
        assert not list(tmp_path.iterdir())
