"""One anchor text, one target."""

from recommendations.engine.shared_anchors import ProposedLink, links_to_withdraw


def test_the_stronger_target_keeps_the_words_whatever_their_case() -> None:
    links = [
        ProposedLink(1, 10, "tool library", 0.4),
        ProposedLink(2, 10, "Tool  library", 0.4),
        ProposedLink(3, 20, "tool library", 0.7),
        ProposedLink(4, 20, "tool chest", 0.2),
    ]
    assert links_to_withdraw(links) == {3}


def test_equal_targets_are_told_apart_the_same_way_every_time() -> None:
    links = [ProposedLink(1, 30, "oil", 0.5), ProposedLink(2, 20, "oil", 0.5)]
    assert links_to_withdraw(links) == links_to_withdraw(reversed(links)) == {1}
