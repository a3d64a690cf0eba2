"""Statics of held bodies: the load path, the structures that follow it (reduced and FE), and the run of an analysis."""
