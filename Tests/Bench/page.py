"""The measured part of docs/performance.md: on what machine, with what versions, when, and the tables."""

import os
import platform
import re
import time
from pathlib import Path

from setting import count_named, said

BEGIN, END = "<!-- measured -->", "<!-- end -->"


def facts(setting):
    """Lines that say where a run took place; no names of hosts or folders."""
    return [
        f"- {time.strftime('%Y-%m-%d', time.gmtime())}, medians of {setting.pairs} alternating rounds, of {setting.few} where a round takes long",
        f"- {count_named(setting.records)} records of about 270 bytes by default",
        f"- {processor()}, {os.cpu_count()} cores, {memory_size()} GiB of memory, {kernel()}",
        f"- {', '.join(versions(setting))}",
    ]


def processor():
    try:
        names = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        return names[0] if names else platform.machine()
    except FileNotFoundError:
        return said(["sysctl", "-n", "machdep.cpu.brand_string"])


def memory_size():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30))


def kernel():
    """The system and its version; what a vendor has put behind the number says nothing to a reader."""
    number = re.match(r"[0-9.]*[0-9]", platform.release())
    return f"{platform.system()} {number.group() if number else platform.release()}"


def versions(setting):
    """The tools and everything they are measured against."""
    modules = "import duckdb, orjson; print(f'DuckDB {duckdb.__version__}, orjson {orjson.__version__}')"
    return [
        said(setting.tool("lwwmerge", "--version")),
        said([str(setting.yardsticks / "python" / "bin" / "python"), "-c", modules]),
        f"Python {platform.python_version()}",
        f"yyjson {said(setting.yyjson('--version'))}",
        said(["jq", "--version"]),
        f"SQLite {said(['sqlite3', '--version']).split()[0]}",
        coreutils(),
    ]


def coreutils():
    name = said(["sh", "-c", "cat --version 2>/dev/null | sed -n '1s/^cat (GNU coreutils)/coreutils/p'"])
    return name or "cat of the system"


def write(document, facts, tables):
    """Replaces what stands between the markers."""
    before, _, rest = document.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = ["\n".join(facts), *(table.markdown() for table in tables)]
    document.write_text(f"{before}{BEGIN}\n\n" + "\n\n".join(parts) + f"\n\n{END}{after}")


def replace(document, tables):
    """Replaces single tables of the measured part, and says of each that it was measured by itself."""
    before, _, rest = document.read_text().partition(BEGIN)
    measured, _, after = rest.partition(END)
    sections = re.split(r"(?m)^(?=### )", measured)
    day = time.strftime("%Y-%m-%d", time.gmtime())
    for table in tables:
        text = f"{table.markdown()}\n\nMeasured in a separate run on {day}.\n\n"
        places = [i for i, section in enumerate(sections) if section.startswith(f"### {table.title}\n")]
        if places:
            sections[places[0]] = text
        else:
            sections.append(text)
    document.write_text(before + BEGIN + "".join(sections) + END + after)
