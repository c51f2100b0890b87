"""Connection pools, and HTTP/1.1 on their connections."""
