"""The pools of connections, and HTTP on each."""
