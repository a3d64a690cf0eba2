"""Contract of exporters: a complete file or none, and a sentence about unsupported content."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.errors import Cancelled, ModelError
from faying.exporters import ExportContent, Exporter, ExportSettings, exporter_for, exporters
from faying.progress import CancelFlag, Silent
from faying.results.fields import fields
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates_session, solved


class ExporterContract(Contract):
    """It is found by its registered suffix, writes one complete file, and otherwise leaves existing files unchanged."""

    family: ClassVar[Any] = exporters

    @pytest.fixture
    def exporter(self, kind: str) -> Exporter:
        """The tested exporter; the test is skipped if its requirements are not installed."""
        made: Exporter = self.family[kind]()
        made.prepare()
        return made

    @pytest.fixture
    def content(self) -> ExportContent:
        """Two plates pressed on each other without friction."""
        solved("press")
        return plates_session().shown_body("press")

    def test_it_says_what_it_writes(self, kind: str, exporter: Exporter) -> None:
        assert exporter.title
        assert type(exporter_for(Path(f"x.{kind.upper()}"))) is type(exporter)

    @pytest.mark.parametrize("field", ["pressure", "displacement", "friction_stress"])
    def test_a_field_is_written_or_the_sentence_says_why_not(
        self, kind: str, exporter: Exporter, content: ExportContent, field: str, tmp_path: Path
    ) -> None:
        """The run has no friction: a sentence, and no file."""
        target, settings = tmp_path / f"x.{kind}", ExportSettings(field, (0,))
        refusal = fields[field]().refusal(content.body_context)
        assert (refusal is not None) == (field == "friction_stress")
        if refusal is not None:
            with pytest.raises(ModelError) as caught:
                exporter.write(content, settings, target, Silent())
            assert caught.value.message == refusal.message
            assert not list(tmp_path.iterdir())
            return
        exporter.write(content, settings, target, Silent())
        assert sorted(tmp_path.iterdir()) == sorted(exporter.files(settings, target))
        assert target.stat().st_size > 0

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            (ExportSettings("gap", (700,)), "no frame 700"),
            (ExportSettings("gap", ()), "no frames"),
            (ExportSettings("gap", (0,), joint="hip"), "no joint called 'hip'"),
        ],
    )
    def test_what_is_not_there_is_said(
        self, kind: str, exporter: Exporter, content: ExportContent, settings: ExportSettings, words: str,
        tmp_path: Path,
    ) -> None:  # fmt: skip
        with pytest.raises(ModelError, match=words):
            exporter.write(content, settings, tmp_path / f"x.{kind}", Silent())
        assert not list(tmp_path.iterdir())

    def test_a_cancelled_export_leaves_the_old_file(
        self, kind: str, exporter: Exporter, content: ExportContent, tmp_path: Path
    ) -> None:
        target = tmp_path / f"x.{kind}"
        target.write_text("old")
        flag = CancelFlag()
        flag.cancel()
        with pytest.raises(Cancelled):
            exporter.write(content, ExportSettings("gap", (0,)), target, flag)
        assert [path.name for path in tmp_path.iterdir()] == [target.name]
        assert target.read_text() == "old"
