"""API operations as values: path templates, arguments, bodies, and readers of responses. Does no I/O."""
