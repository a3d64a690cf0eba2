"""The window of Faying: Qt shell and VTK scene over the core."""
