"""Tests of the sandbox's loopback server, its certificate, its command, and its status page."""
