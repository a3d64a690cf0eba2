"""Joints: where parts of one body touch: pairs, gaps and slips, contact and friction laws."""
