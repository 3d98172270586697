"""The sample market source: a small service that speaks the protocol of the pack's README, and knows nothing of us.

Everything it says is made up, always the same for the same moment: `instruments` has the ten futures, `sessions` when
they are traded, `bars` their prices, `news` what is said about them; `answers` says it, `app` serves it. Beside it
stands a sample search service: `library` has its articles, `search` answers from them.
Start it with `python -m tools.packs.market.backend`.
"""
