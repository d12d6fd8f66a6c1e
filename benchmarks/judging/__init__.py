"""Suggestions judged one by one by readers: drawn by lot, shown in their context, bad ones of our own mixed in."""
