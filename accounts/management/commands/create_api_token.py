"""create_api_token USER NAME: prints a new API token, once."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from accounts.tokens import create_token
from linkrec_site.data_directory import prepare_data_directory


class Command(BaseCommand):
    help = "Make an API token for a person and print it. It is stored as a hash and cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="name of the account the token acts for")
        parser.add_argument("name", help="what the token is for, e.g. 'CMS export'")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        model = get_user_model()
        user = model._default_manager.filter(**{model.USERNAME_FIELD: options["user"]}).first()
        if user is None:
            raise CommandError(
                f"There is no account named {options['user']!r}. Make one with: python manage.py createsuperuser"
            )
        name = options["name"].strip()
        if not 1 <= len(name) <= 100:
            raise CommandError(f"The token's name has {len(name)} characters. Give it 1 to 100, e.g. 'CMS export'.")
        self.stderr.write(f"Token {name!r} of {options['user']}; keep it now, it cannot be shown again:")
        self.stdout.write(create_token(user, name))
