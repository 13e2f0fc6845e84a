"""The write pipeline: an exchange becomes a change set."""
