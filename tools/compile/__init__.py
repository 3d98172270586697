"""What each provider's models are told of a tool: its schema in the form that provider takes. Pure.

Our own check always uses the tool's schema as it is saved, so what a provider cannot express costs nothing but a
model's mistake; it is listed for the tool's author, and told in descriptions where words can say it.
"""
