"""Plots drawn in the theme's colours, in the window and as pictures."""
