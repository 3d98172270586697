"""The web search of seed 001 (R6): `perplexity_search` over the OpenAI protocol, against the tenant's own account.

`handlers` is the tool, `account` whose key goes where, `asking` the one request, `reading` what an answer means (pure).
"""
