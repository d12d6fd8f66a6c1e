"""What can go wrong between vectors and recommendations, as sentences for people.

RecommendationError
├── NothingToRecommend   the site has no read pages with text
└── ExportError          the export cannot be written
"""


class RecommendationError(Exception):
    """`str(error)` names the offending value and the next step."""


class NothingToRecommend(RecommendationError):
    """No page of the site was read, or none has text."""


class ExportError(RecommendationError):
    """The file cannot be written."""
