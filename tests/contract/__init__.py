"""The sandbox against the SDK's models, and both against a tiny model of what the specification says."""
