"""What a client is told: environments, addresses, credentials, timeouts, retry policy, wire names, clock."""
