"""Names of models: the two that come bundled, and which ones may be typed into a browser. Pure and light."""

import re

MINILM = "all-MiniLM-L6-v2"
E5 = "multilingual-e5-small"
BUNDLED = (MINILM, E5)

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)


def may_be_typed(name: str) -> bool:
    """Whether it is a bundled model or an owner/name of the model hub: a form opens no folder."""
    return name in BUNDLED or _HUB_NAME.fullmatch(name) is not None
