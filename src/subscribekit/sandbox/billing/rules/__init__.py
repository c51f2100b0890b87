"""The sandbox's billing rules: prices, credit, periods, transactions, and the resulting entitlements."""
