"""Notices that leave the house: e-mail to people and signed webhooks to programs, one row each, sent until it arrives.

What is here knows neither tools nor questions: `models` the rows, `when` and `signature` the pure rules, `outbox` the
verbs that claim and settle, `words` what people read. Who is told of what, and the sending itself, is `tools.notices`.
"""
