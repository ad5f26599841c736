"""script/same.py: compares the results of two builds for the same seeds. script/same runs it.

A task is one run in both builds. Its reports are read, cleaned of times, wording and places, and
compared. The tables at the beginning say which programs run, with which options, and how often.
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
TIMEOUT = 1200  # seconds that one run may take
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

ABOUT = """\
Runs the same programs of two builds with the same seeds, and compares their reports. Cases,
discards, executions, values, tokens, statuses, rules, labels and tables must be the same; so must
the rows of `warren cover`, and the counts of the studies in their quick form. It prints a row for
each program, shows the first differences, and returns 1 if there is one (99: it could not run as
asked). Both builds have the same preset (release) and compiler, and all their programs are built.

  script/same ../before/build/release build/release
"""
MORE = """\
seeds      A program runs with the seeds 1 to N/share. The share is in the script's table: 1 for
           quick programs, 2 to 40 for slow ones. The seeds go to the program's variants in turn
           (--bugs many, --explore guide, --jobs 2, --store and so on; --verbose names them).
left out   Times, warnings, messages other than an assertion's text, folders, line numbers, and
           the numbers of stored bugs (bug_0123456789abcdef), which are made of line numbers.
           Machines with --bugs many under guide and enumerate. The table SKIPPED in the script
           names the properties that two runs of one build report differently, and says why.
keep       --keep FILE remembers digests of the reports of OLD_BUILD, by the contents of its
           programs. The next comparison with the same file runs NEW_BUILD alone: about 4
           minutes on two quiet cores instead of 7.
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
    Program("bench/challenges", "values", 2),
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
    Program("studies/systemf/systemf_properties", "values trees", 40),
    Program("studies/lambda/lambda_properties", "values trees", 4),
]

# ---- Variants: for programs that have one of these, and the options. After a semicolon: the
# options of another run in the same folder ----

STORED = "--jobs 1 --store kept"

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
    ("replayed", "values machines", "--jobs 1"),
    ("stored", "values machines", f"{STORED}; {STORED}"),
    ("stored, guide", "values machines", f"{STORED} --explore guide; {STORED} --explore guide"),
    ("stored, many", "machines", f"{STORED} --bugs many; {STORED} --bugs many"),
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
COMMON = "--format json --color never --cases 100"

# ---- Models for `warren cover`, the share of the seeds that each gets, and the variants ----

MODELS = [
    ("examples/models/disk.warren", 8),
    ("bench/models/spin_s.txt", 4),
    ("bench/models/spin_v.txt", 8),
    ("bench/models/tcas.txt", 8),
    ("bench/models/bugzilla.txt", 8),
    ("bench/models/apache.txt", 20),
    ("bench/models/gcc.txt", 20),
]
COVER_VARIANTS = [
    ("pairs", "--strength 2 --moves 20000"),
    ("triples", "--strength 3 --moves 2000"),
    ("JSON, checked", "--strength 2 --moves 2000 --format json --verify"),
    ("digits", "--strength 2 --moves 2000 --radix 2"),
    ("measured", "--moves 100 --output rows; --measure rows --strength 3 --format json"),
    ("kept rows", "--moves 100 --output rows; --keep rows --strength 2 --moves 5000"),
]

# ---- Studies, in their quick form: a name each ----

STUDIES = "tcas lmdb etna lambda contracts registry canstack guided unseen systemf".split()

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

Report = collections.namedtuple("Report", "lines statuses")  # lines by property


def trouble_with(report):
    """Why a report compares nothing; None for a good one."""
    if any(isinstance(status, str) for status in report.statuses):
        return report.statuses[-1]
    return None if any(report.lines.values()) else f"nothing came, status {report.statuses}"


def digest_of(report):
    text = json.dumps([report.lines, report.statuses], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def execute(commands, folder):
    """What commands print and return, in a folder of their own; a signal is a status below 0."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("WARREN")}
    output, statuses = "", []
    with tempfile.TemporaryDirectory(dir=folder) as own:
        environment["TMPDIR"] = own
        for command in commands:
            try:
                done = subprocess.run(command, cwd=own, env=environment, timeout=TIMEOUT,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                return output, [*statuses, f"not done after {TIMEOUT} seconds"]
            output += done.stdout.decode("utf-8", "replace")
            statuses.append(done.returncode)
    return output, statuses


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

    def shared_libraries(self):
        for folder in ("", "tests"):
            names = sorted(os.listdir(self.path(folder)))
            yield from (os.path.join(folder, name) for name in names if name.endswith(".so"))

    def path(self, program):
        return os.path.join(self.folder, program)

    def has(self, program):
        return os.path.isfile(self.path(program)) and os.access(self.path(program), os.X_OK)

    def hash_of(self, program):
        if program not in self.hashes:
            with open(self.path(program), "rb") as file:
                self.hashes[program] = hashlib.sha256(file.read()).digest()
        return self.hashes[program]

    def properties(self, program):
        text = subprocess.run([self.path(program), "--list"], stdout=subprocess.PIPE, check=True,
                              encoding="utf-8").stdout
        return re.findall(r"^(\w+) \S+:\d+$", text, re.MULTILINE)


# ---- Tasks: one comparison each ----

class Task:
    """A program's run with one variant and one seed, in both builds."""

    def __init__(self, program, variant, runs, properties=()):
        self.program = program        # its path in a build folder
        self.title = program          # its name in the table
        self.variant = variant
        self.runs = runs              # lists of arguments
        self.properties = properties  # further arguments

    def commands(self, build):
        return [[build.path(self.program), *run, *self.properties] for run in self.runs]

    def files(self, build):
        """The files whose contents decide the report."""
        return [self.program, *build.shared_libraries()]

    def key(self, build, cleaner):
        asked = [self.program, self.variant, self.runs, self.properties, cleaner.name()]
        contents = b"".join(build.hash_of(path) for path in self.files(build))
        return hashlib.sha256(contents + json.dumps(asked).encode()).hexdigest()

    def report(self, build, cleaner, folder):
        output, statuses = execute(self.commands(build), folder)
        return Report(self.read(output, cleaner), statuses)

    def read(self, output, cleaner):
        named = {}
        for text in output.splitlines():
            line = cleaner.line(text)
            named.setdefault(line.get("property", "(no property)"), []).append(line)
        return named


LONG_TOKEN = 2000  # longer ones are given in files


class Replay(Task):
    """A run, and then the cases that failed, by their tokens."""

    def report(self, build, cleaner, folder):
        output, statuses = execute(self.commands(build), folder)
        failed = re.findall(r'^{"property": "(\w+)".*?"token": "([\w-]+)"', output, re.MULTILINE)
        again = [[build.path(self.program), *run_of("--jobs 1", 1), name, "--replay", token]
                 for name, token in failed if len(token) < LONG_TOKEN]
        more, further = execute(again, folder)
        return Report(self.read(output + more, cleaner), statuses + further)


class Text(Task):
    """A program whose lines are the same, to the letter."""

    def read(self, output, cleaner):
        return {"output": output.splitlines()}


class Cover(Text):
    """`warren cover` with a model."""

    def __init__(self, model, variant, runs):
        super().__init__("warren", variant, runs)
        self.title = f"warren cover {os.path.basename(model)}"
        self.model = os.path.join(SOURCE, model)

    def commands(self, build):
        return [[build.path(self.program), "cover", self.model, *run] for run in self.runs]

    def files(self, build):
        return [*super().files(build), self.model]


class Study(Task):
    """A study in its quick form: the figures that it writes, and the numbers of its tables."""

    def __init__(self, name):
        super().__init__(f"studies/{name}/{name}", "quick", [["--quick"]])
        self.title = f"studies/{name} --quick"

    def files(self, build):
        folder = os.path.dirname(self.program)
        paths = [os.path.join(folder, name) for name in sorted(os.listdir(build.path(folder)))]
        return [path for path in paths if build.has(path)]

    def read(self, output, cleaner):
        """Times go; lines without a number are prose."""
        lines = cleaner.text(output).splitlines()
        table = [NUMBER.findall(TIMES.sub("", line)) for line in lines]
        written = re.search(r"written to (\S+\.json)", output)
        return {"table": [numbers for numbers in table if numbers],
                "figures": figures(written.group(1)) if written else []}


# Processor time has three digits, and may have memory behind it; the rest names its unit.
TIMES = re.compile(r"\d+\.\d{3} +\d+\.\d(?=  )|\d+\.\d{3}\b|[\d.]+ (?:CPU )?s\b|[\d.]+ MiB"
                   r"|(?<=\d) +\d+\.\d +yes$")
NUMBER = re.compile(r"\d[\d.e+]*")


def figures(path):
    with open(path, encoding="utf-8") as file:
        return [row["figure"] for row in json.load(file) if row["unit"] not in ("s", "MiB")]


Outcome = collections.namedtuple("Outcome", "task compared different shown seconds")


def compare(task, old, new, cleaner, kept, folder):
    """Runs a task in both builds; of the old one it may only know the digest."""
    key = task.key(old, cleaner)
    digest, before, began = kept.get(key), None, time.monotonic()
    if digest is None:
        before = task.report(old, cleaner, folder)
        digest = digest_of(before)
        if not trouble_with(before):
            kept.put(key, digest)
    after = task.report(new, cleaner, folder)
    shown, different = [], []
    if trouble_with(after):
        shown, different = [trouble_with(after)], ["(nothing)"]
    elif digest_of(after) != digest:
        again = task.report(old, cleaner, folder)
        if digest_of(again) != digest:
            shown.append("the old build does not repeat itself here")
        different = differing(before or again, after, shown)
    compared = sum(len(lines) for lines in after.lines.values())
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
    if before.statuses != after.statuses:
        different = different or names
        shown.append(f"exit status\n    old  {before.statuses}\n    new  {after.statuses}")
    return different or names or ["?"]


def run_of(options, seed):
    kept = [] if "--store" in options else ["--no-store"]
    return [*COMMON.split(), *kept, *options.split(), "--seed", str(seed)]


def program_tasks(program, number, old, seeds):
    """A program's seeds, dealt out to its variants in turn; each program begins with another."""
    skipped = SKIPPED.get(os.path.basename(program.path), {})
    names = [name for name in old.properties(program.path) if name not in skipped]
    has = set(program.has.split())
    variants = [variant for variant in VARIANTS if has & set(variant[1].split())]
    for seed in range(1, max(seeds // program.share, 1) + 1):
        title, _, options = variants[(seed + number) % len(variants)]
        runs = [run_of(one, seed) for one in options.split(";")]
        yield (Replay if title == "replayed" else Task)(program.path, title, runs, names)


def cover_tasks(seeds):
    for number, (model, share) in enumerate(MODELS):
        for seed in range(1, max(seeds // share, 1) + 1):
            title, options = COVER_VARIANTS[(seed + number) % len(COVER_VARIANTS)]
            runs = [[*one.split(), "--seed", str(seed)] for one in options.split(";")]
            yield Cover(model, title, runs)


def all_tasks(old, new, only, seeds):
    """The tasks, and the programs that only one build has."""
    tasks = [Text("examples/volume", "as it is", [[]]), *cover_tasks(seeds)]
    tasks += [Study(name) for name in STUDIES]
    for number, program in enumerate(PROGRAMS):
        if old.has(program.path):
            tasks += program_tasks(program, number, old, seeds)
    if only:
        tasks = [task for task in tasks if any(word in task.title for word in only)]
    missing = {task.program for task in tasks if old.has(task.program) != new.has(task.program)}
    both = [task for task in tasks if old.has(task.program) and new.has(task.program)]
    return both, sorted(missing)


# ---- The table ----

def print_rows(outcomes, verbose):
    rows = collections.OrderedDict()
    for outcome in outcomes:
        title = outcome.task.variant if verbose else ""
        row = rows.setdefault((outcome.task.title, title), [set(), 0, 0, 0, 0.0])
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
        print(f"\n{task.title}, {task.variant}: {len(outcome.different)} lines differ")
        task.properties = [name for name in outcome.different if name in task.properties]
        for name, build in (("old", old), ("new", new)):
            print(f"  {name}: {'; '.join(' '.join(one) for one in task.commands(build))}")
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
    """The outcomes of all tasks, in their order. Studies take longest, so they begin first."""
    order = sorted(range(len(tasks)), key=lambda at: not isinstance(tasks[at], Study))
    with tempfile.TemporaryDirectory(prefix="warren-same-") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(compare, tasks[at], old, new, cleaner, kept, folder): at
                   for at in order}
        outcomes = {}
        for done in concurrent.futures.as_completed(waiting):
            outcomes[waiting[done]] = done.result()
            if sys.stderr.isatty():
                print(f"\rsame: {len(outcomes)} of {len(tasks)} runs", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return [outcomes[at] for at in range(len(tasks))]


def refuse(why):
    print(f"same: {why}", file=sys.stderr)
    sys.exit(99)


def main():
    asked = read_arguments()
    for folder in (asked.old, asked.new):
        if not os.path.isdir(os.path.join(folder, "tests")):
            refuse(f"{folder} is not a build folder: it has no tests/")
    for model, _ in MODELS:
        if not os.path.exists(os.path.join(SOURCE, model)):
            refuse(f"there is no {model} in {SOURCE}")
    old, new = Build(asked.old), Build(asked.new)
    tasks, missing = all_tasks(old, new, asked.only, asked.seeds)
    if not tasks:
        refuse("no program is in both builds, or none is called so")
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
