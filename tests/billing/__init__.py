"""Tests of the billing API, and the table of requests that every client's operations are checked against."""
