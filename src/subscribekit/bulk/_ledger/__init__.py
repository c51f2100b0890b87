"""The ledger: what is on the disk, and how it is read and written."""
