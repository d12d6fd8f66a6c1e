"""What can go wrong between text and vectors; `str(error)` is one clear sentence for people.

EmbeddingError
├── ModelUnavailable   a model that cannot be found, fetched or trusted
└── VectorsMissing     vectors that were asked for before the site was embedded
"""


class EmbeddingError(Exception):
    """The base of everything that embeddings raise on purpose."""


class ModelUnavailable(EmbeddingError):
    """A model that cannot be loaded: unknown, unreachable, incomplete or changed."""


class VectorsMissing(EmbeddingError):
    """A site's vectors of a model are not there, or not of this version of the model."""
