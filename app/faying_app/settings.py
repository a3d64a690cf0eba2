"""Settings of the program on this machine: recent files, theme, the window's shape."""

import json
import os
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QByteArray, QSettings

from faying_app.look.theme import ThemeChoice

_MOST_RECENT = 10


class Settings:
    """Kept between starts, in Qt's usual place or below the folder that FAYING_HOME names."""

    def __init__(self) -> None:
        home = os.environ.get("FAYING_HOME", "")
        if home:
            self._store = QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat)
        else:
            self._store = QSettings("Faying", "Faying")

    @property
    def theme(self) -> ThemeChoice:
        """Chosen theme."""
        chosen = str(self._store.value("theme", "system"))
        return cast(ThemeChoice, chosen if chosen in ("light", "dark", "system") else "system")

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._store.setValue("theme", choice)

    @property
    def cluster(self) -> str:
        """Where points of studies are computed: address or file of a scheduler, "" for this machine."""
        return str(self._store.value("cluster", "") or "")

    @cluster.setter
    def cluster(self, place: str) -> None:
        self._store.setValue("cluster", place)

    @property
    def recent_files(self) -> list[Path]:
        """Files opened lately that still exist, the latest first."""
        stored = self._store.value("recent_files", [])
        words = [stored] if isinstance(stored, str) else list(cast(list[str], stored or []))
        return [path for path in map(Path, words) if _is_there(path)]

    def remember_file(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        path = path.absolute()
        others = [p for p in self.recent_files if p != path]
        self._store.setValue("recent_files", [str(p) for p in (path, *others)][:_MOST_RECENT])

    def forget_files(self) -> None:
        """Empty the list of recent files."""
        self._store.remove("recent_files")

    @property
    def guides(self) -> bool:
        """Whether the steps to a first model are shown above the view while some are missing."""
        return str(self._store.value("guides", "true")).lower() != "false"

    @guides.setter
    def guides(self, shown: bool) -> None:
        self._store.setValue("guides", shown)

    @property
    def report_texts(self) -> dict[str, str]:
        """Author, paper, logo and template of the last report."""
        try:
            found = json.loads(str(self._store.value("report_words", "{}")))
        except ValueError:
            found = {}
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    @report_texts.setter
    def report_texts(self, words: dict[str, str]) -> None:
        self._store.setValue("report_words", json.dumps(words))

    @property
    def last_folder(self) -> str:
        """Folder of the file that was last chosen in a dialog."""
        return str(self._store.value("last_folder", str(Path.home())))

    @last_folder.setter
    def last_folder(self, folder: Path | str) -> None:
        self._store.setValue("last_folder", str(folder))

    @property
    def colour_presets(self) -> dict[str, dict[str, Any]]:
        """Looks of results by name, as values of the view state."""
        try:
            found = json.loads(str(self._store.value("colour_presets", "{}")))
        except ValueError:
            return {}
        return {str(k): v for k, v in found.items() if isinstance(v, dict)} if isinstance(found, dict) else {}

    @colour_presets.setter
    def colour_presets(self, presets: dict[str, dict[str, Any]]) -> None:
        self._store.setValue("colour_presets", json.dumps(presets))

    def read_shape(self, name: str) -> QByteArray | None:
        """Return a stored geometry or state of the window."""
        value = self._store.value(f"shape/{name}")
        return value if isinstance(value, QByteArray) else None

    def write_shape(self, name: str, value: QByteArray) -> None:
        """Store a geometry or state of the window."""
        self._store.setValue(f"shape/{name}", value)

    def save(self) -> None:
        """Bring everything to disk."""
        self._store.sync()


def _is_there(path: Path) -> bool:
    """Return whether a file exists; one in a folder that cannot be looked into does not."""
    try:
        return path.exists()
    except OSError:
        return False
