"""Unknown outcomes and their verdicts, compared with the true state of the sandbox or of a scripted service."""
