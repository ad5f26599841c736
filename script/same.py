"""script/same.py: do two builds of Warren give the same results for the same seeds?

script/same runs this. Every test program of both builds runs with the same seeds and options; the
reports are read as JSON, cleaned of times, wording and places, and compared line by line.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

SEEDS = 200
TIMEOUT = 300  # seconds that one run may take

ABOUT = """\
Runs the same test programs of two builds with the same seeds, and compares their reports: cases,
discards, executions, values, tokens, statuses, rules, labels and tables must be the same. It
prints a row for each program, shows the first differences, and returns 1 if there is one. Both
builds have the same preset (release) and compiler, and all their programs are built.
"""
MORE = """\
seeds      Each program runs with the seeds 1 to N, divided by its share in the script's table:
           slow programs get fewer. A program's seeds are dealt out to its variants in turn
           (--bugs many, --explore guide, --jobs 2 and so on; --verbose names them).
left out   Times, warnings, messages other than an assertion's text, folders, line numbers, the
           numbers of stored bugs (bug_0123456789abcdef: they are made of line numbers). Machines
           with --bugs many under guide and enumerate. The script names the properties that no
           two runs report alike (SKIPPED), and says why.
kept       --keep FILE remembers what OLD_BUILD reported, by the contents of its programs. The
           next comparison with the same file runs NEW_BUILD alone.
"""

# ---- Programs: their folder, what they have, and the share of the seeds that they get ----

Program = collections.namedtuple("Program", "path has share")
PROGRAMS = [
    Program("examples/reverse", "values", 1),
    Program("examples/sort", "values", 1),
    Program("examples/parser", "values", 1),
    Program("examples/map", "values", 1),
    Program("examples/codec", "values", 1),
    Program("examples/cursor", "machines", 1),
    Program("tests/behave", "values", 20),
    Program("tests/misbehave", "values", 10),
    Program("tests/observed", "values", 10),
    Program("tests/promising", "values", 4),
    Program("tests/lazy_data", "values trees", 4),
    Program("tests/redrawn", "values trees", 4),
    Program("tests/walked", "values trees", 4),
    Program("tests/guided_properties", "values", 1),
    Program("tests/guided_comparisons", "values", 1),
    Program("tests/signals_program_shared", "values", 4),
    Program("tests/signals_program_static", "values", 4),
    Program("tests/machines", "machines", 4),
    Program("tests/machines_coupled", "machines", 4),
    Program("tests/machines_misused", "machines", 8),
    Program("bench/challenges", "values", 4),
    Program("bench/labelled", "values", 4),
    Program("bench/calls", "machines", 4),
    Program("bench/subject", "values", 4),
    Program("studies/lmdb/lmdb_machine", "machines", 4),
    Program("studies/guided/guided_labels", "values", 2),
    Program("studies/guided/guided_signals", "values", 2),
    Program("studies/guided/guided_others_labels", "values", 2),
    Program("studies/guided/guided_others_signals", "values", 2),
    Program("studies/registry/registry_machines", "machines", 2),
    Program("studies/registry/registry_chains", "machines", 2),
    Program("studies/canstack/canstack_machine", "machines", 6),
    Program("studies/contracts/contracts_machine", "machines", 2),
    Program("studies/contracts/contracts_repaired", "machines", 4),
    Program("studies/etna/etna_bst", "values trees", 20),
    Program("studies/etna/etna_rbt", "values trees", 8),
    Program("studies/etna/etna_stlc", "values trees", 10),
    Program("studies/systemf/systemf_properties", "values trees", 20),
    Program("studies/lambda/lambda_properties", "values trees", 4),
]

# ---- Variants: for programs that have one of these, and the options ----

VARIANTS = [
    ("one worker", "values machines", "--jobs 1"),
    ("two workers", "values machines", "--jobs 2"),
    ("many", "values machines", "--jobs 1 --bugs many"),
    ("many, two workers", "values machines", "--jobs 2 --bugs many"),
    ("guide", "values machines", "--jobs 1 --explore guide --cases 500"),
    ("guide, two workers", "values machines", "--jobs 2 --explore guide --cases 500"),
    ("guide, many", "values", "--jobs 1 --explore guide --bugs many"),
    ("enumerate", "values machines", "--jobs 1 --explore enumerate --size 6"),
    ("enumerate, two workers", "values machines",
     "--jobs 2 --explore enumerate --size 6 --at-once"),
    ("enumerate, many", "values", "--jobs 1 --explore enumerate --size 5 --bugs many"),
    ("enumerate, depth", "values machines", "--jobs 1 --explore enumerate --depth 3"),
    ("enumerate, exactly", "trees", "--jobs 1 --explore enumerate --size 5 --exactly"),
    ("top-down", "values machines", "--jobs 1 --shrink top-down"),
    ("not shrunk", "values machines", "--jobs 1 --shrink off"),
    ("until stable", "values machines", "--jobs 1 --until-stable"),
    ("a process a case", "values machines", "--jobs 1 --fork-each --cases 20"),
    ("skewed", "trees", "--jobs 1 --redraw skewed"),
    ("not redrawn", "trees", "--jobs 1 --redraw off"),
    ("smaller", "trees", "--jobs 1 --size 10"),
    ("feedback", "machines", "--jobs 1 --explore feedback"),
    ("feedback, two workers", "machines", "--jobs 2 --explore feedback"),
    ("feedback, many", "machines", "--jobs 1 --explore feedback --bugs many"),
    ("calls", "machines", "--jobs 1 --calls 10"),
    ("mean calls", "machines", "--jobs 1 --mean-calls 8 --bugs many"),
    ("patterns of objects", "machines", "--jobs 1 --patterns objects --bugs many"),
    ("patterns of names", "machines", "--jobs 1 --patterns names --bugs many"),
    ("no patterns", "machines", "--jobs 1 --patterns off --bugs many"),
    ("orders beside", "machines", "--jobs 1 --order beside --bugs many"),
    ("orders as they are", "machines", "--jobs 1 --order as-is --bugs many"),
    ("values together", "machines", "--jobs 1 --values together --bugs many"),
    ("no guards", "machines", "--jobs 1 --guards off --bugs many"),
    ("run twice", "machines", "--jobs 1 --results off --bugs many"),
]
COMMON = "--format json --no-store --color never --cases 100".split()

# ---- Properties that are left out: two runs of one build do not report the same ----

DEADLINE = "it ends at a deadline"
HEAP = "the C library's complaint depends on the heap"
SKIPPED = {
    "misbehave": {
        "endless_loop": DEADLINE,
        "endless_sleep": DEADLINE,
        "stops_itself": DEADLINE,
        "slow": DEADLINE,
        "long_case": DEADLINE,
        "long_shrink": DEADLINE,
        "eats_memory": "it ends when the memory does",
        "leaves_children": "it ends when they do",
        "draws_too_much": "it takes minutes",
        "kills_its_parent": "the other worker's cases die, too, or they do not",
        "frees_twice": HEAP,
        "corrupts_the_heap": HEAP,
    },
    "behave": {
        "fails_with_long_arrays": "21 MB of values a report",
        "fails_with_many_choices": "1 MB of values a report",
    },
    "walked": {"hangs_at_five": DEADLINE},
    "observed": {"violates_and_hangs": DEADLINE},
    "guided_properties": {"hangs": DEADLINE},
}


# ---- Reports, cleaned ----

# Members that hold times, wording or places. `replay` begins with the program's path.
LEFT_OUT = {"seconds", "warnings", "why", "flaky_why", "stored", "workers"}
STORED_BUG = re.compile(r"bug_[0-9a-f]{16}")
PLACE = re.compile(r"(\.[ch]):\d+(?::\d+)?")
PROCESS = re.compile(r"==\d+==")
ABSOLUTE = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+")


class Cleaner:
    """Reports without the members and the texts that may differ."""

    def __init__(self, left_out, lines):
        self.left_out = left_out
        self.lines = lines

    def name(self):
        return " ".join([*sorted(self.left_out), "lines" if self.lines else ""])

    def text(self, text):
        text = STORED_BUG.sub("bug_", text)
        text = PROCESS.sub("==", text)
        text = ABSOLUTE.sub("", text)
        return text if self.lines else PLACE.sub(r"\1", text)

    def message(self, of):
        """An assertion's own text, whatever stands before it and however it is spaced."""
        if of.get("kind") != "assertion":
            return None
        return "".join(self.text(of["message"].partition(": ")[2]).split())

    def member(self, of, name):
        if name == "file":
            return os.path.basename(of[name])
        if name == "message":
            return self.message(of)
        if name == "replay":
            return of[name].partition(" ")[2]
        return self.clean(of[name])

    def keeps(self, name):
        return name not in self.left_out and (self.lines or name != "line")

    def clean(self, value):
        if isinstance(value, dict):
            return {name: self.member(value, name) for name in value if self.keeps(name)}
        if isinstance(value, list):
            return [self.clean(each) for each in value]
        return self.text(value) if isinstance(value, str) else value

    def line(self, text):
        """A line of a report; the first member names its property."""
        try:
            return self.clean(json.loads(text))
        except ValueError:
            return {"property": "(not JSON)", "text": self.text(text)}


def differences(old, new, where=""):
    """Yields (where, old, new) for whatever is not the same in two values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in list(old) + [name for name in new if name not in old]:
            inside = f"{where}.{name}" if where else name
            yield from differences(old.get(name), new.get(name), inside)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{where}[{i}]")
    elif old != new:
        yield where, old, new


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:160] + "..."


# ---- Runs ----

Report = collections.namedtuple("Report", "lines status")  # by property, and the exit status


def digest_of(report):
    text = json.dumps([report.lines, report.status], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def execute(command, folder):
    """What a command prints and returns, in a folder of its own; a signal is a status below 0."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("WARREN")}
    with tempfile.TemporaryDirectory(dir=folder) as own:
        environment["TMPDIR"] = own
        try:
            done = subprocess.run(command, cwd=own, env=environment, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return b"", f"not done after {TIMEOUT} seconds"
    return done.stdout, done.returncode


class Kept:
    """Digests of what the old build reported, in a file that only grows."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.digests = {}
        if path and os.path.exists(path):
            with open(path, encoding="ascii") as file:
                self.digests = dict(line.split() for line in file if line.count(" ") == 1)

    def get(self, key):
        return self.digests.get(key)

    def put(self, key, digest):
        self.digests[key] = digest
        if self.path:
            with self.lock, open(self.path, "a", encoding="ascii") as file:
                file.write(f"{key} {digest}\n")


class Build:
    """A build folder: its programs, and what identifies them."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.hashes = {}
        self.libraries = b"".join(self.hash_of(name) for name in self.shared_libraries())

    def shared_libraries(self):
        for folder in ("", "tests"):
            for name in sorted(os.listdir(self.path(folder))):
                if name.endswith(".so"):
                    yield os.path.join(folder, name)

    def path(self, program):
        return os.path.join(self.folder, program)

    def has(self, program):
        return os.access(self.path(program), os.X_OK)

    def hash_of(self, program):
        if program not in self.hashes:
            with open(self.path(program), "rb") as file:
                self.hashes[program] = hashlib.sha256(file.read()).digest()
        return self.hashes[program]

    def key(self, program, arguments):
        text = "\n".join([program, *arguments]).encode()
        return hashlib.sha256(self.hash_of(program) + self.libraries + text).hexdigest()

    def properties(self, program):
        text = subprocess.run([self.path(program), "--list"], stdout=subprocess.PIPE, check=True,
                              encoding="utf-8").stdout
        return re.findall(r"^(\w+) \S+:\d+$", text, re.MULTILINE)


# ---- Tasks: one comparison each ----

class Task:
    """A program's run with one variant and one seed, in both builds."""

    def __init__(self, program, variant, arguments, properties):
        self.program = program
        self.variant = variant
        self.arguments = arguments
        self.properties = properties

    def report(self, build, cleaner, folder):
        output, status = execute([build.path(self.program), *self.arguments, *self.properties],
                                 folder)
        lines = [cleaner.line(line) for line in output.decode("utf-8", "replace").splitlines()]
        named = collections.OrderedDict()
        for line in lines:
            named.setdefault(line.get("property", "?"), []).append(line)
        return Report(named, status)

    def command(self, build):
        return " ".join([build.path(self.program), *self.arguments, *self.properties])


Outcome = collections.namedtuple("Outcome", "task compared different shown seconds")


def compare(task, old, new, cleaner, kept, folder):
    """Runs a task in both builds; of the old one it may only know the digest."""
    key = old.key(task.program, [*task.arguments, *task.properties, cleaner.name()])
    digest, before, began = kept.get(key), None, time.monotonic()
    if digest is None:
        before = task.report(old, cleaner, folder)
        digest = digest_of(before)
        kept.put(key, digest)
    after = task.report(new, cleaner, folder)
    compared = sum(len(lines) for lines in after.lines.values())
    if digest_of(after) == digest:
        return Outcome(task, compared, [], [], time.monotonic() - began)
    again = task.report(old, cleaner, folder)
    shown = [] if digest_of(again) == digest else ["the old build does not repeat itself here"]
    different = differing(before or again, after, shown)
    return Outcome(task, compared, different, shown, time.monotonic() - began)


def differing(before, after, shown):
    """Says what differs, and returns the names of the properties that do."""
    names = list(before.lines) + [name for name in after.lines if name not in before.lines]
    different = []
    for name in names:
        found = list(differences(before.lines.get(name), after.lines.get(name)))
        different += [name] if found else []
        shown += [f"{name} {where}\n    old  {brief(one)}\n    new  {brief(other)}"
                  for where, one, other in found[:4]]
    if before.status != after.status:
        different = different or names
        shown.append(f"exit status\n    old  {before.status}\n    new  {after.status}")
    return different or names or ["?"]


def selected(program, only):
    return not only or any(word in program.path for word in only)


def program_tasks(program, old, seeds):
    """A program's seeds, dealt out to its variants in turn; each program begins with another."""
    skipped = SKIPPED.get(os.path.basename(program.path), {})
    names = [name for name in old.properties(program.path) if name not in skipped]
    has = set(program.has.split())
    variants = [variant for variant in VARIANTS if has & set(variant[1].split())]
    for seed in range(1, max(seeds // program.share, 1) + 1):
        title, _, options = variants[(seed - 1 + PROGRAMS.index(program)) % len(variants)]
        arguments = [*COMMON, *options.split(), "--seed", str(seed)]
        yield Task(program.path, title, arguments, names)


def all_tasks(old, new, only, seeds):
    tasks, missing = [], []
    for program in PROGRAMS:
        if not selected(program, only):
            continue
        if old.has(program.path) and new.has(program.path):
            tasks += program_tasks(program, old, seeds)
        elif old.has(program.path) or new.has(program.path):
            missing.append(program.path)
    return tasks, missing


# ---- The table ----

def print_rows(outcomes, verbose):
    rows = collections.OrderedDict()
    for outcome in outcomes:
        title = outcome.task.variant if verbose else ""
        row = rows.setdefault((outcome.task.program, title), [set(), 0, 0, 0, 0.0])
        row[0].add(outcome.task.variant)
        row[1] += 1
        row[2] += outcome.compared
        row[3] += len(outcome.different)
        row[4] += outcome.seconds
    width = max(len(program) for program, _ in rows)
    print(f"{'program':<{width}}  {'variant':<22} {'runs':>6} {'lines':>8} {'differ':>7}"
          f" {'seconds':>8}")
    for (program, title), (variants, runs, lines, different, took) in rows.items():
        title = title or f"{len(variants)} variants"
        print(f"{program:<{width}}  {title:<22} {runs:>6} {lines:>8} {different:>7}"
              f" {took:>8.1f}")


def print_differences(outcomes, old, new, most):
    wrong = [outcome for outcome in outcomes if outcome.different]
    for outcome in wrong[:most]:
        task = outcome.task
        print(f"\n{task.program}, {task.variant}: {len(outcome.different)} lines differ")
        task.properties = outcome.different
        print(f"  old: {task.command(old)}\n  new: {task.command(new)}")
        for text in outcome.shown[:6]:
            print(f"  {text}")
    if len(wrong) > most:
        print(f"\nand {len(wrong) - most} runs more that differ (--show N shows more)")


# ---- The whole ----

def read_arguments():
    parser = argparse.ArgumentParser(
        prog="script/same", description=ABOUT, epilog=MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD_BUILD", help="a build folder, such as build/release")
    parser.add_argument("new", metavar="NEW_BUILD", help="another one, of the same preset")
    parser.add_argument("--seeds", metavar="N", type=int, default=SEEDS,
                        help=f"seeds for each program ({SEEDS})")
    parser.add_argument("--only", metavar="WORD", action="append",
                        help="only programs with this in their path; can be repeated")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count(),
                        help="runs at a time (the cores)")
    parser.add_argument("--keep", metavar="FILE", help="remember what the old build reported")
    parser.add_argument("--ignore", metavar="MEMBER", action="append", default=[],
                        help="leave out a member of the reports, too, such as message")
    parser.add_argument("--lines", action="store_true", help="compare line numbers, too")
    parser.add_argument("--show", metavar="N", type=int, default=5,
                        help="differing runs that are shown (5)")
    parser.add_argument("--verbose", action="store_true", help="a row for each variant")
    return parser.parse_args()


def run_all(tasks, old, new, cleaner, kept, jobs):
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="warren-same-") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(compare, task, old, new, cleaner, kept, folder) for task in tasks]
        for done in waiting:
            outcomes.append(done.result())
            if sys.stderr.isatty():
                print(f"\rsame: {len(outcomes)} of {len(tasks)} runs", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return outcomes


def main():
    asked = read_arguments()
    for folder in (asked.old, asked.new):
        if not os.path.isdir(os.path.join(folder, "tests")):
            sys.exit(f"same: {folder} is not a build folder: it has no tests/")
    old, new = Build(asked.old), Build(asked.new)
    tasks, missing = all_tasks(old, new, asked.only, asked.seeds)
    if not tasks:
        sys.exit("same: no program is in both builds, or none is called so")
    cleaner = Cleaner(LEFT_OUT | set(asked.ignore), asked.lines)
    outcomes = run_all(tasks, old, new, cleaner, Kept(asked.keep), asked.jobs)
    print_rows(outcomes, asked.verbose)
    print_differences(outcomes, old, new, asked.show)
    for program in missing:
        print(f"\n{program} is in one build only")
    different = sum(len(outcome.different) for outcome in outcomes) + len(missing)
    lines = sum(outcome.compared for outcome in outcomes)
    print(f"\n{len(outcomes)} runs of each build, {lines} lines compared, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
