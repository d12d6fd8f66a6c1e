"""Whether a user name and application password are good, said in a way that helps. Leaves asking to `api`."""

from collections.abc import Mapping
from typing import Any

from crawler.sources.wordpress.api import WordPressApi, WordPressError


def check_access(api: WordPressApi, home: str) -> Mapping[str, Any]:
    """Who we are to the site, with capabilities. Raises WordPressError with the likely causes.

    A list of posts would not tell: WordPress shows it to wrong passwords as to anybody.
    """
    answer = api.ask("wp/v2/users/me", context="edit")
    if answer.status == 200:
        found, _ = api.read("wp/v2/users/me", context="edit")
        return found if isinstance(found, dict) else {}
    causes = ["the user name or the application password is wrong or was revoked (the login password does not do)"]
    if not api.root.get("authentication"):
        causes.append("application passwords are switched off, as WordPress does where it is not served over https")
    causes.append("the web server removes the Authorization header before WordPress sees it")
    if answer.status == 403:
        causes = ["the user may not see posts as an editor does", *causes]
    raise WordPressError(
        f"{home} does not accept the user name and password (HTTP {answer.status}). Likely: {'; '.join(causes)}. "
        "Correct them in the site's settings, or remove them to read what is public."
    )
