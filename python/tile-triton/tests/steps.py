"""A pytest plugin for long runs: $STEPS_LOG keeps what each test came to, a line each. Tests that are in it are
left out, so that a run goes on where the last one ended; one that ended the process is in it as `crashed`.
$STEPS_EVERY=N[:K] takes the Kth Nth of the tests (K from 0), chosen by their names, the same each time.

    python steps.py LOG        prints a table of what is in it, a row a file"""
import collections
import os
import sys
import zlib

WORDS = ("passed", "failed", "crashed", "skipped", "xfailed")


def read(path):
    """What each test came to, and the one that has not ended."""
    done, started = {}, None
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                word, test, *_ = line.rstrip("\n").split("\t")
                started = test if word == "start" else None
                if word != "start":
                    done[test] = word
    return done, started


def note(*fields):
    with open(os.environ["STEPS_LOG"], "a") as file:
        file.write("\t".join(fields) + "\n")


def pytest_collection_modifyitems(config, items):
    done, started = read(os.environ["STEPS_LOG"])
    if started:
        note("crashed", started)
        done[started] = "crashed"
    every, _, first = os.environ.get("STEPS_EVERY", "1").partition(":")
    items[:] = [item for item in items if item.nodeid not in done and
                zlib.crc32(item.nodeid.encode()) % int(every) == int(first or 0)]


def pytest_runtest_logstart(nodeid, location):
    note("start", nodeid)


_reports = {}


def _reason(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    return " ".join(str(text).split())[:400]


def pytest_runtest_logreport(report):
    if report.failed:
        _reports[report.nodeid] = ("failed", _reason(report))
    elif report.skipped and report.nodeid not in _reports:
        _reports[report.nodeid] = ("xfailed" if hasattr(report, "wasxfail") else "skipped", _reason(report))
    if report.when == "teardown":
        word, why = _reports.pop(report.nodeid, ("passed", ""))
        note(word, report.nodeid, why)


def main(path):
    counts = collections.defaultdict(collections.Counter)
    for test, word in read(path)[0].items():
        counts[test.split("::")[0].split("/")[-1]][word] += 1
    print("| file |", " | ".join(WORDS), "|")
    print("| --- |", " | ".join("---" for _ in WORDS), "|")
    for file, row in sorted(counts.items()):
        print(f"| {file} |", " | ".join(str(row[word]) for word in WORDS), "|")


if __name__ == "__main__":
    main(sys.argv[1])
