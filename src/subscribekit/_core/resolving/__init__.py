"""An answer to an unknown outcome: what to read, what it shows, and the verdict."""
