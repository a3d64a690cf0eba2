"""The 3D scene: the only place that imports pyvista, pyvistaqt and VTK.

`scene.Scene` draws on any plotter, `viewport.Viewport` is the widget in the window, `picture` and `film`
draw the same scene without a window, and `exporters` offers them to the command line.
"""
