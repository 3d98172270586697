"""Prices, news and charts of futures: sample data from a source service of its own (`backend`), behind HTTP tools."""
