"""The published method, run on the product's own rows and vectors: what the product has to beat.

Target: cosine of mean sentence vectors, the ten nearest pages that the source does not link to yet. Sentence: the one
nearest to the target's page vector. Anchor: the single word of that sentence nearest to the target's page vector.

    LINKREC_DATA_DIR=... python -m benchmarks.mean_vectors URL --output OUT.json [--model NAME] [--top 10]
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.site_rows import SiteRows, parse_arguments, read_site, start_django, write_rows

WORD = re.compile(r"\w+(?:['’-]\w+)*")

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]


def nearest_targets(vectors: Vectors, may_be_target: NDArray[np.bool_], top: int) -> list[NDArray[np.intp]]:
    """For each row the `top` allowed rows of highest cosine. may_be_target: (n, n) source by target."""
    chosen = []
    for source in range(len(vectors)):
        cosines = np.where(may_be_target[source], vectors @ vectors[source], -np.inf)
        order = np.argsort(-cosines, kind="stable")[:top]
        chosen.append(order[np.isfinite(cosines[order])])
    return chosen


def allowed_targets(site: SiteRows, page_ids: Sequence[int]) -> NDArray[np.bool_]:
    """(n, n) source by target: not itself, not linked yet, and a page that may be a target at all."""
    row_of = {page_id: row for row, page_id in enumerate(page_ids)}
    targets = {page.page_id for page in site.pages if page.is_target}
    allowed = np.zeros((len(page_ids), len(page_ids)), dtype=bool)
    allowed[:, [row for page_id, row in row_of.items() if page_id in targets]] = True
    np.fill_diagonal(allowed, False)
    for source, linked in site.linked.items():
        if source in row_of:
            allowed[row_of[source], [row_of[target] for target in linked if target in row_of]] = False
    return allowed


class WordVectors:
    """Vectors of single words, each encoded once."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._rows: dict[str, int] = {}
        self._vectors: Vectors = np.zeros((0, 0), dtype=np.float32)

    def learn(self, words: Sequence[str]) -> None:
        """Encode these words in one call."""
        distinct = list(dict.fromkeys(words))
        self._rows = {word: row for row, word in enumerate(distinct)}
        self._vectors = self._encode(distinct) if distinct else self._vectors

    def nearest(self, words: Sequence[str], vector: Vectors) -> str:
        """The learnt word of highest cosine."""
        cosines = self._vectors[[self._rows[word] for word in words]] @ vector
        return words[int(np.argmax(cosines))]


def recommend(
    site: SiteRows,
    page_ids: Sequence[int],
    page_vectors: Vectors,
    sentence_vectors: Callable[[Sequence[str]], Vectors],
    encode: Encode,
    top: int = 10,
) -> list[dict[str, Any]]:
    """Rows in the product's JSON form, per source in descending order."""
    pages = {page.page_id: page for page in site.pages}
    chosen = nearest_targets(page_vectors, allowed_targets(site, page_ids), top)
    rows: list[dict[str, Any]] = []
    for source_row, target_rows in enumerate(chosen):
        source = pages[page_ids[source_row]]
        usable = [sentence for sentence in source.sentences if WORD.search(sentence.text)]
        if not usable:
            continue
        vectors = sentence_vectors([sentence.text_hash for sentence in usable])
        for rank, target_row in enumerate(target_rows, 1):
            target_vector = page_vectors[target_row]
            best = int(np.argmax(vectors @ target_vector))
            rows.append(
                {
                    "source": source.url,
                    "target": pages[page_ids[target_row]].url,
                    "sentence": usable[best].text,
                    "score": float(page_vectors[source_row] @ target_vector),
                    "rank": rank,
                    "target_row": int(target_row),
                }
            )
    words = WordVectors(encode)
    words.learn([word for row in rows for word in WORD.findall(row["sentence"])])
    for row in rows:
        vector = page_vectors[row.pop("target_row")]
        row["anchor_text"] = words.nearest(WORD.findall(row["sentence"]), vector)
    return rows


def main() -> None:
    """Read the site that LINKREC_DATA_DIR holds and write what the published method recommends."""
    arguments = parse_arguments(__doc__ or "")
    start_django()
    from embeddings.encoders import load_encoder
    from embeddings.selectors import choose_model_name
    from embeddings.vector_store import open_site_vectors

    site = read_site(arguments.url)
    model_name = arguments.model or choose_model_name(site.site_id)
    vectors = open_site_vectors(site.site_id, model_name)
    known = {page.page_id for page in site.pages}
    kept = [row for row, page_id in enumerate(vectors.page_ids) if int(page_id) in known]
    page_ids = [int(vectors.page_ids[row]) for row in kept]
    page_vectors = np.asarray(vectors.page_vectors[kept], dtype=np.float32)

    def sentence_vectors(hashes: Sequence[str]) -> Vectors:
        return np.asarray(vectors.take(vectors.rows_of(hashes)), dtype=np.float32)

    encoder = load_encoder(model_name)
    rows = recommend(site, page_ids, page_vectors, sentence_vectors, encoder.encode, arguments.top)
    write_rows(arguments.output, arguments.url, rows)


if __name__ == "__main__":
    main()
