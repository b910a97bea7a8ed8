"""What memories said before and what happened to them: asked, told, verified."""
