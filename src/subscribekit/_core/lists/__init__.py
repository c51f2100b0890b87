"""Lists: where they start, which page comes next, checkpoints, prefetch, pagers."""
