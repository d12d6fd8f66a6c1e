"""A known anchor counts as the site's links write it: a plain word in another form, or out of code, is another word."""

import pytest

from recommendations.engine.mentions import MentionIndex


@pytest.mark.parametrize(
    ("links", "is_code", "text", "is_in_code", "is_doubted"),
    [
        (["Deny", "Deny"], True, "deny", False, True),  # the verb
        (["deny", "deny"], True, "deny", True, False),  # the directive
        (["deny", "deny"], True, "deny", False, True),
        (["Kanban", "kanban"], False, "kanban", False, False),
        (["Directory"], False, "directory", False, True),
        (["Directory"], False, "Directory", False, False),
        (["LiveServer"], True, "LiveServer", False, False),  # nothing but an identifier
        (["INSTALLED_APPS"], True, "INSTALLED_APPS", False, False),
        (["brake pads"], False, "brake pads", False, False),
    ],
)
def test_a_plain_word_is_doubted_in_a_form_that_no_link_has(
    links: list[str], is_code: bool, text: str, is_in_code: bool, is_doubted: bool
) -> None:
    index = MentionIndex()
    for source, link in enumerate(links):
        index.add_anchor(source, 9, link, "en", is_code)
    (phrase,) = {id(phrase): phrase for phrase in index._phrases.values()}.values()
    assert (phrase.form_worth(text, is_in_code) < 0.5) == is_doubted
