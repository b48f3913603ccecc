"""Merging and comparing two snapshots, beside what a database and a script make of the same files."""

from measure import commands_in_turn, median
from setting import check_counts, count_named, lines_of, said
from table import BarTable

NOTE = """\
A and B are two snapshots of {count} records each. In B 10 % are changed, 2 % are missing, 3 % are new, and the order is
different. All programs read the files and write to `/dev/null`, and are measured as whole processes. DuckDB and the tools
have 2 threads. Neither DuckDB nor the script orders its output; ours is in key order. DuckDB's typed query returns the
fields of the winner, and its other query returns the whole line, as ours does. The faster of the two counts for the bar. In
the join, typed columns are compared by value, as in our tools; with the fields as text, a different spelling is a
difference. Records made elsewhere have one of four entities in `entity` and a UUID in `id`, which `--key`, `--entity` and
`--clock` name."""


def tables(setting):
    table = BarTable("Merging and comparing", NOTE.format(count=count_named(setting.records)))
    old, new = setting.pair("plain", setting.records)
    add_merge(setting, table, old, new)
    add_diff(setting, table, old, new)
    add_foreign(setting, table, *setting.pair("foreign", setting.records))
    add_variants(setting, table, old, new)
    return [table]


def add_merge(setting, table, old, new):
    ours = setting.with_threads("lwwmerge", old, new)
    script = setting.orjson(old, new)
    queries = [setting.duckdb(name, old, new) for name in ("merge-typed", "merge-lines")]
    check_counts("merge", [lines_of(ours), lines_of(script), *(int(said(query)) for query in queries)])

    ours, script, typed, lines = commands_in_turn([ours, script, *queries], setting.pairs)
    named = [("typed columns", typed), ("whole lines", lines)]
    (fast, faster), (slow, slower) = sorted(named, key=lambda one: median(one[1]))
    table.compare(f"`lwwmerge A B` : DuckDB `arg_max`, {fast} (the faster)", ours, faster, 0.22)
    table.compare(f"`lwwmerge A B` : DuckDB `arg_max`, {slow}", ours, slower)
    table.compare("`lwwmerge A B` : Python with orjson and a dict", ours, script)


def add_diff(setting, table, old, new):
    ours = setting.with_threads("deltadiff", old, new)
    queries = [setting.duckdb(name, old, new) for name in ("diff-typed", "diff-text")]
    check_counts("diff", [lines_of(ours), *(int(said(query)) for query in queries)])

    ours, typed, text = commands_in_turn([ours, *queries], setting.pairs)
    table.compare("`deltadiff A B` : DuckDB full outer join, typed columns", ours, typed, 0.35)
    table.compare("`deltadiff A B` : DuckDB full outer join, fields as text", ours, text)


def add_foreign(setting, table, old, new):
    """Records that were made elsewhere, of four entities, with UUIDs as keys."""
    rows = [
        ("lwwmerge", "merge-foreign", "DuckDB `arg_max`", 0.22), ("deltadiff", "diff-foreign", "DuckDB full join", 0.35)]
    for tool, query, theirs, bar in rows:
        commands = [setting.with_threads(tool, *setting.FOREIGN, old, new), setting.duckdb(query, old, new)]
        check_counts(query, [lines_of(commands[0]), int(said(commands[1]))])
        taken = commands_in_turn(commands, setting.pairs)
        table.compare(f"`{tool} --key …`, made elsewhere : {theirs}", *taken, bar)


def add_variants(setting, table, old, new):
    """What threads and mapped input bring, beside the way the rows above went."""
    for name in "lwwmerge", "deltadiff":
        usual = setting.with_threads(name, old, new)
        if setting.has(name, "--threads"):
            single = setting.with_threads(name, old, new, threads=1)
            add_variant(setting, table, f"`{name} --threads 1 A B` : with 2", single, usual)
        if setting.has(name, "--no-mmap"):
            unmapped = setting.with_threads(name, "--no-mmap", old, new)
            add_variant(setting, table, f"`{name} --no-mmap A B` : without", unmapped, usual)


def add_variant(setting, table, what, command, usual):
    ours, theirs = commands_in_turn([command, usual], setting.few)
    table.compare(what, ours, theirs)
