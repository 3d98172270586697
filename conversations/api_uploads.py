"""Pictures over HTTP: upload one, look at it, take it back. Nothing but the bytes of the file decides what it is."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field, RootModel
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import uploads
from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import UploadPage, UploadShape
from conversations.uploads_models import ENDINGS
from conversations.uploads_picture import MAX_BYTES, Wrong, made_anew
from platform_site import stored_files
from platform_site.errors import Problem

ENVELOPE = 64 * 1024
"""What a form needs around its file."""


class UploadForm(BaseModel):
    """A form with one file."""

    file: bytes = Field(description="JPEG, PNG, WebP or GIF; at most 10 MB and 40 megapixels.")


class PictureBytes(RootModel[bytes]):
    """A JPEG or a PNG."""


class AnyPicture(JSONRenderer):
    """Pictures are not rendered; what is, is a problem."""

    media_type = "image/*"


class OnlyPictures(DefaultContentNegotiation):
    """There is nothing to choose from, whatever a client says it accepts."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class NotMore(FileUploadHandler):
    """Stops reading where no picture of ours ends: a form's files know no limit of their own."""

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any) -> None:
        if content_length > MAX_BYTES + ENVELOPE:
            uploads.check_picture(Wrong.TOO_LARGE)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._read = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._read += len(raw_data)
        if self._read > MAX_BYTES + ENVELOPE:
            uploads.check_picture(Wrong.TOO_LARGE)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The handlers after this one keep the file."""


class Uploads(ApiView):
    parser_classes = [MultiPartParser]

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        if request.method == "POST":
            request.upload_handlers.insert(0, NotMore(request))
        return super().initialize_request(request, *args, **kwargs)

    def prepare(self, request: Request) -> None:
        """Decoding takes its time, so it comes before any transaction."""
        if request.method == "POST":
            file = _the_file(request)
            self.name = file.name or ""
            self.picture = uploads.check_picture(made_anew(file.read(MAX_BYTES + 1)))
            file.seek(0)

    @operation("uploads_list", "My pictures, the newest first", {200: UploadPage}, query=PageQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        mine = uploads.uploads_for(self.actor).filter(uploader=self.actor.user)
        found, after = cut(mine, ("-pk",), self.query(PageQuery))
        slug = self.actor.tenant.slug
        return answer(UploadPage(results=[UploadShape.of(row, slug) for row in found], next=after))

    @operation(
        "uploads_create", "Upload a picture, to be sent with a message", {201: UploadShape},
        body=UploadForm, posts=True, problems=(422, 429),
    )  # fmt: skip
    def post(self, request: Request, **kwargs: str) -> Response:
        kept = uploads.keep(self.actor, self.picture, self.name)
        return answer(UploadShape.of(kept, self.actor.tenant.slug), 201)


def _the_file(request: Request) -> UploadedFile:
    files = [file for name in request.FILES for file in request.FILES.getlist(name)]
    fields = set(request.data) - set(request.FILES)
    if len(files) != 1 or fields:
        raise Problem(400, "bad_request", _("Send one file, and nothing else, as a form."))
    return files[0]


class OneUpload(ApiView):
    @operation("uploads_read", "What is known of a picture", {200: UploadShape})
    def get(self, request: Request, upload: str, **kwargs: str) -> Response:
        return answer(UploadShape.of(uploads.upload_for(self.actor, upload), self.actor.tenant.slug))

    @operation("uploads_delete", "Take back a picture that was not sent", {204: None}, problems=(409,))
    def delete(self, request: Request, upload: str, **kwargs: str) -> Response:
        uploads.take_back(self.actor, upload)
        return Response(status=204)


class UploadContent(ApiView):
    renderer_classes = [AnyPicture]
    content_negotiation_class = OnlyPictures

    @operation("uploads_content", "The picture itself", {200: PictureBytes})
    def get(self, request: Request, upload: str, **kwargs: str) -> HttpResponse:
        """Shown by a browser is what we encoded ourselves, and nothing else."""
        found = uploads.upload_for(self.actor, upload)
        tag = f'"{found.sha256}"'
        unchanged = get_conditional_response(request._request, etag=tag)
        if unchanged is not None:
            return _kept_private(unchanged, tag)
        data = stored_files.read(found.tenant_id or "", found.file_name)
        if data is None:
            raise Problem(404, "not_found", _("There is no such picture."))
        shown = found.media_type in ENDINGS
        kind = found.media_type if shown else "application/octet-stream"
        name = content_disposition_header(not shown, found.download_name) or "attachment"
        response = HttpResponse(data, content_type=kind, headers={"Content-Disposition": name})
        return _kept_private(response, tag)


def _kept_private(response: Any, tag: str) -> Any:
    """For this person's browser alone, which asks again each time: who may see a picture can change."""
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Cookie, Authorization"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
