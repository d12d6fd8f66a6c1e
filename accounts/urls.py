"""Addresses of login and logout."""

from django.contrib.auth.views import LoginView
from django.urls import path

from accounts.forms import LoginForm
from accounts.views import Logout

urlpatterns = [
    path(
        "login/",
        LoginView.as_view(
            template_name="accounts/login.html", authentication_form=LoginForm, redirect_authenticated_user=True
        ),
        name="login",
    ),
    path("logout/", Logout.as_view(), name="logout"),
]
