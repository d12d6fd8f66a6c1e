"""A corpus of a few pages written here, in the form of the measuring corpora: html/, truth.jsonl, meta.json."""

import json
from pathlib import Path

BASE = "http://127.0.0.1:8765"  # the server puts its own address in

#: path -> (title, paragraphs of HTML)
PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "/": (
        "The allotment guide",
        (
            "Start with <a href='/compost.html'>making compost</a>, then read how to "
            "<a href='/water.html'>save rain water</a>.",
            "Later you may want <a href='/seeds.html'>a seed calendar</a> and <a href='/slugs.html'>fewer slugs</a>.",
        ),
    ),
    "/compost.html": (
        "Making compost",
        (
            "Layer kitchen scraps with dry leaves and turn the heap every other week until it smells of forest.",
            "A heap in full sun dries out, so pour a can from the rain barrel over it whenever it looks dusty.",
        ),
    ),
    "/water.html": (
        "Rain barrel",
        (
            "A rain barrel under the downpipe fills in one good storm and keeps the beds going for a fortnight.",
            "Cover it, or mosquitoes will breed in it; a fine mesh is enough.",
        ),
    ),
    "/seeds.html": (
        "Seed calendar",
        (
            "Sow broad beans in autumn, lettuce from March and pumpkins once the last frost is over.",
            "Mix a handful of ripe compost into each pot before the seeds go in.",
        ),
    ),
    "/slugs.html": (
        "Keeping slugs away",
        (
            "Slugs come at night, so water in the morning and leave no boards lying between the rows.",
            "Young lettuce is what they like best: plant it out late, when the seed calendar says June.",
        ),
    ),
}
HIDDEN = (
    ("/compost.html", "/water.html", "rain barrel", PAGES["/compost.html"][1][1], 1.0),
    ("/slugs.html", "/seeds.html", "seed calendar", PAGES["/slugs.html"][1][1], 1.0),
    ("/seeds.html", "/compost.html", "ripe compost", PAGES["/seeds.html"][1][1], 0.5),
)


def write_tiny_corpus(folder: Path) -> Path:
    """The corpus as a folder."""
    for path, (title, paragraphs) in PAGES.items():
        file = folder / "html" / (path.strip("/") or "index.html")
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><main><h1>{title}</h1>{text}"
        file.write_text(page + "</main></html>", "utf-8")
    places = "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in PAGES)
    sitemap = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
    (folder / "html" / "sitemap.xml").write_text(sitemap, "utf-8")
    rows = [
        {
            "source": source,
            "target": target,
            "anchor": anchor,
            "sentence": sentence,
            "lang": "en",
            "generic_anchor": False,
            "title_overlap": overlap,
            "target_title": PAGES[target][0],
        }
        for source, target, anchor, sentence, overlap in HIDDEN
    ]
    (folder / "truth.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    meta = {"name": folder.name, "kind": "guide", "pages": len(PAGES), "languages": {"en": len(PAGES)}}
    (folder / "meta.json").write_text(json.dumps(meta), "utf-8")
    return folder
