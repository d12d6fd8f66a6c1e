"""The WSGI entry point for gunicorn or any other server. Brings the database up to date before it answers."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connections

from linkrec_site.data_directory import prepare_data_directory
from linkrec_site.env import keep_files_private

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
keep_files_private()
application = get_wsgi_application()
prepare_data_directory()
# A server that loads this before it forks must not hand one connection to several processes.
connections.close_all()
