"""What a page is for, where that is no text to read: logging in, searching, buying, saying "not found", listing others;
and whether it is a draft.

Judged from its fields, its address, its names and how little text it has of its own. Nobody's prose should lead
there, so such pages get and give no recommendations; page_store.py stores the reason. Pure.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl, unquote, urlsplit

from lxml import etree

from crawler.extraction.hints import words
from crawler.extraction.types import Block, BlockKind

LOGIN, SEARCH, CART, NOT_FOUND, LISTING, DRAFT = "login", "search", "cart", "not_found", "listing", "draft"

#: Characters outside of links up to which a page has little text of its own, and nearly none.
_LITTLE_TEXT, _HARDLY_ANY_TEXT = 600, 300
#: A page that lists others: at least so many links, or headings that are links, in its main content.
_FEWEST_LINKS, _FEWEST_TEASERS = 5, 3
_LONGEST_TEASER = 450
_LOGIN_NAMES = re.compile(
    r"(?:log|sign)[ -]?(?:in|on)|anmelden|anmeldung|einloggen|iniciar sesi[oó]n|acceder|(?:se )?connexion|"
    r"s.identifier|accedi|accesso|inloggen|aanmelden|iniciar sess[aã]o|entrar|zaloguj(?: si[eę])?|logowanie|"
    r"p[rř]ihl[aá][sš]en[ií]|logga in|logg inn|log ind|вход|войти|ログイン|登录|登入|로그인|تسجيل الدخول"
)
_SEARCH_NAMES = re.compile(
    r"search results?\b.*|results for\b.*|suchergebnisse?\b.*|"
    r"resultados? (?:de|da) (?:la )?(?:b[uú]squeda|pesquisa)\b.*|"
    r"r[eé]sultats? de (?:la |votre )?recherche\b.*|risultati (?:della |di )?ricerca\b.*|zoekresultaten\b.*|"
    r"wyniki wyszukiwania\b.*|v[yý]sledky (?:vyhled[aá]v[aá]n[ií]|hled[aá]n[ií])\b.*|s[oö]kresultat\b.*|"
    r"результаты поиска.*|.*検索結果.*|搜[索尋]结?結?果.*|검색 ?결과.*|نتائج البحث.*"
)
_NOT_FOUND_NAMES = re.compile(
    r"(?:(?:http|error|fehler|erreur|errore|fout|erro)\W*)*404\b(?:\W*(?:error|fehler|not found|page not found))?|"
    r"(?:the |this )?(?:page|file)?\W*(?:was |is |could |can )*(?:not |n.t )(?:be )?found\b.*|"
    r"page (?:does not|doesn.t) exist|"
    r"seite (?:wurde )?nicht gefunden|p[aá]gina no encontrada|no se encontr[oó] la p[aá]gina|"
    r"page (?:introuvable|non trouv[eé]e)|pagina non trovata|pagina niet gevonden|p[aá]gina n[aã]o encontrada|"
    r"(?:strona )?nie (?:zosta[lł]a )?znalezion[oa](?: strony)?|str[aá]nka (?:nebyla )?nenalezena|"
    r"sidan (?:kunde inte hittas|hittades inte)|siden (?:blev |ble )?ikke funnet|siden blev ikke fundet|"
    r"страница не найдена|.*(?:ページ|頁)が?見つかりません.*|(?:页面|頁面|网页).{0,4}(?:找不到|不存在)|"
    r"找不到(?:页面|頁面|网页)|"
    r"페이지를 찾을 수 없습니다|الصفحة غير موجودة"
)
#: What a short page says instead of a text.
_NOT_FOUND_TEXT = re.compile(
    r"(?:sorry|oops|unfortunately|the page (?:that )?you|this page|the requested|nothing)\b[^.!?]{0,80}?"
    r"(?:(?:could|can|was|is)(?: not|n.t|not) (?:be )?(?:found|available|here|exist)|not found|nothing found"
    r"|(?:does not|doesn.t|no longer) exists?|no longer (?:available|here)|has been (?:removed|deleted))"
    r"|(?:could not|couldn.t|cannot|can.t) find (?:the|that|this) page"
    r"|seite[^.!?]{0,60}(?:nicht gefunden|existiert nicht|nicht (?:mehr )?(?:vorhanden|verfügbar))"
    r"|page[^.!?]{0,60}(?:introuvable|n.existe (?:pas|plus)|n.a pas été trouvée)"
    r"|página[^.!?]{0,60}(?:no existe|não existe|no se ha encontrado|no fue encontrada|não foi encontrada)"
    r"|pagina[^.!?]{0,60}(?:non esiste|non è stata trovata|niet gevonden|bestaat niet)"
    r"|sayfa[^.!?]{0,60}(?:bulunamadı|mevcut değil)|ページ.{0,30}(?:見つかりません|存在しません|削除されました)"
    r"|(?:页面|頁面|网页).{0,20}(?:不存在|找不到|未找到|已删除|已被删除)"
    r"|페이지.{0,20}(?:찾을 수 없|존재하지 않|삭제되었)"
    r"|الصفحة.{0,40}(?:غير موجودة|لم يتم العثور)|(?:העמוד|הדף).{0,40}(?:לא נמצא|אינו קיים|לא קיים)"
    r"|पृष्ठ.{0,40}(?:नहीं मिला|मौजूद नहीं)|ไม่พบหน้า|страниц\w[^.!?]{0,60}(?:не найдена|не существует)",
    re.IGNORECASE,
)
_DRAFT_WORDS = "draft|entwurf|brouillon|borrador|bozza|rascunho|szkic|taslak|черновик|下書き|草稿|초안|مسودة|טיוטה|ร่าง"
_DRAFT_NAMES = re.compile(rf"[\[(【]\s*(?:{_DRAFT_WORDS})\s*[\])】].*|(?:{_DRAFT_WORDS})\s*[:：].*")
_DRAFT_PARAMETERS = frozenset(words("preview preview_id preview_nonce"))
_SEARCH_SEGMENTS = frozenset(
    words(
        "search suche suchen buscar busqueda recherche rechercher cerca ricerca zoeken pesquisa szukaj hledat sok sog"
    )
)
_SEARCH_PARAMETERS = frozenset(words("q s query search searchword keyword keywords suche buscar recherche"))
_CART_SEGMENTS = frozenset(
    words(
        "cart basket checkout shopping-cart shopping-basket shopping-bag my-cart warenkorb kasse einkaufswagen carrito "
        "finalizar-compra panier caisse carrello cassa winkelwagen winkelmand afrekenen carrinho koszyk kosik "
        "pokladna varukorg kassa handlekurv indkobskurv"
    )
)
_LISTING_SEGMENTS = frozenset(
    words(
        "tag tags category categories author authors archive archives topic-archive label labels page "
        "kategorie kategorien schlagwort schlagwoerter schlagworte autor autoren archiv "
        "etiqueta etiquetas categoria categorias autores archivo archivos etiquette etiquettes categorie auteur "
        "auteurs autore autori archivio kategoria kategorie tagi stitek rubrik rubriken"
    )
)
_DATE_PATH = re.compile(r"/(?:19|20)\d\d(?:/[01]?\d){0,2}$")
_NAME_PARTS = re.compile(r"\s+[-–—|·:»«]\s+|\s*[|:]\s+")
_OUTSIDE = frozenset(words("header footer nav aside dialog"))
_MOST_FIELDS = 200


@dataclass(frozen=True, slots=True)
class Fields:
    """Which telling fields the main content has."""

    has_password: bool = False
    has_search: bool = False


def find_fields(root: etree._Element) -> Fields:
    """Fields under the main content's root, but for those of a header, footer, navigation or dialog."""
    has_password = has_search = False
    for field in islice(root.iter("input"), _MOST_FIELDS):
        if field.get("hidden") is not None:
            continue
        kind, name = field.get("type", "").strip().lower(), field.get("name", "").strip().lower()
        is_password, is_search = kind == "password", kind == "search" or name in _SEARCH_PARAMETERS
        if (is_password or is_search) and not any(parent.tag in _OUTSIDE for parent in field.iterancestors()):
            has_password, has_search = has_password or is_password, has_search or is_search
    return Fields(has_password, has_search)


def decide_purpose(url: str, names: Sequence[str], blocks: Sequence[Block], fields: Fields) -> str:
    """One of the purposes above, "" for a page to be read; `names` are its title and main heading."""
    address = urlsplit(url)
    parameters = parse_qsl(address.query)
    if _is_draft(names, address.path, [key for key, _ in parameters]):
        return DRAFT
    shape = _Shape.of(blocks)
    if shape.own > _LITTLE_TEXT and not shape.teasers and shape.linked < shape.own:
        return ""  # a text of its own, whatever it is called
    parts = [part for name in names for part in _parts_of(name)]
    segments = [_fold(segment) for segment in unquote(address.path).lower().split("/") if segment]
    last = re.sub(r"\.\w{1,5}$", "", segments[-1]) if segments else ""
    is_short = shape.own <= _LITTLE_TEXT
    if is_short and (any(_NOT_FOUND_NAMES.fullmatch(part) for part in parts) or _says_not_found(shape, blocks)):
        return NOT_FOUND
    if is_short and (fields.has_password or (shape.own <= 100 and any(_LOGIN_NAMES.fullmatch(part) for part in parts))):
        return LOGIN
    if is_short and last in _CART_SEGMENTS:
        return CART
    is_asked = any(key.lower() in _SEARCH_PARAMETERS for key, _ in parameters)
    if any(_SEARCH_NAMES.fullmatch(part) for part in parts) or (is_asked and fields.has_search):
        return SEARCH
    if last in _SEARCH_SEGMENTS and (is_short or is_asked):
        return SEARCH
    return LISTING if segments and _is_listing(segments, last, shape) else ""


def _is_draft(names: Sequence[str], path: str, parameters: Sequence[str]) -> bool:
    """Whether a page says in its name or address that it is not published yet."""
    return (
        any(_DRAFT_NAMES.fullmatch(name[:300].strip().casefold()) for name in names)
        or any(key.lower() in _DRAFT_PARAMETERS for key in parameters)
        or not {"drafts", "_drafts"}.isdisjoint(path.lower().split("/"))
    )


def _says_not_found(shape: "_Shape", blocks: Sequence[Block]) -> bool:
    if shape.own > _HARDLY_ANY_TEXT:
        return False
    return any(
        _NOT_FOUND_TEXT.search(block.text[:300])
        for block in blocks
        if block.is_linkable or block.kind is BlockKind.HEADING
    )


def _is_listing(segments: Sequence[str], last: str, shape: "_Shape") -> bool:
    """Hardly any text beside links and teasers; somewhat more is borne where the address is an archive's."""
    has_many = shape.links >= _FEWEST_LINKS or shape.teasers >= _FEWEST_TEASERS
    if has_many and shape.own <= _HARDLY_ANY_TEXT and shape.linked + shape.teased > 2 * shape.own:
        return True
    is_archive = (
        last in _LISTING_SEGMENTS
        or (len(segments) > 1 and segments[-2] in _LISTING_SEGMENTS)
        or _DATE_PATH.search("/" + "/".join(segments)) is not None
    )
    return is_archive and (shape.teasers >= _FEWEST_TEASERS or shape.own <= _LITTLE_TEXT)


@dataclass(slots=True)
class _Shape:
    """Characters of main content: its own text, text in links, text under headings that are links; how many of each."""

    own: int = 0
    linked: int = 0
    teased: int = 0
    links: int = 0
    teasers: int = 0

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "_Shape":
        headings = [block for block in blocks if block.kind is BlockKind.HEADING]
        totals = Counter(block.level for block in headings)
        linked = Counter(block.level for block in headings if _is_link(block))
        levels = {level for level, count in linked.items() if count >= max(_FEWEST_TEASERS, 0.8 * totals[level])}
        shape = cls()
        room = 0  # characters that still belong to the teaser
        for block in blocks:
            in_links = sum([end - start for start, end in block.link_spans]) if block.link_spans else 0
            if block.kind is BlockKind.HEADING:
                is_teaser = block.level in levels and _is_link(block)
                shape.teasers += is_teaser
                room = _LONGEST_TEASER if is_teaser else 0
                continue
            shape.links += len(block.link_spans)
            shape.linked += in_links
            if block.kind is BlockKind.CODE:
                shape.own += len(block.text)
            elif block.is_linkable:
                text = len(block.text) - in_links
                shape.teased += min(text, room)
                shape.own += max(text - room, 0)
                room = max(room - text, 0)
        return shape


def _is_link(heading: Block) -> bool:
    return heading.link_spans == ((0, len(heading.text)),)


def _parts_of(name: str) -> list[str]:
    """A title's parts, folded: "Not found | A shop" is two."""
    return [part for part in (_fold_name(part) for part in _NAME_PARTS.split(name[:300])) if part]


def _fold_name(name: str) -> str:
    return name.casefold().strip(" \t!.?…“”\"'«»")


def _fold(segment: str) -> str:
    return segment.replace("_", "-").replace("ú", "u").replace("ö", "o").replace("ø", "o").replace("í", "i")
