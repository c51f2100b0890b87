"""Tests with nginx, HAProxy, squid, PgBouncer, and Varnish, which the tests reload and kill during calls."""
