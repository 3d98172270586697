"""What requests to models cost, and how much of it a tenant allows itself.

price, estimate, periods   pure: tokens to money, how large a request may become, months and minutes
models                     one row a request, and the limits with what was used of them
booking                    reserve before a request, settle after it
limits                     the limits as values: which apply to a request, which are reached
saving, config             changing limits, from the page and from the configuration file
counts                     sums by day, agent, model and person, for the API and the page
"""
