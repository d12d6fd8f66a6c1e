"""Addresses of the editors' pages and of the API."""

from django.urls.resolvers import URLPattern

urlpatterns: list[URLPattern] = []
