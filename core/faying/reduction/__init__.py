"""Model order reduction of jointed bodies: component modes, joint modes, the reduced body."""
