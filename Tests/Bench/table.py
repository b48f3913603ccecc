"""Tables: a line on the terminal as soon as it is known, and the same lines for the document."""

from measure import median, median_ratio


def seconds(value):
    return f"{value * 1000:.2f} ms" if value < 0.1 else f"{value:.3f} s"


def mebibytes(value):
    return f"{value / 1048576:.1f} MiB"


def verdict(value, bar):
    return "holds" if value <= bar else "MISSED"


class Table:
    """A Markdown table with columns of fixed width; the first is text, the others are aligned to the right."""

    def __init__(self, title, columns, note=""):
        """Columns are pairs of a heading and a width."""
        self.title = title
        self.note = note
        self.widths = [width for _, width in columns]
        self.lines = []
        self.missed = 0
        print(f"\n{title}\n", flush=True)
        self.row(*[heading for heading, _ in columns])
        first, *others = self.widths
        self._line(["-" * first] + ["-" * (width - 1) + ":" for width in others])

    def row(self, *cells):
        padded = [
            str(cell).ljust(width) if index == 0 else str(cell).rjust(width)
            for index, (cell, width) in enumerate(zip(cells, self.widths))
        ]
        self.missed += cells[-1] == "MISSED"
        self._line(padded)

    def markdown(self):
        parts = [f"### {self.title}", "\n".join(self.lines)]
        return "\n\n".join(parts + ([self.note] if self.note else []))

    def _line(self, cells):
        line = "| " + " | ".join(cells) + " |"
        self.lines.append(line)
        print(line, flush=True)


class BarTable(Table):
    """Our figure, theirs, their ratio, the bar it has to stay below, and whether it does."""

    def __init__(self, title, note=""):
        columns = [("work", 66), ("ours", 10), ("theirs", 10), ("ratio", 6), ("bar", 8), ("", 6)]
        super().__init__(title, columns, note)

    def compare(self, what, ours, theirs, bar=None, of="wall"):
        """Adds the medians of two lists of runs taken in turn; a row without a bar is there to be read."""
        ratio = median_ratio(ours, theirs, of)
        bars = ("", "") if bar is None else (f"{bar:.2f}", verdict(ratio, bar))
        self.row(what, seconds(median(ours, of)), seconds(median(theirs, of)), f"{ratio:.3f}", *bars)

    def limit(self, what, value, bar, shown):
        """Adds a figure with a bar of its own unit."""
        self.row(what, shown(value), "", "", shown(bar), verdict(value, bar))

    def absent(self, what, why):
        self.row(what, "", "", "", "", why)
