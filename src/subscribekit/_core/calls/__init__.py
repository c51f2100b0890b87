"""One call: build the request, classify the response, decide on a retry, say what is unknown; and its two drivers."""
