"""Parts as the equations of motion see them: ground, rigid and flexible ones. Decisions are in `part_kinds`."""
