"""Contract of writers of reduced bodies: a description, and complete files or none."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import FayingError
from faying.exporters.bodies import BodyWriter, body_writer_for, body_writers, write_body
from faying.reduction.body_file import BodyFile
from faying.session.bodies import reduced_body_file
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates_session


class BodyWriterContract(Contract):
    """Tested with the reduced body of two plates with a joint."""

    family: ClassVar[Any] = body_writers

    @pytest.fixture
    def writer(self, kind: str) -> type[BodyWriter]:
        """The tested writer."""
        found: type[BodyWriter] = self.family[kind]
        return found

    @pytest.fixture
    def body(self) -> BodyFile:
        """The body to write."""
        session = plates_session()
        return reduced_body_file(session.project, session.body(), session.compute)

    def test_it_says_what_it_writes(self, writer: type[BodyWriter]) -> None:
        assert writer.title and writer.extensions
        for ending in writer.extensions:
            assert ending == ending.lower() and ending.startswith(".")
            assert body_writer_for(Path(f"body{ending.upper()}")) is writer

    def test_it_leaves_its_files_and_tells_what_they_lack(
        self, writer: type[BodyWriter], body: BodyFile, tmp_path: Path
    ) -> None:
        for ending in writer.extensions:
            path = tmp_path / ending.strip(".") / f"body{ending}"
            path.parent.mkdir()
            said = write_body(body, path)
            assert all(sentence.endswith(".") for sentence in said)
            left = set(path.parent.iterdir())
            assert path in left <= set(writer.files(path))  # what a body has not, needs no file
            assert all(file.stat().st_size > 0 for file in left)

    def test_nothing_of_an_earlier_export_stays_beside_it(
        self, writer: type[BodyWriter], body: BodyFile, tmp_path: Path
    ) -> None:
        """With damping first, then without; a file of somebody else stays, and is told."""
        for ending in writer.extensions:
            path = tmp_path / ending.strip(".") / f"body{ending}"
            path.parent.mkdir()
            write_body(body, path)
            own = set(path.parent.iterdir())
            write_body(replace(body, damping=1e-6 * body.reduced.stiffness), path)
            write_body(body, path)
            assert set(path.parent.iterdir()) == own
            for spare in set(writer.files(path)) - own:
                spare.write_text(f"somebody else's, for {path}", encoding="utf-8")
                for _ in range(2):  # nor is it taken for an own file from then on
                    assert any(spare.name in sentence for sentence in write_body(body, path))
                    assert spare.exists()

    def test_it_writes_the_same_twice(self, writer: type[BodyWriter], body: BodyFile, tmp_path: Path) -> None:
        """Over what is there already, too; and the body is as it was."""
        path, mass = tmp_path / f"body{writer.extensions[0]}", body.reduced.mass.copy()
        sizes = []
        for _ in range(2):
            write_body(body, path)
            sizes.append({file.name: file.stat().st_size for file in tmp_path.iterdir()})
        assert sizes[0] == sizes[1] and (body.reduced.mass == mass).all()

    def test_a_folder_that_is_not_there_is_a_sentence(
        self, writer: type[BodyWriter], body: BodyFile, tmp_path: Path
    ) -> None:
        with pytest.raises(FayingError, match="nowhere"):
            write_body(body, tmp_path / "nowhere" / f"body{writer.extensions[0]}")
        assert not list(tmp_path.iterdir())
