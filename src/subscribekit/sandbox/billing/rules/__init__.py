"""Rules of billing: prices, credit, periods, transactions and the entitlements that come of it."""
