"""Serves the sandbox on loopback ports."""

from .server import HOST, SandboxServer

__all__ = ["HOST", "SandboxServer"]
