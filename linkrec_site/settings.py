"""Django's settings: what the product is made of. Values from outside come from env.py alone."""

from linkrec_site.data_directory import read_or_make_secret
from linkrec_site.env import database_from_url, email_from_url, quiet_native_threads, read_environment
from linkrec_site.queue_settings import rq_queues, rq_settings

ENVIRONMENT = read_environment()
quiet_native_threads()

BASE_DIR = ENVIRONMENT.base_dir
LINKREC_DATA_DIR = ENVIRONMENT.data_dir
LINKREC_MODEL_DIR = ENVIRONMENT.model_dir
LINKREC_ALLOWED_PRIVATE_HOSTS = ENVIRONMENT.allowed_private_hosts
LINKREC_CONTACT_URL = ENVIRONMENT.contact_url
LINKREC_MODEL = ENVIRONMENT.model
LINKREC_THREADS = ENVIRONMENT.threads
LINKREC_PORT = ENVIRONMENT.port
LINKREC_LEASE_SECONDS = ENVIRONMENT.lease_seconds
LINKREC_MAX_UPLOAD_MB = ENVIRONMENT.max_upload_mb
LINKREC_CHROMIUM = ENVIRONMENT.chromium
LINKREC_EMAIL_URL = ENVIRONMENT.email_url
#: Where people reach the pages: what mails link to.
LINKREC_PUBLIC_URL = (*ENVIRONMENT.trusted_origins, f"http://127.0.0.1:{ENVIRONMENT.port}")[0].rstrip("/")

DEBUG = ENVIRONMENT.is_debug
SECRET_KEY = ENVIRONMENT.secret_key or read_or_make_secret(LINKREC_DATA_DIR / "secret_key")
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.trusted_origins)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_rq",
    "rest_framework",
    "crawler",
    "embeddings",
    "recommendations",
    "accounts",
    "linkrec_site",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "linkrec_site.security_headers.security_headers",
    "linkrec_site.page_answers.page_answers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.login_required.LoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "linkrec_site.urls"
WSGI_APPLICATION = "linkrec_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.notice_count.notice_count",
            ]
        },
    }
]

# Django's defaults failed most write transactions with two writers; IMMEDIATE with WAL failed none.
_SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": str(LINKREC_DATA_DIR / "db.sqlite3"),
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
    },
}
DATABASES = {"default": database_from_url(ENVIRONMENT.database_url) if ENVIRONMENT.database_url else _SQLITE}
RQ_QUEUES = rq_queues(ENVIRONMENT.data_dir, ENVIRONMENT.redis_url)
RQ = rq_settings()
# django-rq puts a dashboard into the admin by itself, where any staff member could empty the queue.
RQ_SHOW_ADMIN_LINK = False

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
TIME_ZONE = ENVIRONMENT.time_zone
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = LINKREC_DATA_DIR / "static"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENVIRONMENT.is_https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.is_https else None
SECURE_HSTS_SECONDS = 3600 * 24 * 30 if ENVIRONMENT.is_https else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# The first handler counts what comes in and refuses the rest; the others keep it in memory or, when large, on disk.
FILE_UPLOAD_HANDLERS = [
    "linkrec_site.upload_limit.UploadLimit",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
if LINKREC_EMAIL_URL:
    globals().update(email_from_url(LINKREC_EMAIL_URL))
#: A server that does not answer must not keep a worker from its jobs.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = ENVIRONMENT.email_from

# Django's default tells the admins by e-mail and nobody else; an answer of 500 has to stand in the log as well.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False}},
}
