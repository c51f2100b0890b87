"""Determines the outcome of a call: the row of the retry table, the error, and the record of an unknown outcome."""
