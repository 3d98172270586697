"""`/metrics`: Prometheus text. Gauges are read from the database when asked, so any process tells the same; counters
of sockets and frames are this process's own.

For the machine itself (no proxy in between) or whoever has `METRICS_TOKEN`: the numbers are of all tenants together,
so no tenant's token opens this page.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from platform_site import errors
from platform_site.access import bearer
from platform_site.env import env

HERE = CollectorRegistry()
"""What this process counts."""
SOCKETS = Gauge("sluice_sockets", "Open websockets of this process.", registry=HERE)
SOCKETS_TOTAL = Counter("sluice_sockets_opened", "Websockets this process accepted.", registry=HERE)
FRAMES = Counter("sluice_frames", "Frames this process received, by type.", ["type"], registry=HERE)
ProcessCollector(registry=HERE)


@dataclass(frozen=True, slots=True)
class Question:
    """A gauge whose values are read from the database. `ask` answers with value by label."""

    name: str
    help: str
    label: str
    ask: Callable[[], Mapping[str, float]]


class _Asked(Collector):
    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = questions

    def collect(self) -> Iterator[Metric]:
        for question in self.questions:
            gauge = GaugeMetricFamily(question.name, question.help, labels=[question.label])
            for label, value in question.ask().items():
                gauge.add_metric([label], value)
            yield gauge


def page(questions: Sequence[Question]) -> Callable[[HttpRequest], HttpResponse]:
    """The view, told by the wiring what to ask the database."""
    from_database = CollectorRegistry()
    from_database.register(_Asked(questions))

    @require_safe
    def metrics(request: HttpRequest) -> HttpResponse:
        if not _may_read(request):
            return errors.page_404(request)
        return HttpResponse(
            generate_latest(HERE) + generate_latest(from_database), content_type=CONTENT_TYPE_LATEST
        )

    return metrics


def _may_read(request: HttpRequest) -> bool:
    given = bearer(request.headers.get("Authorization", ""))
    if given and env.metrics_token:
        return constant_time_compare(given, env.metrics_token.get_secret_value())
    return _from_this_machine(request)


def _from_this_machine(request: HttpRequest) -> bool:
    """A proxy on this machine speaks for others, and says so."""
    if any(request.headers.get(name) for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP")):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
