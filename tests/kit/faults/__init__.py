"""A scripted loopback server that injects faults at the byte level and counts what arrived."""
