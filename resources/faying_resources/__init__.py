"""Icons, themes, example meshes."""
