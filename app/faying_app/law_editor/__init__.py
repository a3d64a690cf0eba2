"""The law editor: contact and friction laws as live curves, overlaid and matched to one another."""
