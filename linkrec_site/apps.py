from django.apps import AppConfig


class LinkrecSiteConfig(AppConfig):
    name = "linkrec_site"

    def ready(self) -> None:
        from linkrec_site import checks  # noqa: F401 (registers itself)
