"""Tests of the billing API, and the cases that check the operations of all clients."""
