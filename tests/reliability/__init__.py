"""Tests of the guarantees about money, credentials, and time, from outside the SDK and over a hostile network."""
