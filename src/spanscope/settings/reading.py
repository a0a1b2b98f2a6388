"""The options of how files are read, each declared once, as those in `options.py` are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from spanscope.settings.declaring import PASSAGES, SEGMENTS, SPANS, TOKENS, option

if TYPE_CHECKING:
    from pathlib import Path

    from spanscope.io.offsets import Offsets


@dataclass(frozen=True)
class Reading:
    """How files are read."""

    input: str | None = option(
        None,
        "The format of the files, such as conll, tokens, spans or segments.",
        example="--input conll",
        usual="found from the content",
        by_side=True,
    )
    fields: Mapping[str, str] | None = option(
        None,
        "The name under which a field stands, such as label=category. Repeat it for several.",
        "pairs",
        flag="--field",
        example="--field label=category",
        usual="the usual names",
        families=(SPANS, SEGMENTS, PASSAGES),
        by_side=True,
        signed=80,
    )
    offsets: Offsets | None = option(
        None,
        "Unit of start and end: codepoints, utf16 (JavaScript, Java) or utf8 (bytes).",
        example="--offsets utf16",
        usual="codepoints, or what the tool that wrote the format counts in",
        families=(SPANS, SEGMENTS),
        by_side=True,
        signed=70,
    )
    ends: Literal["inclusive", "exclusive"] | None = option(
        None,
        "Where a span ends: inclusive (at its last character) or exclusive (behind it).",
        example="--ends inclusive",
        usual="exclusive",
        families=(SPANS,),
        by_side=True,
        signed=71,
    )
    annotator: str | None = option(
        None,
        "The annotator, or the model, whose annotations are read, where a file has those of several.",
        example="--annotator anna",
        families=(SPANS, SEGMENTS),
        by_side=True,
        signed=72,
    )
    layer: str | None = option(
        None,
        "The layer, type, view or group of spans that is read, where a file has several.",
        example="--layer NamedEntity",
        families=(SPANS, TOKENS),
        by_side=True,
        signed=73,
    )
    split: str | None = option(
        None,
        "The split of a data set that is read, where it has several.",
        example="--split test",
        by_side=True,
        signed=74,
    )
    label_names: Mapping[str, str] | None = option(
        None,
        "Names of labels, or of tags, that are numbers in the file.",
        "pair list",
        example="--label-names 1=PERSON,2=PLACE",
        families=(SPANS, TOKENS),
        by_side=True,
        signed=75,
    )
    texts: Any = option(
        None,
        "The texts of the documents, where spans stand in a table alone: JSON Lines, CSV or Parquet with id and "
        "text, or a folder of .txt files.",
        example="--texts documents.jsonl",
        families=(SPANS,),
        by_side=True,
        signed=76,
    )
    keep_fields: Sequence[str] | None = option(
        None,
        "A field of documents that is kept as metadata, beside the field meta. Repeat it for several.",
        "repeated",
        flag="--keep-field",
        example="--keep-field source",
        usual="the field meta alone",
        by_side=True,
    )
    locate: bool = option(
        False,
        "The predictions are quotes of a language model: place them in gold's texts first (spanscope locate).",
        "flag",
        families=(SPANS,),
    )
    repair_json: bool = option(
        False, "With --locate: mend broken JSON of the model, and count such outputs.", "flag", families=(SPANS,)
    )
    normalise: bool = option(
        False,
        "Repair segmentations: sort segments, close gaps, extend to the end. Every repair is reported.",
        "flag",
        families=(SEGMENTS,),
    )
    scheme: str | None = option(
        None,
        "Scheme of the tags: IO, IOB1, IOB2 (also called BIO), IOE1, IOE2, IOBES, BILOU or BMES.",
        example="--scheme IOB2",
        usual="found from the tags, of each side",
        families=(TOKENS,),
        by_side=True,
    )
    repair: str = option(
        "conlleval",
        "What becomes of ill-formed tags: conlleval (they start a span), discard, strict or seqeval.",
        example="--repair discard",
        families=(TOKENS,),
    )
    columns: Mapping[str, int | str] | None = option(
        None,
        "Columns of CoNLL files, or of CSV and TSV (--input spans-tsv), counted from 0 or from the end.",
        "pair list",
        example="--columns token=0,gold=-2,pred=-1",
        usual="the first and the last; by the names in the header row",
        families=(SPANS, TOKENS),
        by_side=True,
    )
    tag_names: Sequence[str] | None = option(
        None, "Names of tags that are numbers.", "list", example="--tag-names O,B-PER,I-PER", families=(TOKENS,)
    )
    mapping: Mapping[str, str] | None = option(
        None,
        "Another name for a label on both sides; an empty one leaves the label out. Repeat it for several.",
        "pairs",
        flag="--map",
        example="--map PER=PERSON",
        families=(SPANS, TOKENS),
    )
    corpus: str | Path | None = option(
        None,
        "The folder of the files that passages are from: places are checked against their texts.",
        example="--corpus texts/",
        families=(PASSAGES,),
    )
    scores: str | None = option(
        None,
        "What the scores of passages are: similarities (the highest first) or distances (the lowest first).",
        example="--scores distances",
        families=(PASSAGES,),
        signed=11,
    )


class Given(TypedDict, total=False):
    """The same options as keywords of functions that read one source; a test holds them equal to those above."""

    input: str | None
    fields: Mapping[str, str] | None
    offsets: Offsets | None
    ends: Literal["inclusive", "exclusive"] | None
    annotator: str | None
    layer: str | None
    split: str | None
    label_names: Mapping[str, str] | None
    texts: Any
    keep_fields: Sequence[str] | None
    locate: bool
    repair_json: bool
    normalise: bool
    scheme: str | None
    repair: str
    columns: Mapping[str, int | str] | None
    tag_names: Sequence[str] | None
    mapping: Mapping[str, str] | None
    corpus: str | Path | None
    scores: str | None
