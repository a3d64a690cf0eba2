"""CAD files as FE models, by Gmsh where it is installed; it runs in a process of its own."""
