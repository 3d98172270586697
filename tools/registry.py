"""Handlers written in Python, by name. `@tool` makes one of a function; its argument's type gives the schema (R1, R2).

    @tool(name="suggest_replies", risk="SAFE")
    async def suggest_replies(context: ToolContext, args: Replies) -> Result: ...

is known as `general.suggest_replies` when it stands in `tools/packs/general/handlers.py`. Apps above `tools` may
register their own from `AppConfig.ready`. Nothing runs because it is registered: a tenant's Tool names its handler.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from platform_site.models import Tenant, User
from tools import packs
from tools.jobs.progress import NOBODY, Cancelled, Reporter
from tools.outcome import Failed
from tools.pipeline.phrase import Text
from tools.schema_words import ArgumentError, path_of, shortened


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom and within what a tool works. `call` is the call's id, to be used as an idempotency key.

    A handler that works in the background says how far it has come (`report`, `say`) and looks whether it is still
    wanted (`cancelled`, `check_cancelled`): plain functions, the same in sync and async handlers, from any thread.
    Where somebody waits for the answer they do nothing.
    """

    tenant: Tenant
    user: User
    call: str = ""
    topic: str = ""
    run: str = ""
    reporter: Reporter = NOBODY

    def report(self, *, percent: float | None = None, words: str | None = None) -> None:
        """How much is done, and what is being done. What is left out stays as it was."""
        self.reporter.report(percent, words)

    def say(self, text: str) -> None:
        """A line of intermediate output."""
        self.reporter.say(text)

    @property
    def cancelled(self) -> bool:
        """Whether a person wants this to end."""
        return self.reporter.is_cancelled

    def check_cancelled(self) -> None:
        """End here if nobody wants this any more. Of a tool that writes, the outcome is then unknown: one that knows
        what it did looks at `cancelled` and says so in its answer."""
        if self.reporter.is_cancelled:
            raise Cancelled


@dataclass(frozen=True, slots=True)
class Result:
    """An answer with more than data: `ui` directs the client, `final` says that the model has nothing to add.

    `warnings`: it was done, but this looks wrong (A8). The person sees them, the model is told.
    """

    content: Any
    ui: Sequence[Mapping[str, Any]] = ()
    final: bool = False
    warnings: Sequence[Text] = ()


Answer = dict[str, Any] | str | Result | Failed
HandlerFunction = Callable[[ToolContext, Any], Answer | Awaitable[Answer]]


class BadHandler(TypeError):
    """A function that cannot be a tool, or a name taken twice: a mistake in code."""


@dataclass(frozen=True, slots=True)
class Handler:
    """A registered function and the definition its tool starts from."""

    key: str
    function: HandlerFunction
    arguments: TypeAdapter[Any]
    schema: dict[str, Any]
    name: str
    description: str
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    def definition(self) -> dict[str, Any]:
        """The tool as `catalogue.save_tool` takes it."""
        executor = {"kind": "python", "handler": self.key}
        told = {
            "name": self.name,
            "description": self.description,
            "schema": self.schema,
            "executor": executor,
        }
        return told | self.settings

    def typed(self, arguments: Mapping[str, Any]) -> Any:
        """What the function is given."""
        return self.arguments.validate_python(dict(arguments))

    def errors_of(self, arguments: Mapping[str, Any]) -> list[ArgumentError]:
        """What the model's own validators object to, beyond the schema."""
        try:
            self.typed(arguments)
        except ValidationError as error:
            return [_in_words(one) for one in error.errors(include_url=False, include_context=False)]
        return []


_handlers: dict[str, Handler] = {}


def tool(*, name: str = "", pack: str = "", **settings: Any) -> Callable[[HandlerFunction], HandlerFunction]:
    """Register a handler. `settings` are keys of the tool's entry: risk, read_only, domain, labels, …"""

    def register(function: HandlerFunction) -> HandlerFunction:
        handler = _handler(function, name, pack, settings)
        known = _handlers.get(handler.key)
        if known and known.function.__module__ != function.__module__:
            raise BadHandler(f"{handler.key} is registered twice")
        _handlers[handler.key] = handler
        return function

    return register


def find(key: str) -> Handler | None:
    """The handler known as "pack.function"."""
    discover()
    return _handlers.get(key)


def every() -> list[Handler]:
    """All handlers, by name."""
    discover()
    return sorted(_handlers.values(), key=lambda handler: handler.key)


@cache
def discover() -> None:
    """Import every `tools.packs.*.handlers`."""
    for module in _handler_modules():
        importlib.import_module(module)


def _handler_modules() -> Iterator[str]:
    for pack in pkgutil.iter_modules(packs.__path__, f"{packs.__name__}."):
        if pack.ispkg:
            inner = importlib.import_module(pack.name)
            modules = pkgutil.iter_modules(inner.__path__, f"{pack.name}.")
            yield from (module.name for module in modules if module.name.endswith(".handlers"))


def _handler(function: HandlerFunction, name: str, pack: str, settings: dict[str, Any]) -> Handler:
    parameters = list(inspect.signature(function).parameters)
    if len(parameters) != 2:
        raise BadHandler(f"{function.__qualname__} takes a context and its arguments")
    model = get_type_hints(function, include_extras=True).get(parameters[1])
    if model is None:
        raise BadHandler(
            f"{function.__qualname__}: annotate {parameters[1]} with a Pydantic model or a dataclass"
        )
    arguments: TypeAdapter[Any] = TypeAdapter(model)
    return Handler(
        key=f"{pack or _pack_of(function)}.{function.__name__}", function=function, arguments=arguments,
        schema=_schema_of(model, arguments), name=name or function.__name__,
        description=inspect.cleandoc(function.__doc__ or ""), settings={"risk": "CONFIRM", **settings},
    )  # fmt: skip


def _pack_of(function: HandlerFunction) -> str:
    steps = function.__module__.split(".")
    return steps[2] if steps[:2] == ["tools", "packs"] else steps[0]


def _schema_of(model: Any, arguments: TypeAdapter[Any]) -> dict[str, Any]:
    schema = arguments.json_schema()
    if dataclasses.is_dataclass(model):
        for one in dataclasses.fields(model):
            if text := one.metadata.get("description"):
                schema["properties"][one.name]["description"] = text
    if schema.get("type") != "object":
        raise BadHandler(f"{model!r} does not describe an object")
    for node in (schema, *schema.get("$defs", {}).values()):
        if node.get("type") == "object" and "properties" in node:
            node.setdefault("additionalProperties", False)
    schema.setdefault("properties", {})
    return schema


def _in_words(error: Any) -> ArgumentError:
    message = error["msg"].removeprefix("Value error, ")
    return ArgumentError(path_of(error["loc"]), error["type"], message, given=_short(error["input"]))


def _short(value: Any) -> Any:
    """What was given, if it is JSON."""
    try:
        return shortened(value)
    except TypeError:
        return None
