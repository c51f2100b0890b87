"""Tests of exports: lists as tables, and partitions of lists."""
