"""Unknown outcomes and their verdicts, with the truth known: the sandbox holds it."""
