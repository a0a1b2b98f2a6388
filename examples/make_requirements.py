"""Write the demo data set: 50 software requirements with gold spans and the spans of an imaginary LLM.

Gold is inline mark-up that may nest: ``The [Main_actor|clerk] can [Action|void a [Entity|sale]].``
Every block of ``DATA`` is one requirement, followed by lines that start with ``~``:

    ~ also: Label|text           a gold span that crosses the mark-up above (brackets can only nest)
    ~ miss: gold                 the model did not find this gold span
    ~ move: gold => text         wrong boundaries
    ~ relabel: gold => Label     wrong label
    ~ blur: gold => Label|text   wrong boundaries and wrong label
    ~ split: gold => a + b       one gold span found in two pieces
    ~ merge: a + b => text       two gold spans covered by one prediction (with the label of the first)
    ~ twice: gold                the same span predicted twice
    ~ add: Label|text            a spurious span
    ~ nothing: -                 the model returned no span at all

A gold span is named by its text, or ``Label|text``; ``...`` stands for any words left out. What no line
mentions was predicted exactly. Run ``python examples/make_requirements.py`` to rewrite both files.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

OUT = Path(__file__).resolve().parent.parent / "src" / "spanscope" / "examples"
LABELS = (
    "Action",
    "Entity",
    "Main_actor",
    "System_response",
    "Condition",
    "Constraint",
    "Precondition",
    "Exception",
)

DATA = """
R01 The [Main_actor|librarian] shall be able to [Action|renew a [Entity|loan]] on behalf of a patron
[Condition|if no other member has reserved the copy].
~ move: loan => a loan
~ add: Main_actor|patron

R02 [Condition|When a [Main_actor|member] [Action|returns an overdue [Entity|book]]], the system shall
[System_response|calculate the [Entity|fine] and show it on the [Entity|return desk screen]].
~ relabel: When a member ... => Precondition
~ move: return desk screen => screen

R03 The [Main_actor|catalogue editor] can [Action|merge duplicate title records] and
[Action|undo the merge] [Constraint|within 30 days].
~ merge: merge ... records + undo the merge => merge ... undo the merge

R04 [Precondition|Once the library card has been validated], the [Main_actor|reader] can
[Action|place a [Entity|hold] on up to ten items] at a time.
~ also: Constraint|up to ten items at a time
~ relabel: Once the ... => Condition
~ move: place a ... => place a hold
~ move: up to ... => up to ten items

R05 The [Main_actor|triage nurse] must [Action|record the [Entity|vital signs]] of each [Entity|patient]
[Constraint|within ten minutes of arrival].
~ relabel: patient => Main_actor
~ move: within ... => within ten minutes

R06 [Condition|If a [Entity|drug interaction] is detected], the system shall
[System_response|warn the [Main_actor|prescribing physician]] and [System_response|block the [Entity|order]]
[Exception|unless an override reason is entered].
~ relabel: prescribing physician => Entity
~ relabel: unless ... => Condition

R07 The [Main_actor|ward clerk] [Action|transfers a [Entity|patient]] to another ward. The system then
[System_response|updates the bed plan] and [System_response|alerts the receiving ward].
~ relabel: patient => Main_actor
~ move: transfers a patient => transfers a ... another ward
~ add: Entity|receiving ward

R08 A [Main_actor|radiologist] shall be able to [Action|annotate an image],
[Action|dictate a [Entity|report]] and [Action|sign it electronically].
~ move: sign it electronically => sign it
~ move: radiologist => A radiologist

R09 [Precondition|After passing two-factor authentication], the [Main_actor|customer] may
[Action|transfer [Entity|funds]] to any [Entity|saved payee]
[Constraint|up to a daily limit of 5,000 euros].
~ move: transfer funds => transfer ... payee
~ miss: saved payee

R10 [Condition|If the [Entity|account balance] is insufficient], the system shall
[System_response|reject the [Entity|payment]] and [System_response|explain the reason to the account holder].
~ merge: reject ... + explain ... => reject ... holder
~ miss: account balance

R11 The [Main_actor|compliance officer] shall be able to [Action|freeze a [Entity|suspicious account]] and
[Action|attach a case note] explaining the decision.
~ move: attach a case note => attach ... decision
~ twice: compliance officer

R12 The system shall [System_response|generate a monthly [Entity|statement] for every active account
[Constraint|before the third working day]], [Exception|except for accounts in dispute].
~ move: generate ... => generate ... active account
~ move: statement => monthly statement

R13 [Condition|When the [Entity|soil moisture] drops below 20 %], the controller shall
[System_response|open the [Entity|irrigation valve] [Constraint|for at most fifteen minutes]].
~ add: Main_actor|controller
~ relabel: open ... => Action

R14 A [Main_actor|home owner] can [Action|arm the [Entity|alarm]] from the mobile app and
[Action|assign a guest code] to visitors.
~ move: arm the alarm => arm the alarm from the mobile app
~ add: Entity|mobile app

R15 The gateway shall [System_response|buffer [Entity|sensor readings]] locally
[Condition|while the connection is down] and
[System_response|upload them [Constraint|within one minute of reconnection]].
~ split: upload ... => upload them + within one minute
~ miss: within one ...

R16 The [Main_actor|technician] [Action|scans the [Entity|device label]],
[Action|pairs the [Entity|thermostat]] and [Action|checks the [Entity|firmware version]].
[Condition|If pairing fails], the app shall [System_response|show an error code].
~ relabel: If pairing fails => Precondition
~ move: thermostat => the thermostat
~ miss: firmware version

R17 A [Main_actor|student] can [Action|enrol in a [Entity|course]]
[Precondition|provided that all prerequisites have been passed]
and [Action|drop it again] [Condition|as long as the add period is open].
~ relabel: provided ... => Condition
~ miss: drop it again

R18 [Main_actor|Lecturers] shall be able to [Action|upload [Entity|slides]], [Action|publish grades]
and [Action|message the whole [Entity|class]].
~ relabel: class => Main_actor
~ move: slides => slides,

R19 The [Main_actor|registrar] must [Action|approve each [Entity|transcript request]]
[Constraint|within three working days]. [Condition|If the deadline passes], the system shall
[System_response|escalate it to the dean].
~ move: If the deadline passes => If the deadline passes,
~ add: Main_actor|dean

R20 The [Main_actor|examiner], for instance Dr Ελένη Παππά, shall [Action|enter the [Entity|final mark]] and
[Action|confirm it with a PIN].
~ add: Main_actor|Dr Ελένη Παππά
~ move: final mark => mark

R21 As a [Main_actor|shopper], I want to [Action|save articles to a [Entity|wish list]]
so that I can [Action|buy them later].
~ split: save ... => save articles + to a wish list
~ miss: buy them later

R22 [Condition|When a [Entity|discount code] has expired], the shop shall
[System_response|keep the basket unchanged] and [System_response|display the expiry date].
~ relabel: keep ... => Action
~ move: display ... => display the expiry date.

R23 [Condition|When the [Main_actor|buyer] [Action|presses “Pay now”]], the shop shall
[System_response|reserve the items] and [System_response|open the “Secure payment” [Entity|page]].
~ move: page => “Secure payment” page
~ move: presses ... => presses “Pay now”,

R24 The [Main_actor|café owner] can [Action|add a dish such as crème brûlée to the [Entity|daily menu]],
[Action|set its price] and [Action|hide it] [Condition|once it is sold out].
~ move: add a ... => add a dish
~ relabel: once it is sold out => Precondition
~ add: Entity|crème brûlée
~ miss: hide it

R25 After delivery the [Main_actor|recipient] may [Action|rate the [Entity|courier]] with 👍 or 👎 and
[Action|leave a comment] [Constraint|of at most 280 characters].
~ relabel: courier => Main_actor
~ blur: leave a comment => System_response|leave ... characters

R26 [Main_actor|Customers] can [Action|return an [Entity|article] within 14 days],
[Exception|except for perishable goods], and [Action|choose between a refund and a [Entity|voucher]].
~ also: Constraint|within 14 days, except for perishable goods
~ move: within ... => within 14 days
~ blur: Exception|except ... => Constraint|except for perishable goods,
~ move: voucher => a voucher

R27 The [Main_actor|dispatcher] shall be able to [Action|assign a delivery] to a driver and
[Action|re-plan the [Entity|route]] [Condition|if a road is closed].
~ twice: route
~ move: assign a delivery => assign ... driver

R28 The [Main_actor|driver] [Action|scans the [Entity|parcel]] and [Action|captures a signature];
the app shall [System_response|send the [Entity|proof of delivery] to the sender].
~ move: proof of delivery => proof
~ relabel: captures ... => System_response

R29 [Condition|If the stock of a [Entity|product] falls below its minimum], the warehouse system shall
[System_response|create a purchase order] and
[System_response|submit it to the [Main_actor|buyer] for approval].
~ miss: Entity|product
~ move: If the stock ... => the stock ... minimum

R30 A [Main_actor|customs broker] must [Action|declare the [Entity|goods]] and
[Action|upload the commercial invoice] [Condition|before the container leaves the port].
~ relabel: before ... => Constraint
~ miss: goods

R31 [Precondition|Provided that check-in is open], [Main_actor|passengers] can
[Action|select a seat], [Action|add [Entity|baggage]] and
[Action|download the [Entity|boarding pass]].
~ merge: select a seat + add baggage => select a seat, add baggage
~ miss: baggage

R32 The [Main_actor|receptionist] shall [Action|check in a [Entity|guest]] and
[Action|issue a [Entity|key card]] that expires [Constraint|at noon on the day of departure].
[Condition|If the card is lost], the system shall [System_response|deactivate it].
~ relabel: deactivate it => Action
~ relabel: guest => Main_actor
~ move: issue a key card => issue ... expires

R33 [Condition|When a [Entity|table] becomes free], the system shall
[System_response|text the next party on the waiting list] and
[System_response|hold the table [Constraint|for ten minutes]].
~ nothing: -

R34 A [Main_actor|line manager] can [Action|approve or decline a [Entity|leave request]] and
[Action|delegate the decision] to a deputy.
~ split: approve ... => approve + decline a leave request
~ move: leave request => a leave request

R35 The [Main_actor|payroll clerk] shall [Action|correct a [Entity|payslip]]
[Precondition|after the draft payment run has finished], and the system shall
[System_response|keep both versions].
~ blur: after ... => Condition|the draft payment run has finished
~ miss: keep both versions

R36 The [Main_actor|policyholder] [Action|reports a claim], [Action|uploads [Entity|photos]] of the
damage and [Action|selects a [Entity|repair shop]] near the scene of the accident.
~ move: uploads photos => uploads photos of the damage
~ move: repair shop => shop
~ add: Entity|scene of the accident

R37 The smart meter shall [System_response|transmit the [Entity|consumption data] every 15 minutes] over an
encrypted channel.
~ also: Constraint|every 15 minutes over an encrypted channel
~ move: every ... => every 15 minutes
~ add: Main_actor|smart meter

R38 The [Main_actor|ticket inspector] can [Action|validate a ticket] offline and
[Action|issue a [Entity|penalty notice]]
[Exception|unless the traveller presents a valid [Entity|season pass] later].
~ blur: unless ... => Condition|unless ... pass
~ move: season pass => valid season pass

R39 A [Main_actor|taxpayer] shall be able to [Action|import the [Entity|previous declaration]],
[Action|amend any field] and [Action|submit the result] [Condition|if no mandatory value is missing].
~ move: previous declaration => declaration
~ merge: amend ... + submit ... => amend ... result

R40 [Precondition|Once the loan contract is signed], [Main_actor|curators] can
[Action|describe an [Entity|exhibit]] in several languages and [Action|link it to an [Entity|audio guide]].
~ nothing: -

R41 The user interface shall be written in plain language, use a consistent colour scheme and follow the
corporate style guide.

R42 All source code shall be documented in English and kept under version control for ten years.
~ add: Entity|source code
~ add: Constraint|for ten years

R43 The [Main_actor|team captain] [Action|books a court] and [Action|invites the players].
The system shall [System_response|cancel the [Entity|booking]]
[Condition|if fewer than four people confirm].
~ relabel: cancel ... => Action
~ miss: invites the players
~ add: Main_actor|players

R44 A [Main_actor|developer] [Precondition|with a verified e-mail address] can
[Action|create an [Entity|API key]], [Action|rotate it] and [Action|revoke it] at any time.
~ miss: with ...
~ miss: rotate it

R45 [Condition|If the [Main_actor|user] [Action|enters a wrong [Entity|password] three times]], the system
shall [System_response|lock the account [Constraint|for 30 minutes]] and
[System_response|log the event].
~ move: enters ... => enters a wrong password
~ twice: lock ...

R46 The [Main_actor|farm manager] wants to [Action|compare the [Entity|yield]] of two seasons and
[Action|export the chart] as a PDF file.
~ blur: compare the yield => System_response|compare ... seasons
~ miss: yield
~ add: Entity|PDF file

R47 [Precondition|Once a [Entity|tender] has been closed], [Main_actor|evaluators] shall
[Action|score every offer] independently and [Action|record a justification] each time.
~ blur: Once ... => Condition|a tender has been closed
~ miss: tender

R48 The [Main_actor|caseworker] must be able to [Action|search for a file] by name,
[Action|open it] and [Action|redact personal [Entity|data]] before sharing.
The system shall [System_response|log every access].
~ move: data => personal data
~ miss: open it

R49 The [Main_actor|volunteer] [Action|signs up for a shift]; the system shall
[System_response|send a [Entity|reminder]] on the day before,
[Exception|except when the volunteer has muted notifications].
~ move: send a reminder => send ... day before
~ move: except ... => when the volunteer has muted notifications

R50 [Main_actor|Parents] can [Action|view the timetable] of their child,
[Action|report an absence] and [Action|sign a [Entity|consent form]] online.
~ split: sign a consent form => sign + a consent form
~ miss: report an absence
"""


class Span(NamedTuple):
    """A labelled stretch of text; offsets are half-open and count code points."""

    start: int
    end: int
    label: str


class Doc(NamedTuple):
    """One requirement, with the number of edits of each kind that led from gold to predictions."""

    key: str
    text: str
    gold: list[Span]
    pred: list[Span]
    edits: Counter[str]


def parse(markup: str, base: int = 0) -> tuple[str, list[Span], str]:
    """Read mark-up up to a closing bracket or the end; return its plain text, its spans and the rest."""
    text, spans = "", []
    while markup and markup[0] != "]":
        if markup[0] == "[":
            label, markup = markup[1:].split("|", 1)
            start = base + len(text)
            inner, nested, markup = parse(markup, start)
            assert markup.startswith("]"), f"unclosed [{label}|"
            spans += [Span(start, start + len(inner), label), *nested]
            text, markup = text + inner, markup[1:]
        else:
            text, markup = text + markup[0], markup[1:]
    return text, spans, markup


def pattern(words: str) -> str:
    """Turn ``a ... b`` into a regular expression."""
    return r"(?<!\w)" + ".*?".join(re.escape(part) for part in re.split(r" \.\.\.", words)) + r"(?!\w)"


def pick(text: str, gold: list[Span], name: str) -> Span:
    """Find the one gold span that is called ``text`` or ``Label|text``."""
    label, _, words = name.rpartition("|")
    hits = [s for s in gold if label in ("", s.label) and re.fullmatch(pattern(words), text[s.start : s.end])]
    assert len(hits) == 1, f"{name!r} names {len(hits)} gold spans in {text!r}"
    return hits[0]


def place(text: str, name: str, label: str, near: Span | None) -> Span:
    """Find ``text`` or ``Label|text``: the occurrence that shares most with ``near``, else the only one."""
    given, _, words = name.rpartition("|")
    hits = [Span(m.start(), m.end(), given or label) for m in re.finditer(pattern(words), text)]
    if near:
        hits = sorted(hits, key=lambda s: max(s.start, near.start) - min(s.end, near.end))[:1]
    assert len(hits) == 1, f"{name!r} occurs {len(hits)} times in {text!r}"
    return hits[0]


def check(kind: str, old: list[Span], new: list[Span]) -> None:
    """Make sure that an edit does what its name says."""
    same_label = {s.label for s in new} == {old[0].label} if old else True
    overlap = all(n.start < o.end and o.start < n.end for n in new for o in old)
    moved = all(n[:2] != o[:2] for n in new for o in old)
    counts, wanted = (len(old), len(new)), {"merge": (2, 1), "split": (1, 2), "miss": (1, 0), "twice": (1, 2)}
    assert overlap, (kind, old, new)
    assert counts == wanted.get(kind, (kind != "add", 1)), (kind, old, new)
    assert kind not in ("move", "split", "merge", "blur") or moved, (kind, old, new)
    assert kind in ("relabel", "blur", "miss", "add") or same_label, (kind, old, new)
    assert kind not in ("relabel", "blur") or not same_label, (kind, old, new)


def read(block: str) -> Doc:
    """Read one block of ``DATA``: mark the gold spans, then apply the edits to get the predictions."""
    lines = block.splitlines()
    key, markup = " ".join(line for line in lines if line[0] != "~").split(" ", 1)
    text, gold, rest = parse(markup)
    assert not rest, f"{key}: stray bracket before {rest!r}"
    edits = [line[2:].split(": ", 1) for line in lines if line[0] == "~"]
    gold += [place(text, name, "", None) for kind, name in edits if kind == "also"]
    pred = list(gold)
    for kind, edit in edits:
        if kind == "nothing":
            pred = []
        if kind in ("also", "nothing"):
            continue
        left, _, right = ("", "", edit) if kind == "add" else edit.partition(" => ")
        old = [pick(text, gold, name) for name in left.split(" + ") if name]
        if kind == "relabel":
            new = [old[0]._replace(label=right)]
        elif kind == "twice":
            new = old * 2
        else:
            label, near = (old[0].label, old[0]) if old else ("", None)
            new = [place(text, name, label, near) for name in right.split(" + ") if name]
        check(kind, old, new)
        assert kind == "twice" or not set(new) & set(gold), f"{key}: {kind} gives a gold span"
        for span in old:
            pred.remove(span)
        pred += new
    return Doc(key, text, gold, pred, Counter(kind for kind, _ in edits))


def write(side: str, docs: list[tuple[str, str, list[Span]]]) -> None:
    """Write one JSON line a document, spans in reading order and outer ones first; then check the file."""
    path = OUT / f"requirements.{side}.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for key, text, spans in docs:
            ordered = sorted(spans, key=lambda s: (s.start, -s.end, s.label))
            rows = [{**s._asdict(), "text": text[s.start : s.end]} for s in ordered]
            file.write(json.dumps({"id": key, "text": text, "spans": rows}, ensure_ascii=False) + "\n")
    for doc in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        assert 8 <= len(doc["text"].split()) <= 40, f"{doc['id']}: {len(doc['text'].split())} words"
        for span in doc["spans"]:
            assert span["label"] in LABELS, f"{doc['id']}: unknown label {span['label']!r}"
            assert 0 <= span["start"] < span["end"] <= len(doc["text"]), f"{doc['id']}: bad offsets {span}"
            assert span["text"] == doc["text"][span["start"] : span["end"]].strip(), f"{doc['id']}: {span}"


def main() -> None:
    """Write both files, check them and print a summary."""
    docs = [read(block) for block in DATA.strip().split("\n\n")]
    assert [doc.key for doc in docs] == [f"R{n:02}" for n in range(1, 51)], "ids must run from R01 to R50"
    assert all(len(set(doc.gold)) == len(doc.gold) for doc in docs), "duplicate gold span"
    OUT.mkdir(parents=True, exist_ok=True)
    write("gold", [(doc.key, doc.text, doc.gold) for doc in docs])
    write("pred", [(doc.key, doc.text, doc.pred) for doc in docs])

    gold = Counter(span.label for doc in docs for span in doc.gold)
    pred = Counter(span.label for doc in docs for span in doc.pred)
    right = sum((Counter(doc.gold) & Counter(doc.pred)).total() for doc in docs)
    print(f"{len(docs)} documents\n{'label':<16}{'gold':>6}{'share':>7}{'pred':>6}")
    for label in LABELS:
        print(f"{label:<16}{gold[label]:>6}{gold[label] / gold.total():>7.0%}{pred[label]:>6}")
    print(f"{'all':<16}{gold.total():>6}{'':>7}{pred.total():>6}")
    edits = Counter(kind for doc in docs for kind in doc.edits.elements())
    print("edits:", ", ".join(f"{kind} {count}" for kind, count in edits.most_common()))
    precision, recall = right / pred.total(), right / gold.total()
    f1 = 2 * right / (gold.total() + pred.total())
    print(f"exactly right: {right} (precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f})")
    assert 0.60 <= f1 <= 0.72, "the demo model should be neither hopeless nor perfect"


if __name__ == "__main__":
    main()
