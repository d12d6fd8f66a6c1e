"""Where vectors are kept between embedding and recommending: one interface, local files behind it."""

from embeddings.vector_store.types import Keys, SiteVectors, SiteVectorWriter, VectorStore, keys_of

__all__ = [
    "Keys",
    "SiteVectorWriter",
    "SiteVectors",
    "VectorStore",
    "forget_site_vectors",
    "get_vector_store",
    "keys_of",
    "open_site_vectors",
]


def get_vector_store() -> VectorStore:
    """The store that the settings name."""
    from django.conf import settings

    from embeddings.vector_store.local_files import LocalFilesStore

    return LocalFilesStore(settings.LINKREC_DATA_DIR / "vectors")


def open_site_vectors(site_id: int, model_name: str, *, fingerprint: str | None = None) -> SiteVectors:
    """The site's vectors of that model. Raises VectorsMissing with one sentence when it was not embedded with it."""
    return get_vector_store().open_site(site_id, model_name, fingerprint)


def forget_site_vectors(site_id: int) -> None:
    """Drop all vectors of a site, as when it is deleted."""
    get_vector_store().forget_site(site_id)
