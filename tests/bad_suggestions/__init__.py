"""Suggestions that must never reach an editor: each complaint about link tools is a test on a small page of our own.

test_every_line.py maps every complaint to the tests that cover it.
"""
