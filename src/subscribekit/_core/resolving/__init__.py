"""Resolves unknown outcomes: chooses the reads, interprets their results, and returns a verdict."""
