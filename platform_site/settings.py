"""Django's settings, by subject. What an operator may change is typed in `env.py`; nothing here needs to be set."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import unquote, urlsplit

from csp.constants import NONCE, SELF
from django.utils.translation import gettext_lazy as _

from platform_site.env import BASE_DIR, database, env
from platform_site.ids import new_id
from platform_site.static_version import version_of

DATA_DIR = env.data_dir()
DEBUG = env.debug
SECRET_KEY = env.the_secret_key()
LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = env.allowed_hosts or LOOPBACK_HOSTS
CSRF_TRUSTED_ORIGINS = env.csrf_trusted_origins

# Apps and the way of a request

INSTALLED_APPS = [
    "daphne",
    "platform_site.apps.PlatformConfig",
    "tools.apps.ToolsConfig",
    "tools.packs.storyboard.apps.StoryboardConfig",
    "agents.apps.AgentsConfig",
    "conversations.apps.ConversationsConfig",
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "csp",
    "django_q",
    "rest_framework",
    "drf_spectacular",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "platform_site.middleware.RequestContextMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "platform_site.middleware.LanguageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "platform_site.middleware.TenantMiddleware",
]
ROOT_URLCONF = "platform_site.urls"
ASGI_APPLICATION = "platform_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "platform_site.context.page",
            ],
        },
    },
]

# Data

DATABASES = {"default": database(env.database_url, DATA_DIR)}
IS_SQLITE = "sqlite3" in str(DATABASES["default"]["ENGINE"])
if IS_SQLITE:
    # A file, as in life: SQLite's shared memory answers "table is locked" where a file would wait.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(gettempdir()) / f"sluice-test-{new_id()}.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES: dict[str, dict[str, Any]]
if env.redis_url:
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": env.redis_url}
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [env.redis_url], "prefix": "sluice"},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
            # Codes that were used and proofs that were wrong are counted here: few entries would forget them early.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    }
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
UPLOADS_DIR = DATA_DIR / "uploads"

# The queue (django-q2 on the ORM broker in both tiers: the Redis broker loses tasks)

Q_CLUSTER = {
    "name": "sluice",
    "orm": "default",
    "workers": 4,
    # Rows that were fetched and wait for a worker: as few as possible, so that another cluster may take them.
    "queue_limit": 1,
    "timeout": 60,
    # Beyond the longest job (a tool has ten minutes, twice): what takes longer is handed out again.
    "retry": 1260,
    "max_attempts": 1,
    "ack_failures": True,
    "poll": 0.2,
    "catch_up": False,
    "save_limit": 200,
    "label": "Queue",
}

# People

AUTH_USER_MODEL = "platform_site.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/accounts/login/"
ACCOUNT_ADAPTER = "platform_site.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login": "100/m/ip"}
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if env.https else 0
MFA_ADAPTER = "platform_site.second_factor.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Sluice"

# Mail

if env.email_url:
    _mail = urlsplit(env.email_url)
    EMAIL_HOST, EMAIL_PORT = _mail.hostname or "localhost", _mail.port or 25
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
    EMAIL_USE_TLS, EMAIL_USE_SSL = "tls=1" in _mail.query, _mail.scheme == "smtps"
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = env.default_from_email
EMAIL_TIMEOUT = 10
PUBLIC_URL = env.origin()

# Languages: every string a person sees, in both

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "platform_site" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# Browser: a strict policy everywhere; the admin console's own is in `platform_site.admin_site`

STATIC_DIR = BASE_DIR / "static"
STATIC_URL = "/static/" if DEBUG else f"/static/{version_of(STATIC_DIR, BASE_DIR / 'requirements.lock')}/"
"""Served by `platform_site.static_files`, at the edge."""
STATICFILES_DIRS = [STATIC_DIR]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
CHART_LOGO_STYLE = "'sha256-3pRED1tOXas1FXFoPb9TGCjmYe9XQsmO9OV23khV2nY='"
"""The one constant style element that `static/vendor/lightweight-charts` makes, for the logo its licence asks for."""
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE, CHART_LOGO_STYLE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    }
}
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = env.https
SECURE_HSTS_SECONDS = 31536000 if env.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.https else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
CSRF_FAILURE_VIEW = "platform_site.errors.page_csrf"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Admin console (its pages and permissions are in `platform_site.admin_site`)

UNFOLD = {
    "SITE_TITLE": "platform_site.console.navigation.title",
    "SITE_HEADER": "platform_site.console.navigation.title",
    "SITE_SUBHEADER": "platform_site.console.navigation.subtitle",
    "SITE_URL": "platform_site.console.navigation.chat",
    "SITE_SYMBOL": "water_drop",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": f"{STATIC_URL}favicon.svg"}],
    # Around --water of static/css/base.css: 600 is its light form, 400 its dark one.
    "COLORS": {
        "primary": {
            "50": "oklch(97.4% .009 206)",
            "100": "oklch(94.4% .017 206)",
            "200": "oklch(90% .034 207)",
            "300": "oklch(84.4% .072 206)",
            "400": "oklch(78.4% .101 207)",
            "500": "oklch(60% .098 212)",
            "600": "oklch(46.1% .079 215.5)",
            "700": "oklch(39.5% .067 215.6)",
            "800": "oklch(33.5% .052 216)",
            "900": "oklch(29.6% .041 216)",
            "950": "oklch(23.7% .038 216)",
        },
    },
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_LANGUAGES": True,
    "SHOW_BACK_BUTTON": True,
    "LANGUAGES": {"action": "platform_site.console.navigation.language_action"},
    "STYLES": [f"{STATIC_URL}admin_console/console.css"],
    "DASHBOARD_CALLBACK": "conversations.overview.figures",
    "SIDEBAR": {"navigation": "platform_site.console.navigation.sidebar"},
}

# HTTP API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "platform_site.api_auth.BearerAuthentication",
        "platform_site.api_auth.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["platform_site.api_auth.MemberOfTenant"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["platform_site.parsers.StrictJsonParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "platform_site.errors.as_problem",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Sluice",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
}

# Sluice's own

SLUICE = env
LOGGING_CONFIG = "platform_site.logs.configure"
LOGGING = {"format": env.log_format, "level": env.log_level}
TEST_RUNNER = "django.test.runner.DiscoverRunner"
