"""The sandbox's handlers for requests to the account-lifecycle API."""
