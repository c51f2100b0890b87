"""The engine: config, operations, http, calls, lists, client, each importing only those before it."""
