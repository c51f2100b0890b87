"""What type checkers and editors follow; written by scripts/faces.py."""
