"""What all measurements share: sizes, where programs and data are, and what the tools of this build can do."""

import functools
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from measure import Failure


@dataclass(frozen=True)
class Setting:
    tools: Path
    yardsticks: Path
    work: Path
    quick: bool
    pairs: int

    @property
    def records(self):
        """Records of the file that most rows are measured with."""
        return 100_000 if self.quick else 1_000_000

    @property
    def few(self):
        """Rounds of a measurement that takes long."""
        return int(os.environ.get("FEW") or min(self.pairs, 2 if self.quick else 3))

    def tool(self, name, *words):
        """The command of a tool, or of a subcommand: `deltadiff stat`."""
        program, *subcommand = name.split()
        return [str(self.tools / program), *subcommand, *map(str, words)]

    def duckdb(self, *words):
        return self._python("duckdb_query.py", *words)

    def orjson(self, *words):
        return self._python("orjson_merge.py", *words)

    def yyjson(self, *words):
        return [str(self.yardsticks / "yyjson_lines"), *map(str, words)]

    def data(self, kind, snapshot, count):
        """A file of so many records, made when it is first asked for."""
        path = self.work / f"{kind}-{snapshot}-{count}.jsonl"
        if not path.exists():
            with open(path, "wb") as output:
                subprocess.run(
                    [self.yardsticks / "generate", kind, snapshot, str(count)], stdout=output, check=True)
        return path

    def pair(self, kind, count):
        return [self.data(kind, "old", count), self.data(kind, "new", count)]

    def with_threads(self, name, *words, threads=2):
        """A tool on as many threads as DuckDB, where it has threads."""
        limit = ["--threads", threads] if self.has(name, "--threads") else []
        return self.tool(name, *limit, *words)

    # How the tools read records of the kind `foreign`.
    FOREIGN = ("--key", "/id", "--entity", "/entity", "--clock", "/modifiedAt")

    def has(self, name, option):
        return option in _help(*self.tool(name, "--help"))

    def _python(self, script, *words):
        python = self.yardsticks / "python" / "bin" / "python"
        return [str(python), str(Path(__file__).parent / script), *map(str, words)]


@functools.cache
def _help(*command):
    return said(command).split()


def said(command):
    """The output of a short command, without the last line feed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def lines_of(command):
    """How many lines a command writes."""
    return int(said(["sh", "-c", '"$@" | wc -l', "sh", *command]))


def check_counts(what, counts):
    """Ends the run where two programs did not do the same work, since their times say nothing then."""
    if len(set(counts)) != 1:
        raise Failure(f"{what}: the programs do not agree on the number of lines: {counts}")


def count_named(count):
    """100000 as 100 k."""
    return f"{count // 1_000_000} M" if count % 1_000_000 == 0 else f"{count // 1000} k"
