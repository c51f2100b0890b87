"""The promises about money, secrets and time, tested from outside against a hostile network."""
