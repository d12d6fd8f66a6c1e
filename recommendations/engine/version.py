"""The engine's version: raise it with every change that may move a score, a place or an anchor.

What an earlier run has kept is then not gone on with: the next run ranks everything.
"""

ENGINE_VERSION = 1
