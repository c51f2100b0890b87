"""Calls as applications and tracers see them: observers, trace identifiers, log records."""
