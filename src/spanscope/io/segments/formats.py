"""The formats of segmentations, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.coverage import may_be_segments
from spanscope.io.format import DOCUMENTS, NAMED, Format, when_called
from spanscope.io.label_studio import is_task
from spanscope.io.segments.recognise import is_segmented

FORMATS = (
    Format(
        "labelstudio-segments",
        "segments",
        "tasks of Label Studio (data and annotations) whose labels cover the text",
        when_called("segments.reading", "read_tasks"),
        record=lambda one, head, _: is_task(one, head.data),
        containers=(*DOCUMENTS, "traces"),
        reads=NAMED,
        in_blocks=True,
        also=("label-studio",),
        fits=may_be_segments,
    ),
    Format(
        "segments",
        "segments",
        "documents with segmentations, segments, boundaries, masses or string",
        when_called("segments.reading", "read_segmented"),
        record=lambda one, _, options: is_segmented(one, options.fields),
        containers=(*DOCUMENTS, "traces"),
        reads=NAMED,
        in_blocks=True,
    ),
)
