"""CAD files as FE models, meshed by Gmsh in a separate process if it is installed."""
