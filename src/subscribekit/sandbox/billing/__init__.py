"""The sandbox's handlers for requests to the billing API."""
