"""Where studies are computed: chosen in a dialog that tries the cluster, remembered, and told to the worker."""

import pytest
from PySide6.QtWidgets import QDialog, QDialogButtonBox

from faying_app.actions.choose_cluster import ClusterDialog
from support.windows import trigger

pytestmark = pytest.mark.window
distributed = pytest.importorskip("distributed")


def test_a_cluster_is_tried_before_it_is_chosen(qtbot, monkeypatch):
    monkeypatch.setattr("faying.parallel.cluster._PATIENCE", 0.3)
    dialog = ClusterDialog("")
    qtbot.addWidget(dialog)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert dialog.here.isChecked() and ok.isEnabled() and not dialog.test.isEnabled()
    dialog.there.setChecked(True)
    assert not ok.isEnabled()
    dialog.place.setText("tcp://127.0.0.1:9")
    dialog.test.click()
    qtbot.waitUntil(lambda: "No scheduler" in dialog.told.text(), timeout=20000)
    assert dialog.told.property("role") == "error" and ok.isEnabled()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as found:
        dialog.place.setText(found.scheduler_address)
        dialog.test.click()
        qtbot.waitUntil(lambda: "1 worker with 2 threads" in dialog.told.text(), timeout=20000)
    assert dialog.told.property("role") == "" and dialog.cluster == found.scheduler_address


def test_the_choice_is_remembered_and_the_worker_told(qtbot, window, monkeypatch):
    def accepted(dialog):
        dialog.there.setChecked(True)
        dialog.place.setText("tcp://node7:8786")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ClusterDialog, "exec", accepted)
    trigger(qtbot, window, "choose_cluster")
    assert window.context.settings.cluster == "tcp://node7:8786"
    assert window.runner._cluster() == "tcp://node7:8786"
    again = ClusterDialog(window.context.settings.cluster)
    qtbot.addWidget(again)
    assert again.there.isChecked() and again.cluster == "tcp://node7:8786"
    window.context.settings.cluster = ""


def test_a_mistake_of_the_program_leaves_the_dialog_usable(qtbot, monkeypatch):
    def fail(_place):
        raise KeyError("by purpose")

    monkeypatch.setattr("faying.parallel.cluster.described", fail)
    raised = []
    monkeypatch.setattr("threading.excepthook", raised.append)
    dialog = ClusterDialog("tcp://node7:8786")
    qtbot.addWidget(dialog)
    dialog.test.click()
    qtbot.waitUntil(lambda: dialog.test.isEnabled(), timeout=5000)
    assert "could not be asked" in dialog.told.text() and raised
