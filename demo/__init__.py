"""A small site of our own writing, served on loopback: what the first run reads."""
