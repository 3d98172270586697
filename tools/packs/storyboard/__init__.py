"""The storyboard: stories written chapter by chapter, with their people, world, guidelines and structure.

An app of its own (`apps.StoryboardConfig`): it owns its tables. The six tools stand in `handlers`, what they may be
given in `arguments`, their limits as rules in the tools' definitions; people read the stories at `/t/<slug>/stories/`.
"""
