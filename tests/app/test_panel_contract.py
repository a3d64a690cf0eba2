"""Contract of the panels."""

from faying_app.testing import PanelContract


class TestPanels(PanelContract):
    pass
