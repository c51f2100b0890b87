"""Reads lists: pagers, page iterators, checkpoints, and prefetching."""
