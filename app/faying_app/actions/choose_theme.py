"""View ▸ Theme."""

from functools import partial

from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.look.theme import ThemeChoice

_THEMES: tuple[tuple[ThemeChoice, str], ...] = (
    ("light", "Light"), ("dark", "Dark"), ("system", "As the desktop"),
)  # fmt: skip


@actions.register("choose_theme")
class ChooseTheme(ChoosingAction):
    """Choose light or dark colours."""

    title = "Theme"
    menu = "View"
    order = 500
    icon = "theme"
    meaning = "Choose light or dark colours."

    def choices(self, context: Context) -> list[Choice]:
        """Offer the themes."""
        now = context.settings.theme
        return [
            Choice(title, partial(context.window.choose_theme, name), checked=now == name)
            for name, title in _THEMES
        ]
