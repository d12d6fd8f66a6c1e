"""What can go wrong in recommending, deciding and delivering; str(error) is the one sentence that people read.

RecommendationError
├── NothingToRecommend   the site has no read pages with text
├── ExportError          the export cannot be written
├── DecisionConflict     somebody else was faster, or a newer run replaced the suggestion
├── DecisionRefused      what was asked for breaks a rule: the anchor does not stand there, the text has changed
└── PipelineConflict     the run cannot be started, stopped or tried again as it stands
"""


class RecommendationError(Exception):
    """The base of this app's errors: `str(error)` names the offending value and the next step."""


class NothingToRecommend(RecommendationError):
    """No page of the site was read, or none has text."""


class ExportError(RecommendationError):
    """The file cannot be written."""


class DecisionConflict(RecommendationError):
    """The suggestion no longer stands as the person saw it; nothing was saved."""


class DecisionRefused(RecommendationError):
    """The decision breaks a rule; nothing was saved."""


class PipelineConflict(RecommendationError):
    """A run of the site stands in the way, or has ended; nothing was changed."""
