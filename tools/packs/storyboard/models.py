"""Stories and what they are made of. Each row belongs to a story, each story to the conversation it is written in."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.tenancy import TenantModel

LONGEST_NAME = 120
LONGEST_TITLE = 200


class Story(TenantModel):
    """One story a conversation. `topic` is the conversation's id; the story stays when the conversation is deleted.

    The four texts of the story bible say how things stand after chapter `bible_chapter`.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    topic = models.CharField(max_length=32)
    title = models.CharField(_("title"), max_length=LONGEST_TITLE, blank=True)
    character_status = models.TextField(blank=True)
    key_items_and_locations = models.TextField(blank=True)
    active_plot_threads = models.TextField(blank=True)
    important_rules = models.TextField(blank=True)
    bible_chapter = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("story")
        verbose_name_plural = _("stories")
        constraints = [models.UniqueConstraint(fields=["tenant", "topic"], name="story_per_topic")]
        indexes = [models.Index(fields=["tenant", "-updated_at"], name="story_newest")]

    def __str__(self) -> str:
        return self.title or self.pk


class PartOfStory(TenantModel):
    """What every part has."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="%(class)ss")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        abstract = True


class Chapter(PartOfStory):
    """`summary` is what `add_chapter` noted; `outline` and `content` come with the written chapter."""

    number = models.PositiveIntegerField(_("number"))
    title = models.CharField(_("title"), max_length=LONGEST_TITLE)
    summary = models.TextField(blank=True)
    outline = models.TextField(blank=True)
    content = models.TextField(blank=True)

    class Meta(PartOfStory.Meta):
        constraints = [models.UniqueConstraint(fields=["story", "number"], name="chapter_number_once")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"


class Named(PartOfStory):
    """A part that is known by its name; `key` is the name as it is compared."""

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    key = models.CharField(max_length=64, editable=False)
    description = models.TextField()

    class Meta(PartOfStory.Meta):
        abstract = True
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.name


class Character(Named):
    role = models.CharField(_("role"), max_length=LONGEST_NAME)

    class Meta(Named.Meta):
        constraints = [models.UniqueConstraint(fields=["story", "key"], name="character_once")]


class WorldEntry(Named):
    """A place, a faction, a thing, a law of the world. The same name may stand in two categories."""

    category = models.CharField(_("category"), max_length=LONGEST_NAME)
    category_key = models.CharField(max_length=64, editable=False)
    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="world")

    class Meta(Named.Meta):
        constraints = [
            models.UniqueConstraint(fields=["story", "category_key", "key"], name="world_entry_once")
        ]


class Guideline(PartOfStory):
    """How this story is to be written; `key` is of its content."""

    category = models.CharField(_("category"), max_length=LONGEST_NAME)
    content = models.TextField()
    key = models.CharField(max_length=64, editable=False)

    class Meta(PartOfStory.Meta):
        constraints = [models.UniqueConstraint(fields=["story", "key"], name="guideline_once")]
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.category


class BeatName(models.TextChoices):
    """The six beats, in the order in which a story passes them."""

    HOOK = "hook", _("Hook")
    INCITING_INCIDENT = "incitingIncident", _("Inciting incident")
    RISING_ACTION = "risingAction", _("Rising action")
    CLIMAX = "climax", _("Climax")
    FALLING_ACTION = "fallingAction", _("Falling action")
    RESOLUTION = "resolution", _("Resolution")


class Beat(PartOfStory):
    beat = models.CharField(_("beat"), max_length=20, choices=BeatName)
    content = models.TextField()

    class Meta(PartOfStory.Meta):
        constraints = [models.UniqueConstraint(fields=["story", "beat"], name="beat_once")]

    def __str__(self) -> str:
        return self.beat
