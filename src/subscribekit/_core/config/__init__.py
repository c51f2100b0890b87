"""Settings: environments, addresses, credentials, timeouts, retry policy, wire names, clock."""
