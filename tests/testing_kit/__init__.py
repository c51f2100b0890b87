"""Tests of `subscribekit.testing`."""
