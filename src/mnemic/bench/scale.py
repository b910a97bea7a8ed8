"""Speed and memory at a given size, as ratios to the bare minimum, all in one run on one machine."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from mnemic.app import STATE_FOLDER
from mnemic.bench import floors, processes, timing
from mnemic.bench.bundles import LEXICAL_ONLY
from mnemic.bench.corpus import Corpus, write_chat, write_memories
from mnemic.bench.import_memory import fill_with_random_vectors
from mnemic.bench.protocol import DEFAULT_SEED, Omitted, Protocol, Report
from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.drafts import Draft
from mnemic.domain.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mnemic.app import App
    from mnemic.bench.bundles import Workshop
    from mnemic.bench.timing import Times
    from mnemic.ports import Progress

PARTS = ("recall", "process", "open", "write", "rebuild", "import")
_WARM_UP = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured.

    Attributes:
        n: Memories in the bundle, or turns when `turns` is set.
        turns: A bundle of conversations in place of memories.
        random_vectors: Vectors by lot in place of those a model makes of each text. Queries are embedded all the same.
        queries: Different queries of the warm recall.
        rounds: Runs of everything else.
        import_turns: Turns of the import whose memory is measured.
        parts: Some of `PARTS`; measured in the order of `PARTS`, because the later ones change the bundle.
    """

    n: int
    turns: bool = False
    random_vectors: bool = False
    queries: int = 60
    rounds: int = 15
    import_turns: int = 100_000
    parts: tuple[str, ...] = PARTS
    seed: int = DEFAULT_SEED


@dataclass(frozen=True, slots=True)
class _Site:
    """A built bundle and what is asked of it."""

    folder: Path
    app: App
    workshop: Workshop
    plan: Plan
    queries: tuple[str, ...]

    @property
    def index(self) -> floors.BareIndex:
        return floors.BareIndex(self.folder / STATE_FOLDER / "index.db")

    @property
    def lot(self) -> Random:
        return Random(self.plan.seed)  # noqa: S311 - an order, no secret

    def query(self, number: int) -> str:
        return self.queries[number % len(self.queries)]


def measure(plan: Plan, workshop: Workshop, progress: Progress | None = None) -> Report:
    """Build a bundle by lot and measure the parts of the plan, one after the other."""
    figures: dict[str, object] = {}
    left_out: list[Omitted] = []
    with workshop.folder() as folder:
        if set(plan.parts) - {"import"}:
            figures |= _of_a_site(_built(folder / "bundle", plan, workshop, progress), progress)
        if "import" in plan.parts and find_spec("resource"):
            figures["import"] = _import(folder, plan, workshop)
        elif "import" in plan.parts:
            left_out.append(Omitted("import: this system does not tell the peak of memory", 1))
    return Report(figures, _protocol(plan, workshop, left_out))


def _of_a_site(site: _Site, progress: Progress | None) -> dict[str, object]:
    with site.app.bundle.index.reading() as index:
        counts = index.counts()
    figures: dict[str, object] = {
        "size": {
            "documents": counts.documents, "entries": counts.entries, "passages": counts.passages,
            "vectors": counts.vectors,
        }
    }  # fmt: skip
    chosen = [part for part in _MEASURES if part in site.plan.parts]
    for number, part in enumerate(chosen, 1):
        figures[part] = _MEASURES[part](site)
        if progress is not None:
            progress(number, len(chosen), f"measuring (done: {part})")
    return figures


def _built(folder: Path, plan: Plan, workshop: Workshop, progress: Progress | None) -> _Site:
    app = workshop.new(folder)
    lot = Random(plan.seed)  # noqa: S311
    if plan.turns:
        source = folder.with_suffix(".jsonl")
        texts = _sampled(write_chat(source, plan.n, plan.seed), plan.n, plan.queries, lot)
        app.import_sessions(source, format_="chat", embed=False, progress=progress)
    else:
        texts = _sampled(write_memories(folder, plan.n, plan.seed), plan.n, plan.queries, lot)
        app.check(repair=True)  # the generated parts, as they stand in a bundle that was written to
    app.reindex(embed=not plan.random_vectors, progress=progress)
    if plan.random_vectors:
        for embedder in app.engines().embedders:
            fill_with_random_vectors(app.bundle, embedder.space, plan.seed)
    corpus = Corpus(plan.seed + 1)
    # From here on the models themselves: what is kept between runs would make a query look cheaper than it is.
    timed = workshop.open(folder, kept_vectors=False)
    return _Site(folder, timed, workshop, plan, tuple(map(corpus.query, texts)))


def _sampled(texts: Iterator[str], count: int, wanted: int, lot: Random) -> list[str]:
    chosen = set(lot.sample(range(count), min(count, wanted)))
    return [text for number, text in enumerate(texts) if number in chosen]


# -- the parts ---------------------------------------------------------------------------------------------------


def _recall(site: _Site) -> dict[str, object]:
    """Warm recall beside its floor: embed the query, ask FTS5, multiply the matrix."""
    embedders = site.app.engines().embedders
    matrices = [site.index.matrix(embedder.space) for embedder in embedders]
    vectors = [embedder.embed_queries(list(site.queries)) for embedder in embedders]
    terms = [floors.terms_of(query) for query in site.queries]
    with site.app.bundle.index.reading() as index:
        passages = index.counts().passages
        rare = [floors.pruned(index.document_frequency(listed), passages) for listed in terms]
    with closing(site.index.connect()) as db:
        actions: dict[str, Callable[[int], object]] = {
            "recall": lambda number: site.app.recall(site.queries[number]),
            # The same words in another order cost the same, and no cache has seen them.
            "embed": lambda number: [embedder.embed_queries([_turned(site.queries[number])]) for embedder in embedders],
            "full_text": lambda number: floors.full_text(db, terms[number]),
            "full_text_pruned": lambda number: floors.full_text(db, rare[number]),
            "matrix": lambda number: [matrix @ rows[number] for matrix, rows in zip(matrices, vectors, strict=True)],
        }
        for number in range(min(_WARM_UP, len(site.queries))):
            for action in actions.values():
                action(number)
        # Fresh queries: the warm-up has left its own in the caches.
        taken = timing.alternated(len(site.queries) - _WARM_UP, _later(actions), site.lot)
    floor = timing.total([taken["embed"], taken["full_text"], taken["matrix"]])
    pruned = timing.total([taken["embed"], taken["full_text_pruned"], taken["matrix"]])
    return {
        **_spread(taken["recall"]),
        "floor_p50_ms": timing.milliseconds(floor.p50),
        "ratio": timing.ratio(taken["recall"], floor),
        "floor_pruned_p50_ms": timing.milliseconds(pruned.p50),
        "ratio_pruned": timing.ratio(taken["recall"], pruned),
        "floor_parts_p50_ms": {
            name: timing.milliseconds(times.p50) for name, times in taken.items() if name != "recall"
        },
    }


def _later(actions: dict[str, Callable[[int], object]]) -> dict[str, Callable[[int], object]]:
    def moved(action: Callable[[int], object]) -> Callable[[int], object]:
        return lambda number: action(number + _WARM_UP)

    return {name: moved(action) for name, action in actions.items()}


def _turned(query: str) -> str:
    words = query.split()
    return " ".join(reversed(words)) if len(words) > 1 else query[::-1]


def _process(site: _Site) -> dict[str, object]:
    """Whole processes beside an interpreter that does nothing."""
    base = [*processes.program(), "--bundle", str(site.folder)]
    given = [word for override in site.workshop.overrides for word in ("--set", override)]
    actions: dict[str, Callable[[int], object]] = {
        "python": lambda _: processes.run(processes.nothing()),
        "lexical": lambda number: processes.run([*base, "--set", LEXICAL_ONLY, "recall", site.query(number)]),
    }
    if site.workshop.spaces and site.workshop.given is None:
        actions["embedders"] = lambda number: processes.run([*base, *given, "recall", site.query(number)])
    for action in actions.values():
        action(0)
    taken = timing.alternated(site.plan.rounds, actions, site.lot)
    figures: dict[str, object] = {"python_p50_ms": timing.milliseconds(taken["python"].p50)}
    for name in islice(actions, 1, None):
        figures[name] = {**_spread(taken[name]), "ratio": timing.ratio(taken[name], taken["python"])}
    return figures


def _open(site: _Site) -> dict[str, object]:
    """Opening the unchanged bundle and answering by words, beside a scan of it and one bare query."""
    lexical = site.workshop.lexical()

    def opened(number: int) -> None:
        lexical.open(site.folder).recall(site.query(number))

    def bare(number: int) -> None:
        floors.scanned(str(site.folder))
        with closing(site.index.connect()) as db:
            floors.full_text(db, floors.terms_of(site.query(number)))

    opened(0)
    taken = timing.alternated(site.plan.rounds, {"open": opened, "bare": bare}, site.lot)
    return _beside(taken["open"], taken["bare"])


def _write(site: _Site) -> dict[str, object]:
    """One memory through the store's write path, and through the whole service, beside a durable write of one file."""
    corpus = Corpus(site.plan.seed + 2)
    bodies = iter([corpus.body() for _ in range(3 * site.plan.rounds + 3)])
    folder = site.folder / STATE_FOLDER / "bench"
    folder.mkdir()
    bundle = site.app.bundle

    def write(_: int) -> None:
        body = next(bodies)
        now = bundle.clock.now()
        memory = Memory(
            uid=bundle.ids.new(),
            id=bundle.store.propose_id("note", body[:60]),
            kind="note",
            title=body[:60],
            body=body,
            recorded_at=now,
            changed_at=now,
        )
        bundle.store.apply(ChangeSet(puts=(Put(memory),)))

    def remember(_: int) -> None:
        site.app.remember(Draft(body=next(bodies)))

    def bare(number: int) -> None:
        floors.durable_write(folder / f"{number}.md", next(bodies))

    remember(0)
    write(0)
    taken = timing.alternated(site.plan.rounds, {"write": write, "remember": remember, "bare": bare}, site.lot)
    return {**_beside(taken["write"], taken["bare"]), "remember": _beside(taken["remember"], taken["bare"])}


def _rebuild(site: _Site) -> dict[str, object]:
    """The index from nothing, without vectors."""
    taken = timing.alternated(1, {"rebuild": lambda _: site.app.reindex(rebuild=True, embed=False)}, site.lot)
    return {"seconds": round(taken["rebuild"].p50, 2)}


def _import(folder: Path, plan: Plan, workshop: Workshop) -> dict[str, object]:
    """The peak of a process that imports conversations."""
    source = folder / "talks.jsonl"
    for _ in write_chat(source, plan.import_turns, plan.seed):
        pass
    bundle = folder / "import"
    workshop.new(bundle)
    dims = [embedder.space.dim for embedder in workshop.engines.embedders]
    return dict(processes.measured_import(bundle, source, dims))


_MEASURES: dict[str, Callable[[_Site], dict[str, object]]] = {
    "recall": _recall,
    "process": _process,
    "open": _open,
    "write": _write,  # from here on the bundle changes
    "rebuild": _rebuild,
}


def _spread(times: Times) -> dict[str, float]:
    return {"p50_ms": timing.milliseconds(times.p50), "p95_ms": timing.milliseconds(times.p95)}


def _beside(times: Times, floor: Times) -> dict[str, object]:
    return {
        **_spread(times),
        "floor_p50_ms": timing.milliseconds(floor.p50),
        "ratio": timing.ratio(times, floor),
    }


def _protocol(plan: Plan, workshop: Workshop, left_out: Sequence[Omitted]) -> Protocol:
    vectors = "by lot" if plan.random_vectors else "of the texts"
    return Protocol(
        command="scale",
        units={
            "p50_ms, p95_ms": "milliseconds; of runs that alternate with those of the floor in a random order",
            "ratio": "median of the thing over median of its floor",
            "recall floor": "query embedded by every embedder + one FTS5 query with all its words but stop words "
            "+ one float32 matrix product a space; pruned: FTS5 with the rarest words only",
            "process floor": "the same interpreter with -c pass",
            "open floor": "os.scandir and stat of every file + one FTS5 query on a new connection, by words",
            "write": "the store's write path: lock, plan, file, read back, generated parts; remember: the service, "
            "with the look for external edits, duplicates and contradictions before and the index after",
            "write floor": "temporary file, fsync, rename, fsync of the folder",
            "import": "MB above the peak before it; words alone, then with random vectors of every space",
        },
        n=plan.n,
        left_out=tuple(left_out),
        spaces=workshop.spaces,
        missing=workshop.engines.missing,
        settings=workshop.settings,
        seed=plan.seed,
        notes=(
            (
                f"a bundle of {plan.n:,} {'turns' if plan.turns else 'memories of about four passages'} made by lot, "
                f"vectors {vectors}"
            ),
            f"{plan.queries} different queries, {_WARM_UP} of them to warm up; {plan.rounds} rounds of all else",
            "child processes run without PYTHONDONTWRITEBYTECODE, as a user's would",
        ),
    )
