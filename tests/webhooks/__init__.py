"""Tests of webhooks: signatures, both formats, hostile bodies, duplicates, and masking."""
