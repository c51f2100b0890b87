"""Group A: the handlers of the billing API."""
