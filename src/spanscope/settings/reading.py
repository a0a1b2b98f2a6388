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
        usual="recognised from the content",
        by_side=True,
    )
    fields: Mapping[str, str] | None = option(
        None,
        "The name of a field in your files, such as label=category. Repeat the option for several.",
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
        "Unit of offsets: codepoints (Python), utf16 (JavaScript, Java) or utf8 (bytes).",
        example="--offsets utf16",
        usual="codepoints, or the unit of the tool that writes the format",
        families=(SPANS, SEGMENTS),
        by_side=True,
        signed=70,
    )
    ends: Literal["inclusive", "exclusive"] | None = option(
        None,
        "Whether the end of a span is its last character (inclusive) or the one after it (exclusive).",
        example="--ends inclusive",
        usual="exclusive",
        families=(SPANS,),
        by_side=True,
        signed=71,
    )
    annotator: str | None = option(
        None,
        "Which annotator (or model) to read, in a file with several.",
        example="--annotator anna",
        families=(SPANS, SEGMENTS),
        by_side=True,
        signed=72,
    )
    layer: str | None = option(
        None,
        "Which layer, type, view or group of spans to read, in a file with several.",
        example="--layer NamedEntity",
        families=(SPANS, TOKENS),
        by_side=True,
        signed=73,
    )
    split: str | None = option(
        None,
        "Which split of a data set to read, if it has several.",
        example="--split test",
        by_side=True,
        signed=74,
    )
    label_names: Mapping[str, str] | None = option(
        None,
        "Names for labels or tags that are numbers in the file.",
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
        "A field of documents to keep as metadata, in addition to the field meta. Repeat the option for several.",
        "repeated",
        flag="--keep-field",
        example="--keep-field source",
        usual="only the field meta",
        by_side=True,
    )
    locate: bool = option(
        False,
        "The predictions are quotes from a language model: find their offsets in the gold texts "
        "first (see `spanscope locate`).",
        "flag",
        families=(SPANS,),
    )
    repair_json: bool = option(
        False,
        "With --locate: repair broken JSON in the model's output; repaired outputs are counted.",
        "flag",
        families=(SPANS,),
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
        usual="recognised from the tags, for each side",
        families=(TOKENS,),
        by_side=True,
    )
    repair: str = option(
        "conlleval",
        "How to read ill-formed tags: conlleval (they start a span), discard, strict or seqeval.",
        example="--repair discard",
        families=(TOKENS,),
    )
    columns: Mapping[str, int | str] | None = option(
        None,
        "Which columns to read in CoNLL files, or in CSV and TSV (--input spans-tsv), counted from "
        "0 or, below 0, from the end.",
        "pair list",
        example="--columns token=0,gold=-2,pred=-1",
        usual="the first and the last, or the names in the header row",
        families=(SPANS, TOKENS),
        by_side=True,
    )
    tag_names: Sequence[str] | None = option(
        None,
        "Names for tags that are numbers, in order.",
        "list",
        example="--tag-names O,B-PER,I-PER",
        families=(TOKENS,),
    )
    mapping: Mapping[str, str] | None = option(
        None,
        "Rename a label on both sides; an empty name leaves the label out. Repeat the option for several.",
        "pairs",
        flag="--map",
        example="--map PER=PERSON",
        families=(SPANS, TOKENS),
    )
    corpus: str | Path | None = option(
        None,
        "The folder with the files that passages come from; offsets are checked against their texts.",
        example="--corpus texts/",
        families=(PASSAGES,),
    )
    scores: str | None = option(
        None,
        "What the scores of passages mean: similarities (highest first) or distances (lowest first).",
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
