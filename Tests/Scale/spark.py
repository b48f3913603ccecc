"""What docs/examples/scale does on a cluster, beside one lwwmerge and one deltadiff.

usage: spark.py EXAMPLES SCRATCH LINES [times]
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import time

from spark_cluster import Cluster, java_with_archive

examples, scratch, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
JOB = os.path.join(examples, "job.py")
NOW = "2030-01-01T00:00:00Z"
#: Only ends what hangs: a job that should fail after a few seconds may wait for its turn.
HANGING = 600


def path(name):
    return os.path.join(scratch, name)


def sum_of(command):
    """The SHA-256 of what a command prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        result = hashlib.file_digest(process.stdout, "sha256").hexdigest()
    assert process.returncode == 0, command
    return result


def sum_of_parts(folder):
    return sum_of(["cat", *sorted(glob.glob(os.path.join(folder, "*.jsonl")))])


def finish(job):
    output, errors = job.communicate()
    assert job.returncode == 0, (output + errors)[-4000:]
    return output


def expect_failure(job, text, into):
    """The job fails soon, says why, and leaves no folder."""
    start = time.monotonic()
    # Spark prints what a Python driver says on standard output.
    output, errors = job.communicate(timeout=HANGING)
    assert job.returncode != 0, output
    assert text in output, f"not {text!r}, but {(errors + output)[-4000:]}"
    assert not os.path.exists(into) and not glob.glob(f"{into}.*"), into
    print(f"fails after {time.monotonic() - start:.0f} s: {text}")


def make_data():
    """Two snapshots of so many lines, each cut into eight files."""
    for age in "old", "new":
        with open(path(f"{age}.jsonl"), "wb") as file:
            subprocess.run([path("generate"), "plain", age, str(lines // 2)], stdout=file, check=True)
        subprocess.run(["split", "-n", "l/8", path(f"{age}.jsonl"), path(f"{age}-")], check=True)
    return sorted(glob.glob(path("old-*"))), sorted(glob.glob(path("new-*")))


def first_part(name, job):
    """Waits for the first file of a job that is under way."""
    while not (parts := glob.glob(path(f"{name}.*/*.jsonl"))):
        assert job.poll() is None, job.communicate()[0][-4000:]
        time.sleep(0.05)
    return parts[0]


def run_out_of_worker(cluster, old, new, merged):
    """One of two workers is gone as soon as there is a part."""
    job = cluster.submit(JOB, "merge", "--into", path("killed"), *old, *new)
    first_part("killed", job)
    cluster.kill(1)
    finish(job)
    assert sum_of_parts(path("killed")) == merged
    print("a worker is killed midway: the same bytes")


def break_tools(environment):
    """Puts an lwwmerge before the real one that fails as the file `fault` says."""
    real = shutil.which("lwwmerge")
    os.makedirs(path("broken"))
    with open(path("broken/lwwmerge"), "w") as file:
        file.write(f"""#!/bin/bash
case "$(cat {path("fault")})-$1" in
  upstream-keys) "{real}" "$@" | head -c 300000; exit 1 ;;
  less--) head -n 100 | "{real}" "$@"; status=$?; cat >/dev/null; exit $status ;;
  *) exec "{real}" "$@" ;;
esac
""")
    os.chmod(path("broken/lwwmerge"), 0o755)
    set_fault("none")
    environment["PATH"] = f"{path('broken')}:{os.environ['PATH']}"


def set_fault(fault):
    with open(path("fault"), "w") as file:
        file.write(fault)


def fail(cluster, old, new):
    """A poisoned line, an input that fails, a tool that reads less than it is sent, and a part that is missing."""
    with open(path("poisoned"), "wb") as file:
        file.write(b'{"id":"1"}\n{"id":\n')
    job = cluster.submit(JOB, "merge", "--into", path("p"), path("poisoned"), *new)
    expect_failure(job, "ended with 65", path("p"))
    for fault, text in ("upstream", "ended with 1"), ("less", "and lwwmerge counts"):
        set_fault(fault)
        expect_failure(cluster.submit(JOB, "merge", "--into", path(fault), *old, *new), text, path(fault))
    set_fault("none")
    job = cluster.submit(JOB, "merge", "--into", path("lost"), *old, *new)
    os.remove(first_part("lost", job))
    expect_failure(job, "No such file", path("lost"))


def check():
    old, new = make_data()
    merged = sum_of(["lwwmerge", "--now", NOW, path("old.jsonl"), path("new.jsonl")])
    changed = sum_of(["deltadiff", "--now", NOW, path("old.jsonl"), path("new.jsonl")])
    environment = dict(os.environ)
    break_tools(environment)
    with Cluster(scratch, 2, environment) as cluster:
        print(finish(cluster.submit(JOB, "merge", "--into", path("merged"), *old, *new)).strip())
        assert sum_of_parts(path("merged")) == merged
        diff = ["diff", "--now", NOW, "--old", *old, "--new", *new]
        finish(cluster.submit(JOB, *diff, "--into", path("delta")))
        assert sum_of_parts(path("delta")) == changed
        print("two workers make what one lwwmerge and one deltadiff make")
        expect_failure(cluster.submit(JOB, *diff, "--into", path("d"), "--max-delete", "5"), "deletions in all", path("d"))
        fail(cluster, old, new)
        run_out_of_worker(cluster, old, new, merged)


def measure():
    """Prints how long a merge takes with one worker and with two, in turn, and with one lwwmerge of as many threads."""
    old, new = make_data()
    with open(path("few"), "wb") as file:
        subprocess.run(["head", "-n", "1000", old[0]], stdout=file, check=True)
    java = java_with_archive(scratch, os.environ, JOB, "merge", "--into", path("archived"), path("few"))
    for turn in range(3):
        for workers in 1, 2:
            start = time.monotonic()
            one = sum_of(["lwwmerge", "--threads", str(workers), *old, *new])
            print(f"lwwmerge --threads {workers}: {time.monotonic() - start:.1f} s, load {os.getloadavg()[0]:.1f}")
            with Cluster(scratch, workers, os.environ, java) as cluster:
                start = time.monotonic()
                finish(cluster.submit(JOB, "merge", "--into", path("timed"), *old, *new))
                print(f"{workers} workers: {time.monotonic() - start:.1f} s, load {os.getloadavg()[0]:.1f}")
            assert sum_of_parts(path("timed")) == one
            subprocess.run(["rm", "-r", path("timed")], check=True)


if __name__ == "__main__":
    if sys.argv[4] == "times":
        measure()
    else:
        check()
