"""Whether this machine is set up to call the service."""
