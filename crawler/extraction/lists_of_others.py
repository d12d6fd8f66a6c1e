"""Blocks that speak of other pages or of the page itself: teasers, related posts, sources, comments, the author.

Found by the heading above them and by what follows it; nothing new is linked there. A list under "See also" stays: an
editor wrote it, and may want a link in it. Leaves names of elements to
hints.py and the links themselves to links.py.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from crawler.extraction.types import Block, BlockKind

_RELATED = re.compile(
    r"(?:related|similar|recommended)(?: (?:posts?|"
    r"articles?|pages?|content|stor(?:y|ies)|reading|links?|topics?|resources?))?"
    r"|(?:also )?read (?:more|next|also)|keep reading|more like this"
    r"|more (?:posts|articles|stories|news|reading|resources)\b.*|more from .*"
    r"|you (?:may|might) (?:also )?(?:like|enjoy|be interested in).*"
    r"|(?:latest|recent|popular) (?:posts|articles|news|stories)"
    r"|(?:verwandte|ähnliche|weitere) (?:artikel|beiträge|themen|seiten)"
    r"|das könnte (?:sie|dich) auch interessieren|mehr zum thema"
    r"|à lire aussi|articles (?:similaires|liés|connexes|récents)"
    r"|(?:artículos|entradas|contenido) relacionad[oa]s?|te puede interesar"
    r"|artigos relacionados|articoli correlati"
    r"|gerelateerde (?:artikelen|berichten)"
    r"|powiązane artykuły"
    r"|ilgili (?:yazılar|konular|içerikler|sayfalar)"
    r"|похожие статьи|関連(?:記事|ページ|リンク)|あわせて読みたい"
    r"|相[关關](?:文章|阅读|閱讀|链接|連結|页面|頁面)"
    r"|관련 ?(?:글|문서|기사|링크)"
    r"|(?:مقالات|مواضيع|صفحات) ذات صلة"
    r"|(?:כתבות|מאמרים|פוסטים) קשור(?:ים|ות)"
    r"|संबंधित (?:लेख|पृष्ठ)|บทความที่เกี่ยวข้อง|อ่านเพิ่มเติม",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"references|bibliography|footnotes?|end ?notes|notes and references|works cited"
    r"|citations|sources|literature(?: cited)?"
    r"|einzelnachweise|literatur(?:verzeichnis)?|quellen(?:angaben)?|fußnoten|anmerkungen"
    r"|références|bibliographie|notes et références|referencias|bibliografía|referências|bibliografia"
    r"|referenties|bronnen|przypisy|źródła|kaynak(?:ça|lar)|dipnotlar|примечания|литература|источники"
    r"|参考文献|脚注|出典|注释|參考文獻|参考资料|참고 ?문헌|각주|출처|المراجع|مراجع|المصادر|الهوامش"
    r"|הערות שוליים|מקורות|ביבליוגרפיה|संदर्भ(?: सूची)?|ग्रन्थसूची|อ้างอิง|เชิงอรรถ|บรรณานุกรม",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    # "Comments" alone may be a chapter of a manual: a number tells what readers left.
    r"\(?\d+\)? ?(?:comments?|responses|replies|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties"
    r"|yorum|комментари\w+|件のコメント|コメント|条评论|則評論|개의 댓글|댓글"
    r"|تعليقات|تعليق|תגובות|टिप्पणियाँ|ความคิดเห็น)(?: .*)?"
    r"|leave a (?:comment|reply)|(?:about|meet) the authors?|über (?:den autor|die autorin|die autoren)"
    r"|à propos de l.auteur|sobre (?:el autor|la autora|o autor)|yazar hakkında|об авторе|(?:著者|筆者)について"
    r"|(?:关于|關於)作者|(?:글쓴이|저자) 소개|عن الكاتب|(?:על|אודות) המחבר(?:ת)?|लेखक के बारे में|เกี่ยวกับผู้เขียน",
    re.IGNORECASE,
)
_LISTED_KINDS = frozenset(
    {BlockKind.LIST_ITEM, BlockKind.TABLE_CELL, BlockKind.DEFINITION, BlockKind.OTHER, BlockKind.LINK_LIST}
)
#: A list that holds more than this share of the page's text is the page.
_MOST_OF_PAGE = 0.5
#: Teasers without headings: at least so many in a row, each a link by itself and so much text.
_FEWEST_TEASERS, _MOST_TEASER_TEXT = 3, 450
_TEASER_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.OTHER})
_SIGNS = ' \t:：.…!?？-–—#¶»›→"“”'


def bar_lists_of_others(blocks: Sequence[Block], teasers: Set[int]) -> tuple[Block, ...]:
    """The blocks, those that speak of other pages turned into captions; `teasers` are ordinals of linked headings."""
    total = sum([len(block.text) for block in blocks])
    barred = _texts_under_links(blocks)
    for heading in blocks:
        if heading.kind is not BlockKind.HEADING:
            continue
        if heading.ordinal in teasers:
            barred |= {block.ordinal for block in _section(heading, blocks)}
            continue
        below = _barred_below(heading, blocks)
        if below and sum(len(block.text) for block in below) <= _MOST_OF_PAGE * total:
            barred |= {block.ordinal for block in below}
    if not barred:
        return tuple(blocks)
    return tuple(
        replace(block, kind=BlockKind.CAPTION) if block.is_linkable and block.ordinal in barred else block
        for block in blocks
    )


def _texts_under_links(blocks: Sequence[Block]) -> set[int]:
    """Ordinals of short texts that take turns with links standing alone: a title, its teaser, the next title."""
    found: set[int] = set()
    row: list[list[int]] = []  # the teasers of the row that is being read
    leads = [block.ordinal for block in blocks if _is_lead(block)]
    for lead, following in pairwise([*leads, len(blocks)]):
        below = blocks[lead + 1 : following]
        texts = [block.ordinal for block in below if block.kind in _TEASER_KINDS]
        if row and following == len(blocks):  # the page's own text may go on behind the last teaser
            texts = texts[: len(row[0])]
            below = blocks[lead + 1 : lead + 1 + len(texts)]
        is_teaser = bool(texts) and len(texts) == len(below)
        if is_teaser and sum(len(blocks[at].text) for at in texts) <= _MOST_TEASER_TEXT:
            row.append(texts)
        else:
            row = []
        if len(row) >= _FEWEST_TEASERS:
            found |= {at for teaser in row for at in teaser}
    return found


def _is_lead(block: Block) -> bool:
    return block.kind is BlockKind.LINK_LIST and block.link_spans == ((0, len(block.text)),)


def _section(heading: Block, blocks: Sequence[Block]) -> list[Block]:
    """What stands below the heading, up to the next of its level or above."""
    section = []
    for block in blocks[heading.ordinal + 1 :]:
        if block.kind is BlockKind.HEADING and block.level <= heading.level:
            break
        section.append(block)
    return section


def _barred_below(heading: Block, blocks: Sequence[Block]) -> Sequence[Block]:
    name = heading.text.strip(_SIGNS)
    if len(name) > 60:
        return ()
    if _ASIDE.fullmatch(name):
        return _section(heading, blocks)
    if _RELATED.fullmatch(name):
        return [block for block in _section(heading, blocks) if block.kind in _LISTED_KINDS or block.link_spans]
    if _SOURCES.fullmatch(name):
        return [block for block in _section(heading, blocks) if block.kind in _LISTED_KINDS]
    return ()
