"""The settings of a client: environment, base URL, credential, timeouts, retry policy, wire names, and clock."""
