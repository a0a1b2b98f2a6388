"""The command that measures agreement between annotators."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, arguments, files_beside, options
from spanscope.cli.options import Digits, form_of, split_list, usage
from spanscope.cli.writing import check_gates, check_outputs, gate, write

AgreementGates = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        help="Exit with 1 if a figure is below its minimum: cohen_kappa=0.7, spans.exact:f1=0.8, alpha[A]=0.6.",
    ),
]


@command()
@options(
    *("input", "fields", "offsets", "normalise", "columns", "ci", "resamples", "level", "method"),
    *("ends", "annotator", "layer", "split", "label_names", "texts"),
    *("allow_different_texts", "text", "group"),
)
def agree(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="A B...", help="One file per annotator, or one file that holds several."),
    ],
    names: Annotated[
        str | None, typer.Option("--names", help="Names of the annotators, in the order of their files: ANN,BOB.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="f1, kappa, alpha, alpha_u, u_alpha, gamma, or a measure. Repeat the option for "
            "several. [default: all]",
        ),
    ] = None,
    labels: Annotated[str | None, typer.Option("--labels", help="Use only these labels: A,B,C.")] = None,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Unit for kappa, the alphas and gamma: character or token.")
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            "--missing",
            help="What to do with documents that not all annotated: pairwise (use those of two or "
            "more), skip or error.",
        ),
    ] = "pairwise",
    seed: Annotated[
        int,
        typer.Option("--seed", help="Random seed of the resamples for intervals and of the samples for gamma."),
    ] = 0,
    samples: Annotated[
        int,
        typer.Option("--samples", min=1, help="Random samples per document from which gamma estimates chance."),
    ] = 30,
    sampler: Annotated[
        str,
        typer.Option(
            "--sampler", help="How gamma samples chance: shuffle (as in the paper) or statistical (as in pygamma)."
        ),
    ] = "shuffle",
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="table, json, csv, markdown or latex. [default: by the ending of the file in -o]",
        ),
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the report to this file.")] = None,
    digits: Digits = None,
    documents: Annotated[
        bool, typer.Option("--documents", help="Include figures for each document in the JSON.")
    ] = False,
    fail_under: AgreementGates = None,
    *,
    asked: Typed,
) -> None:
    """Measure agreement between annotators: F1, kappa, alpha, unitising alphas and gamma, with intervals."""
    if sources.count("-") > 1:
        usage("only one source can be standard input")
    if missing not in ("pairwise", "skip", "error"):
        usage(f"--missing {missing[:40]!r}: pairwise, skip or error")
    check_outputs({"-o": output}, [*sources, *files_beside(asked)])
    check_gates(fail_under)
    from spanscope.report import FORMS

    form = form_of(format_, output, FORMS)
    if measure and not any(name.startswith("gamma") for name in measure) and (samples, sampler) != (30, "shuffle"):
        usage("--samples and --sampler are for gamma, which was not asked for")
    if documents and form != "json":
        usage("--documents adds figures to the JSON: add --format json")
    if digits is not None and form not in ("table", "markdown", "latex"):
        usage(f"--digits is for tables; {form} always has all digits")
    from spanscope.cli.progress import Bar
    from spanscope.commands.agree import agree as agree_
    from spanscope.settings.options import Ci

    given = arguments(asked)
    if isinstance(given.get("ci"), Ci):
        given["ci"] = replace(given["ci"], seed=seed)
    given |= {"unit": unit, "missing": missing, "sampler": sampler}  # as they were typed: agree refuses others
    with Bar() as bar:
        found = agree_(
            *sources,
            names=split_list(names),
            measures=measure,
            labels=split_list(labels),
            seed=seed,
            samples=samples,
            progress=bar,
            **given,
        )
    write(found, form, output, digits=digits, **({"documents": documents} if form == "json" else {}))
    gate(found, fail_under, None)
