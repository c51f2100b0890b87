"""What applications and tracers see of a call: observers, trace identifiers, log records."""
