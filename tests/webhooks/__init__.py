"""Tests of push notifications: signatures, both formats, hostile messages, repeated ones, what is never shown."""
