"""Calls written into a text: what is one, in each of the styles models know, and what only looks like one (A14)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cost import cost_of
from tools.pipeline.written import Found, Written, find

KNOWN = {"create_order", "find_products", "list_orders", "add-note"}
ORDER = '{"product": "lamp", "quantity": 2}'
CALL = f'{{"name": "create_order", "arguments": {ORDER}}}'


def calls(text: str) -> list[tuple[str, str]]:
    return [(call.name, call.raw) for call in find(text, KNOWN).calls]


ONE_ORDER = [("create_order", ORDER)]


class TestJson:
    """Fenced or bare, in every shape that names a tool and its arguments."""

    @pytest.mark.parametrize(
        "shape",
        [
            f'{{"name": "create_order", "arguments": {ORDER}}}',
            f'{{"name": "create_order", "parameters": {ORDER}}}',
            f'{{"tool": "create_order", "args": {ORDER}}}',
            f'{{"tool": "create_order", "parameters": {ORDER}}}',
            f'{{"tool": "create_order", "input": {ORDER}}}',
            f'{{"tool_name": "create_order", "tool_input": {ORDER}}}',
            f'{{"action": "create_order", "action_input": {ORDER}}}',
            f'{{"function": {{"name": "create_order", "arguments": {ORDER}}}}}',
            f'{{"id": "call_1", "type": "function", "function": {{"name": "create_order", "arguments": {ORDER}}}}}',
            f'{{"function_call": {{"name": "create_order", "arguments": {ORDER}}}}}',
            f'{{"tool_calls": [{{"name": "create_order", "arguments": {ORDER}}}]}}',
            f'[{{"name": "create_order", "arguments": {ORDER}}}]',
            f'{{"thought": "They want a lamp.", "tool": "create_order", "args": {ORDER}}}',
        ],
    )
    @pytest.mark.parametrize(
        "around",
        [
            "{}",
            "I order it now.\n\n{}\n\nPlease wait.",
            "```json\n{}\n```",
            "Here you are:\n```\n{}\n```",
            "~~~JSON\n{}\n~~~",
        ],
    )
    def test_each_shape_bare_or_fenced(self, shape: str, around: str) -> None:
        assert calls(around.format(shape)) == ONE_ORDER

    def test_arguments_carried_as_a_text_are_unpacked(self) -> None:
        """OpenAI's wire form."""
        told = json.dumps({"function": {"name": "create_order", "arguments": ORDER}})
        assert calls(told) == ONE_ORDER

    def test_arguments_stay_as_they_are_written(self) -> None:
        """Broken ones too: the argument pipeline mends or refuses them, with its flags."""
        broken = "{'product': 'the \"big\" lamp', quantity: 2,}"
        assert calls(f"{{'name': 'create_order', 'arguments': {broken}}}") == [("create_order", broken)]

    def test_quotes_left_unescaped_do_not_end_a_text(self) -> None:
        broken = '{"product": "the "big" lamp, {new}"}'
        assert calls(f'{{"name": "create_order", "arguments": {broken}}}') == [("create_order", broken)]

    def test_it_is_known_where_it_stands(self) -> None:
        text = f"So be it.\n{CALL}\n"
        (call,) = find(text, KNOWN).calls
        assert call == Written("create_order", ORDER, "json", 10, 10 + len(CALL))

    def test_several_in_one_block_are_several_calls(self) -> None:
        other = '{"name": "find_products", "arguments": {"query": "x"}}'
        assert [name for name, _raw in calls(f"```json\n{CALL}\n{other}\n```")] == [
            "create_order",
            "find_products",
        ]

    def test_the_same_call_written_twice_is_one(self) -> None:
        assert calls(f"{CALL}\n\nAgain, in a block:\n```json\n{CALL}\n```") == ONE_ORDER

    def test_at_most_four(self) -> None:
        many = "\n".join(f'{{"name": "create_order", "arguments": {{"quantity": {n}}}}}' for n in range(9))
        assert [raw for _name, raw in calls(many)] == [f'{{"quantity": {n}}}' for n in range(4)]


class TestMarks:
    """The marks that open models were trained to write."""

    @pytest.mark.parametrize(
        ("style", "text"),
        [
            ("tool_call", f"<tool_call>\n{CALL}\n</tool_call>"),
            ("tool_call", f"Sure!\n<tool_call>{CALL}</tool_call> Done."),
            ("tool_call", f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>"),
            ("tool_call", f"```xml\n<tool_call>{CALL}</tool_call>\n```"),
            ("tool_call", f"<tools>{CALL}</tools>"),
            ("tool_call", f"<tool_call>{CALL}"),
            ("mistral", f"[TOOL_CALLS] [{CALL}]"),
            ("mistral", f"[TOOL_CALLS]create_order{ORDER}"),
            ("mistral", f"[TOOL_CALLS]create_order[ARGS]{ORDER}"),
            ("mistral", f"[TOOL_CALLS]create_order[CALL_ID]a1B2c3D4e[ARGS]{ORDER}"),
            ("function", f"<function=create_order>{ORDER}</function>"),
            ("python_tag", f'<|python_tag|>{{"name": "create_order", "parameters": {ORDER}}}'),
            ("python_tag", '<|python_tag|>create_order.call(product="lamp", quantity=2)'),
            (
                "deepseek",
                f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>create_order\n```json\n{ORDER}\n```"
                "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            ),
            ("deepseek", f"<｜tool▁call▁begin｜>create_order<｜tool▁sep｜>{ORDER}<｜tool▁call▁end｜>"),
            (
                "deepseek",
                f"<|tool_call_begin|>functions.create_order:0<|tool_call_argument_begin|>{ORDER}<|tool_call_end|>",
            ),
            (
                "harmony",
                f"<|channel|>commentary to=functions.create_order <|constrain|>json<|message|>{ORDER}<|call|>",
            ),
            ("react", f"Thought: they want a lamp.\nAction: create_order\nAction Input: {ORDER}"),
        ],
    )
    def test_json_between_marks(self, style: str, text: str) -> None:
        (call,) = find(text, KNOWN).calls
        assert (call.name, call.raw, call.style) == ("create_order", ORDER, style)

    @pytest.mark.parametrize(
        "text",
        [
            "<tool_call>create_order\n<arg_key>product</arg_key>\n<arg_value>lamp</arg_value>\n"
            "<arg_key>quantity</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
            "<tool_call>\n<function=create_order>\n<parameter=product>\nlamp\n</parameter>\n"
            "<parameter=quantity>\n2\n</parameter>\n</function>\n</tool_call>",
            '<minimax:tool_call>\n<invoke name="create_order">\n<parameter name="product">lamp</parameter>\n'
            '<parameter name="quantity">2</parameter>\n</invoke>\n</minimax:tool_call>',
            '<｜DSML｜invoke name="create_order">'
            '<｜DSML｜parameter name="product" string="true">lamp</｜DSML｜parameter>'
            '<｜DSML｜parameter name="quantity" string="false">2</｜DSML｜parameter></｜DSML｜invoke>',
        ],
    )
    def test_pairs_between_marks_are_texts_to_coerce(self, text: str) -> None:
        """What type they have, only the schema knows."""
        assert calls(text) == [("create_order", '{"product": "lamp", "quantity": "2"}')]

    def test_parallel_calls(self) -> None:
        other = '<tool_call>{"name": "list_orders", "arguments": {}}</tool_call>'
        assert calls(f"<tool_call>{CALL}</tool_call>\n{other}") == [*ONE_ORDER, ("list_orders", "{}")]

    def test_an_unclosed_value_is_no_call(self) -> None:
        assert find('<tool_call>{"name": "create_order", "arguments": {"product": "la', KNOWN) == Found()
        assert find("<function=create_order><parameter=product>la", KNOWN) == Found()


class TestPython:
    """Keyword arguments that are literals, on lines of their own or fenced."""

    @pytest.mark.parametrize(
        "text",
        [
            'create_order(product="lamp", quantity=2)',
            "I order it now.\n\ncreate_order(product='lamp', quantity=2);\n\nOne moment.",
            'create_order(\n    product="lamp",\n    quantity=2,\n)',
            '```python\ncreate_order(product="lamp", quantity=2)\n```',
            '```\ncreate_order(product="lamp", quantity=2)\n```',
            '```tool_code\nprint(default_api.create_order(product="lamp", quantity=2))\n```',
            '[create_order(product="lamp", quantity=2)]',
            'create_order({"product": "lamp", "quantity": 2})',
        ],
    )
    def test_each_form(self, text: str) -> None:
        assert calls(text) == ONE_ORDER

    def test_literals_become_json(self) -> None:
        text = 'create_order(a=True, b=None, c=[1, -2.5], d={"e": (1, 2)}, f=true, g="""two\nlines""", h="a" "b")'
        assert json.loads(calls(text)[0][1]) == {
            "a": True, "b": None, "c": [1, -2.5], "d": {"e": [1, 2]}, "f": True, "g": "two\nlines", "h": "ab",
        }  # fmt: skip

    def test_a_windows_path_keeps_its_backslashes(self) -> None:
        assert json.loads(calls(r'create_order(file="C:\data\logs")')[0][1]) == {"file": r"C:\data\logs"}

    def test_an_argument_given_twice_stays_twice_so_that_it_is_refused(self) -> None:
        assert calls("create_order(quantity=1, quantity=2)") == [
            ("create_order", '{"quantity": 1, "quantity": 2}')
        ]

    def test_a_name_with_a_hyphen(self) -> None:
        assert calls('add-note(text="x")') == [("add-note", '{"text": "x"}')]

    def test_without_arguments_only_where_nothing_else_is_meant(self) -> None:
        assert calls("list_orders()") == calls("```tool_code\nlist_orders()\n```") == [("list_orders", "{}")]
        assert calls("These are the tools:\n\nlist_orders()\n\nfind_products(query)") == []

    @pytest.mark.parametrize(
        "inside",
        [
            "product", "product=name", "product=os.environ['X']", "product=f'{x}'", "product=open('x')", '"lamp", 2',
            "**given", "product=1+1", "product=b'x'", "product={1, 2}", "product=lambda: 1", "product=[x for x in y]",
            "product=__import__('os').system('x')", "product={1: 2}", r"product=r'\d'", "quantity=1j",
            "product='lamp' if x else 'y'", "product=" + "(" * 500 + "1" + ")" * 500, "product=" + "-" * 5_000 + "1",
        ],
    )  # fmt: skip
    def test_what_is_no_literal_is_no_call(self, inside: str) -> None:
        assert calls(f"create_order({inside})") == []


class TestNoCall:
    """Prose, quotations, samples, descriptions and data."""

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "I can call create_order for you.",
            'Use `create_order(product="lamp")` to order.',
            'You could call create_order(product="lamp") next.',
            'create_order(product="lamp") would order a lamp.',
            '1. create_order(product="lamp")\n2. list_orders()',
            '- create_order(product="lamp")',
            '> create_order(product="lamp")',
            "create_order (product, quantity): orders something.",
            "create_order(product, quantity=1)",
            "The tool_call failed, so [TOOL_CALLS] were not made and <tool_call> was not closed.",
            "Models write `<tool_call>" + CALL + "</tool_call>` when they call.",
            f"> <tool_call>{CALL}</tool_call>",
            f"It answered {CALL} and stopped.",
            f"{CALL} is what I would send.",
            f"See: `{CALL}`",
        ],
    )
    def test_prose_and_quotations(self, text: str) -> None:
        assert find(text, KNOWN) == Found()

    @pytest.mark.parametrize(
        "text",
        [
            '```python\nimport shop\nshop.connect()\ncreate_order(product="lamp")\n```',
            '```python\norder = create_order(product="lamp")\nprint(order)\n```',
            '```python\ndef test():\n    create_order(product="lamp")\n```',
            '```js\ncreate_order({"product": "lamp"})\n```',
            '```javascript\nawait create_order({product: "lamp"});\n```',
            '```ruby\ncreate_order(product: "lamp")\n```',
            '```sql\nSELECT create_order(product => "lamp");\n```',
            f"```python\ncall = {CALL}\n```",
            f"```python\n{CALL}\n```",
            f"```js\nsend({CALL})\n```",
            f"```python\n<tool_call>{CALL}</tool_call>\n```",
            f"```sh\ncurl -d '{CALL}' https://shop.example/\n```",
            'import shop\ncreate_order(product="lamp")\n',
            'create_order(product="lamp")\nreturn order\n',
        ],
    )
    def test_samples_in_a_language(self, text: str) -> None:
        assert find(text, KNOWN) == Found()

    @pytest.mark.parametrize(
        "text",
        [
            f"For example:\n```json\n{CALL}\n```",
            f"A call looks like this:\n\n{CALL}",
            f"### Example\n```json\n{CALL}\n```",
            f"The format is:\n<tool_call>{CALL}</tool_call>",
            f"**Usage**\n\n```\n{CALL}\n```",
            f"例如：\n```json\n{CALL}\n```",
            f"调用格式：\n{CALL}",
            'Usage:\ncreate_order(product="lamp")',
        ],
    )
    def test_what_is_introduced_as_an_example(self, text: str) -> None:
        assert find(text, KNOWN) == Found()

    def test_but_an_example_in_the_arguments_before_hides_nothing(self) -> None:
        first = '{"name": "find_products", "arguments": {"query": "example.com"}}'
        assert len(calls(f"{first}\n{CALL}")) == 2

    @pytest.mark.parametrize(
        "data",
        [
            '{"name": "create_order", "description": "Orders.", "parameters": {"type": "object", "properties": {}}}',
            '{"name": "create_order", "parameters": {"type": "object", "properties": {"product": {}}}}',
            '{"type": "function", "function": {"name": "create_order", "description": "x", "parameters": {}}}',
            '{"name": "create_order", "arguments": {"a": 1}, "status": "succeeded"}',
            '{"name": "create_order"}',
            '{"tool": "create_order"}',
            '{"arguments": {"product": "lamp"}}',
            f'{{"example": {CALL}}}',
            f'{{"history": [{CALL}, {CALL}]}}',
            f'[{CALL}, "and so on"]',
            '{"name": "create_order", "arguments": {"a": 1}, "arguments": {"a": 2}}',
            '{"name": ["create_order"], "arguments": {}}',
            '{"name": "Alice", "parameters": {"age": 3}}',
            '{"input": {"x": 1}, "action": "click the button", "id": 1}',
        ],
    )
    def test_descriptions_and_data(self, data: str) -> None:
        assert find(data, KNOWN) == find(f"```json\n{data}\n```", KNOWN) == Found()

    def test_names_are_taken_to_the_letter(self) -> None:
        assert calls(CALL.replace("create_order", "Create_Order")) == []
        assert calls(CALL.replace("create_order", "functions.create_order")) == ONE_ORDER


class TestUnknownNames:
    """T22: an invented or hidden tool is told of only when nothing but a call looks like this."""

    @pytest.mark.parametrize(
        "text",
        [
            '<tool_call>{"name": "wipe_disk", "arguments": {}}</tool_call>',
            "[TOOL_CALLS]wipe_disk{}",
            "<function=wipe_disk>{}</function>",
            '```json\n{"name": "wipe_disk", "arguments": {"all": true}}\n```',
            '{"tool_calls": [{"function": {"name": "wipe_disk", "arguments": "{}"}}]}',
        ],
    )
    def test_unmistakable(self, text: str) -> None:
        assert find(text, KNOWN) == Found((), ("wipe_disk",))

    @pytest.mark.parametrize(
        "text", ["wipe_disk(all=True)", "Action: wipe_disk\nnow", '{"name": "wipe", "input": {}}']
    )
    def test_mistakable(self, text: str) -> None:
        assert find(text, KNOWN) == Found()

    def test_beside_a_known_one(self) -> None:
        found = find(
            f'<tool_call>{CALL}</tool_call><tool_call>{{"name": "nope", "arguments": {{}}}}</tool_call>',
            KNOWN,
        )
        assert ([call.name for call in found.calls], found.unknown) == (["create_order"], ("nope",))


PIECES = [
    "{", "}", "[", "]", "(", ")", '"', "'", "\\", ",", ":", "=", "\n", " ", "```", "```json\n",
    "~~~", "name", "arguments",
    "create_order", "create_order(", '"name": "create_order"', '"arguments": {', "<tool_call>",
    "</tool_call>", "[TOOL_CALLS]",
    "[ARGS]", "<function=create_order>", "<parameter=a>", "</parameter>", "<arg_key>",
    "<arg_value>", "<|python_tag|>",
    "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "to=functions.create_order", "<|message|>",
    '<invoke name="create_order">',
    "Action: create_order\nAction Input: {", "\ud800", "\0", "r'", '"""', "f(", CALL, ORDER,
    "print(", "tool_calls", "例如：",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join))
@settings(max_examples=600, deadline=None)
def test_no_text_is_too_strange(text: str) -> None:
    """Any text is read without an exception, and what is found stands in it."""
    found = find(text, KNOWN)
    assert len(found.calls) <= 4
    assert all(call.name in KNOWN and 0 <= call.start < call.end <= len(text) for call in found.calls)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.text(max_size=20) | st.integers() | st.lists(st.booleans()),
        max_size=5,
    )
)
def test_what_is_written_well_is_found_to_the_letter(arguments: dict[str, object]) -> None:
    for raw in (json.dumps(arguments), json.dumps(arguments, ensure_ascii=False, indent=2)):
        assert calls(f'On it.\n{{"name": "create_order", "arguments": {raw}}}') == [("create_order", raw)]
        assert calls(f"<function=create_order>{raw}</function>") == [("create_order", raw)]


HOSTILE = [
    "{", "[", '{"name":', '{"function":', "{\n", "[\n", '{"a":"', "'", '"', "<tool_call>",
    "<tool_call>{", "[TOOL_CALLS][",
    "<function=a><parameter=b>", '<invoke name="a"><parameter name="b">',
    "<tool_call>a<arg_key>b</arg_key><arg_value>",
    "create_order(", "create_order(a=1)\n", "create_order(a=b)\n", "create_order('", "```\n{",
    "```\n", CALL + "\n", "\n", " ",
    "<｜tool▁call▁begin｜>", "to=functions.a", "Action: a\n", "The (quick) brown fox, he said: \"hello\". ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear(piece: str) -> None:
    """T18: 100 kB of anything in under 50 ms of CPU."""
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    assert cost_of(lambda: find(text, KNOWN)) < 0.05
