"""Rules of billing: prices, credit, periods, transactions, and the resulting entitlements."""
