"""Runs one call: builds the request, classifies the response, decides on retries, and determines the outcome."""
