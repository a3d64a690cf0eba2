"""Draws a line of the tree: its name, and the detail behind it in a quieter colour."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from faying_app.item_models.project_tree import DetailRole
from faying_app.look.theme import current_theme

_SPACE = 10


class DetailDelegate(QStyledItemDelegate):
    """The name is never cut for the sake of the detail."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the line as usual, then the detail in what is left of the width."""
        super().paint(painter, option, index)
        detail = index.data(DetailRole)
        if not detail:
            return
        line = QStyleOptionViewItem(option)
        self.initStyleOption(line, index)
        style = line.widget.style() if line.widget is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, line, line.widget)
        room.setLeft(room.left() + line.fontMetrics.horizontalAdvance(line.text) + _SPACE)
        if room.width() < line.fontMetrics.averageCharWidth() * 4:
            return
        painter.save()
        painter.setFont(line.font)
        painter.setPen(current_theme().colour("muted"))
        text = line.fontMetrics.elidedText(detail, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.restore()
