"""What is shown, where, and how a command ends."""
