"""Plain VTK actors: surfaces, lines, points, arrows and writing. Nothing here renders."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkActor2D,
    vtkGlyph3DMapper,
    vtkMapper,
    vtkPolyDataMapper,
    vtkPolyDataMapper2D,
)

from faying.exporters.content import FontName
from faying_app.scene.colours import SceneTheme, rgb
from faying_app.scene.writing import Writing

_FONTS: dict[FontName, str] = {"sans": "DejaVuSans", "serif": "DejaVuSerif"}
# Diffuse light of three lamps, and a sky that is lighter than the ground. VTK's own shader raises a highlight to a
# power at every pixel, even where its strength is nil: on a processor that takes longer than all else of a surface.
_DIFFUSE_ALONE = """
  vec3 facing = vec3(dot(normalVCVSOutput, -lightDirectionVC0), dot(normalVCVSOutput, -lightDirectionVC1),
                     dot(normalVCVSOutput, -lightDirectionVC2));
  facing = max(vec3(0.0), facing);
  vec3 lamps = facing.x * lightColor0 + facing.y * lightColor1 + facing.z * lightColor2;
  fragOutput0 = vec4((0.85 + 0.15 * normalVCVSOutput.y) * ambientColor + lamps * diffuseColor, opacity);
"""
# Larger than any depth: draws a thing in front of everything else.
IN_FRONT = -1.0e5


# Width of the edges of bodies (design pixels), and how many pixels of depth they are lifted: at a silhouette the face
# beside an edge comes nearer by as much, and would hide half of its width.
EDGE = 1.5
_LIFT = 3.0


def prepare_vtk() -> None:
    """Let lines win against the faces they lie on, and points against lines."""
    vtkMapper.SetResolveCoincidentTopologyToPolygonOffset()


def surface_actor() -> vtkActor:
    """Return an actor for triangles that is lit softly so that colours stay true.

    Data with normals at their points are shaded smoothly, others flat.
    """
    actor = _actor()
    look = actor.GetProperty()
    look.SetInterpolationToPhong()
    look.SetAmbient(0.42)
    look.SetDiffuse(0.72)
    look.SetSpecular(0.0)
    actor.GetShaderProperty().AddFragmentShaderReplacement("//VTK::Light::Impl", True, _DIFFUSE_ALONE, False)
    return actor


def line_actor(width: float = EDGE, *, in_front: bool = False) -> vtkActor:
    """Return an actor for lines, unlit."""
    actor = _actor()
    unlit(actor)
    actor.GetProperty().SetLineWidth(width)
    if in_front:
        actor.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, IN_FRONT)
    return actor


def lift_lines(actor: vtkActor, depth_of_pixel: float) -> None:
    """Draw lines so far in front of the faces they lie on that these hide nothing of them.

    Args:
        actor: the lines.
        depth_of_pixel: `Sheet.depth_of_pixel`.
    """
    mapper = actor.GetMapper()
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -max(4.0, _LIFT * depth_of_pixel))


def point_actor(size: float = 6.0, *, in_front: bool = False) -> vtkActor:
    """Return an actor for points as little balls of a size in pixels."""
    actor = _actor()
    look = actor.GetProperty()
    look.SetPointSize(size)
    look.SetRenderPointsAsSpheres(True)
    look.SetAmbient(0.45)
    look.SetDiffuse(0.6)
    if in_front:
        actor.GetMapper().SetRelativeCoincidentTopologyPointOffsetParameter(IN_FRONT)
    return actor


def unlit(actor: vtkActor) -> None:
    """Draw an actor in exactly its colours, whatever the light."""
    look = actor.GetProperty()
    actor.GetShaderProperty().ClearAllFragmentShaderReplacements()
    look.SetLighting(False)
    look.SetAmbient(0.0)
    look.SetDiffuse(1.0)


def _actor() -> vtkActor:
    actor, mapper = vtkActor(), vtkPolyDataMapper()
    mapper.SetScalarVisibility(False)
    actor.SetMapper(mapper)
    actor.SetPickable(False)
    show(actor, pv.PolyData())
    return actor


def arrow_actor(*, heads: int = 1, ends_there: bool = False, in_front: bool = False) -> vtkActor:
    """Return an actor that draws an arrow at every point along the vectors "direction" (length counts).

    Args:
        heads: two heads stand for a moment.
        ends_there: the points are the arrows' tips, else their tails.
        in_front: draws them before everything else.
    """
    actor = _glyph_actor(_arrow(heads, ends_there), in_front=in_front)
    mapper = actor.GetMapper()
    mapper.SetOrientationArray("direction")
    mapper.SetScaleArray("direction")
    mapper.SetScaleModeToScaleByMagnitude()
    show(actor, arrow_data(np.zeros((0, 3)), np.zeros((0, 3))))
    return actor


@cache
def _arrow(heads: int, ends_there: bool) -> pv.PolyData:
    """Return an arrow of length one along x; each view has many of one kind."""
    arrow = pv.Arrow(
        tip_length=0.35, tip_radius=0.11, tip_resolution=12, shaft_radius=0.035, shaft_resolution=8
    )
    source = arrow.triangulate()
    if heads == 2:
        source = source.merge(source.translate((-0.35, 0.0, 0.0))).extract_surface(
            algorithm="dataset_surface"
        )
    if ends_there:
        source = source.translate((-1.0, 0.0, 0.0))
    return source


def support_actor() -> vtkActor:
    """Return an actor that draws a support with its tip at every point: a pyramid on a plate; see `scale_glyphs`."""
    pyramid = pv.Cone(
        center=(0.0, 0.0, -0.4), direction=(0.0, 0.0, 1.0), height=0.8, radius=0.55, resolution=4
    )
    plate = pv.Cube(center=(0.0, 0.0, -0.87), x_length=1.3, y_length=1.3, z_length=0.14)
    return _glyph_actor(pyramid.merge(plate).extract_surface(algorithm="dataset_surface"), in_front=False)


def footing_actor(kind: Literal["fixed", "sliding", "elastic"]) -> vtkActor:
    """Return an actor that draws what a surface stands on at every point, out along the vectors "direction".

    A pyramid for one that is fixed, a ball for one that slides, a coil for springs, each on a plate; see
    `scale_glyphs`.
    """
    actor = _glyph_actor(_footing(kind), in_front=False)
    actor.GetMapper().SetOrientationArray("direction")
    show(actor, arrow_data(np.zeros((0, 3)), np.zeros((0, 3))))
    return actor


@cache
def _footing(kind: str) -> pv.PolyData:
    plate = pv.Cube(center=(0.87, 0.0, 0.0), x_length=0.1, y_length=0.9, z_length=0.9)
    if kind == "fixed":
        body = pv.Cone(
            center=(0.41, 0.0, 0.0), direction=(-1.0, 0.0, 0.0), height=0.82, radius=0.42, resolution=4
        )
    elif kind == "sliding":
        body = pv.Sphere(radius=0.41, center=(0.41, 0.0, 0.0), theta_resolution=12, phi_resolution=8)
    else:
        turns = np.linspace(0.0, 1.0, 49)
        wide = 0.26 * np.clip(8.0 * np.minimum(turns, 1.0 - turns), 0.0, 1.0)  # its ends come to the axis
        angle = 2.0 * np.pi * 3.5 * turns
        path = np.column_stack([0.82 * turns, wide * np.cos(angle), wide * np.sin(angle)])
        body = pv.lines_from_points(path).tube(radius=0.06, n_sides=6)
    return body.merge(plate).extract_surface(algorithm="dataset_surface")


def scale_glyphs(actor: vtkActor, factor: float) -> None:
    """Draw arrows or cubes larger by a factor."""
    actor.GetMapper().SetScaleFactor(factor)


def _glyph_actor(source: pv.PolyData, *, in_front: bool) -> vtkActor:
    actor, mapper = vtkActor(), vtkGlyph3DMapper()
    mapper.SetSourceData(source)
    mapper.SetScaleModeToNoDataScaling()
    mapper.SetScalarVisibility(False)
    if in_front:
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, IN_FRONT)
    actor.SetMapper(mapper)
    actor.SetPickable(False)
    actor.GetProperty().SetAmbient(0.4)
    actor.GetProperty().SetDiffuse(0.65)
    show(actor, pv.PolyData())
    return actor


def arrow_data(points: np.ndarray, directions: np.ndarray) -> pv.PolyData:
    """Return points (n, 3) with vectors (n, 3) for an arrow actor."""
    made = pv.PolyData()
    made.points = np.array(points, np.float32).reshape(-1, 3)
    vectors = np.array(directions, np.float32).reshape(-1, 3)
    made.GetPointData().AddArray(pv.convert_array(vectors, name="direction"))
    return made


def show(actor: vtkActor, drawn: pv.PolyData) -> None:
    """Give an actor another data set."""
    actor.GetMapper().SetInputDataObject(drawn)


def paint(actor: vtkActor, colour: str, opacity: float = 1.0) -> None:
    """Give an actor one colour."""
    actor.GetProperty().SetColor(*rgb(colour))
    actor.GetProperty().SetOpacity(opacity)


def paint_values(actor: vtkActor, table: vtkLookupTable | None, *, cells: bool = False) -> None:
    """Colour an actor by its scalars through a table, or by its own colour again with None."""
    mapper = actor.GetMapper()
    mapper.SetScalarVisibility(table is not None)
    if table is None:
        return
    mapper.SetLookupTable(table)
    mapper.SetUseLookupTableScalarRange(True)
    if cells:
        mapper.SetScalarModeToUseCellData()
    else:
        mapper.SetScalarModeToUsePointData()
        mapper.SetInterpolateScalarsBeforeMapping(True)


def flat_actor() -> vtkActor2D:
    """Return an actor for coloured quads and lines in pixels, over the scene."""
    actor, mapper = vtkActor2D(), vtkPolyDataMapper2D()
    mapper.SetScalarModeToUseCellData()
    mapper.SetColorModeToDirectScalars()
    mapper.SetInputData(pv.PolyData())
    actor.SetMapper(mapper)
    actor.SetPickable(False)
    return actor


def show_quads(
    actor: vtkActor2D, boxes: list[tuple[float, float, float, float]], colours: np.ndarray
) -> None:
    """Draw boxes (left, bottom, right, top) in pixels, with colours (n, 4) from 0 to 255."""
    if not boxes:
        actor.GetMapper().SetInputData(pv.PolyData())
        return
    left, bottom, right, top = np.array(boxes, np.float32).T
    corners = np.stack([left, bottom, right, bottom, right, top, left, top], axis=1).reshape(-1, 2)
    points = np.column_stack([corners, np.zeros(len(corners), np.float32)])
    drawn = pv.PolyData.from_regular_faces(points, np.arange(len(points)).reshape(-1, 4))
    drawn.cell_data["colours"] = np.asarray(colours, np.uint8)
    drawn.set_active_scalars("colours")
    actor.GetMapper().SetInputData(drawn)


def text_actor(*, bold: bool = False) -> Writing:
    """Return writing in pixels over the scene."""
    actor = Writing(is_bold=bold)
    write_with(actor, "sans")
    return actor


def write_with(actor: Writing, font: FontName) -> None:
    """Write with another font."""
    words, file = actor.GetTextProperty(), font_file(actor.is_bold, font)
    if file:
        words.SetFontFile(file)
    else:
        words.SetBold(actor.is_bold)


def paint_text(actor: Writing, colour: str, theme: SceneTheme) -> None:
    """Write in a colour, with a halo that keeps it apart from whatever lies behind."""
    actor.GetTextProperty().SetColor(*rgb(colour))
    actor.GetTextProperty().SetBackgroundColor(*rgb(theme.panel))


@cache
def font_file(bold: bool, font: FontName = "sans") -> str:
    """Return the path of a font that has raised numbers and square brackets, "" when it is not there.

    It comes with matplotlib, which pyvista needs anyway.
    """
    name = f"mpl-data/fonts/ttf/{_FONTS[font]}{'-Bold' if bold else ''}.ttf"
    found = importlib.util.find_spec("matplotlib")
    path = Path(found.origin).parent / name if found is not None and found.origin else None
    return str(path) if path is not None and path.is_file() else ""


def text_extent(actor: Writing) -> tuple[float, float]:
    """Return width and height of writing in pixels; zeros when nothing is written."""
    left, bottom, right, top = actor.box
    return (right - left, top - bottom)


def plain_text(text: str) -> str:
    """Return text in which VTK sees no table columns and no formulas."""
    return text.replace("|", "\u2223").replace("$", "\\$")
