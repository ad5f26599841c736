"""script/reference.py: the manual pages of the functions, out of the public headers, and those of
the subcommands, out of what they print as help.

A header reads as a manual: a comment, and below it the declarations that it is about. A page is a
section of warren.h, or one of the other headers. It has each comment with its declarations, as they
stand there; macros have their names and arguments, without their bodies. Names that end in _ are
internal, and have no place here.
"""

import re
import subprocess
import sys
from pathlib import Path

PAGES = [  # page, header, number of the section or None, what it is about
    ("warren-properties", "warren.h", 1, "defining and running properties"),
    ("warren-draws", "warren.h", 2, "drawing values"),
    ("warren-trees", "warren.h", 3, "trees that are chosen when a test looks at them"),
    ("warren-memory", "warren.h", 4, "memory of a test case"),
    ("warren-verdicts", "warren.h", 5, "assertions, assumptions and notes"),
    ("warren-observations", "warren.h", 6, "labels, tables and promises"),
    ("warren-machines", "warren.h", 7, "sequences of calls"),
    ("warren-observe", "warren/observe.h", None, "observations in the code under test"),
    ("warren-faults", "warren/faults.h", None, "calls of the code under test that fail"),
    ("warren-covering", "warren/cover.h", None, "covering arrays"),
]
UNDOCUMENTED = []  # public names without a comment
# One page for all: each makes a property a test of its framework.
HOSTS = ["cmocka", "check", "criterion", "unity", "gtest", "catch2"]


class Item:
    """A comment, the declarations below it, and the names that these declare."""

    def __init__(self, comment):
        self.comment, self.code, self.names = comment, [], []


def comment_of(lines, at):
    """The text of the comment that begins in a line, and the line behind it."""
    end = at
    while "*/" not in lines[end]:
        end += 1
    text = "\n".join(lines[at : end + 1])
    text = re.sub(r"\s*\*/\s*$", "", re.sub(r"^\s*/\*+ ?", "", text))
    return "\n".join(re.sub(r"^\s*\* ?", "", line) for line in text.split("\n")), end + 1


def declaration_of(lines, at):
    """A declaration or macro, and the line behind it."""
    end, depth = at, 0
    if lines[at].startswith("#define"):
        while lines[end].endswith("\\"):
            end += 1
        return lines[at : end + 1], end + 1
    while True:
        bare = re.sub(r"/\*.*?\*/", "", lines[end])
        depth += bare.count("{") - bare.count("}")
        bare = re.sub(r"/\*.*", "", bare).rstrip()
        if depth <= 0 and (bare.endswith(";") or bare.endswith("}")):
            return lines[at : end + 1], end + 1
        end += 1


def names_of(code):
    """The public names that a declaration declares."""
    text = "\n".join(code)
    macro = re.match(r"#define (\w+)", text)
    if macro:
        found = [macro[1]]
    elif re.search(r"^typedef\b", text):
        found = re.findall(r"(\w+)(?:\([^()]*\))?;[^;{}]*$", text)
    elif re.match(r"(struct|enum) \w+ *\{", text):
        found = re.findall(r"^(?:struct|enum) (\w+)", text)
    else:
        found = re.findall(r"(?<!\()\b(wr_\w+)\(", re.sub(r"WR_PRINTF_\([^)]*\)", "", text))[:1]
    return [name for name in found if not name.endswith("_")]


def shown(code):
    """A declaration as a reader wants it; [] if it is internal."""
    if not names_of(code):
        return []
    if code[0].startswith("#define"):
        head = re.match(r"#define (\w+(?:\([^)]*\))?)", code[0])[1]
        return [head.replace("name_", "name")]
    kept = []
    for line in code:
        if "reserve_" in line:
            continue
        line = re.sub(r"\bWR_API +|\bWR_NORETURN_ +|^static inline +|WR_WORD_ +", "", line)
        line = re.sub(r" *WR_(PRINTF|COUNTED)_\(\d, \d\)", "", line).rstrip()
        if line == ";":  # an attribute stood on a line of its own
            kept[-1] += line
        else:
            kept.append(line)
    if len(kept) > 1 and not any("{" in line for line in kept):  # its continuation lines move left
        moved = len(code[0]) - len(kept[0])
        kept[1:] = [line[min(moved, len(line) - len(line.lstrip())) :] for line in kept[1:]]
    return kept


def sections_of(path):
    """{number or None: items} of a header. Of alternatives (#else) the first one counts."""
    lines = path.read_text().split("\n")
    begin = ('extern "C" {', "#if !defined(WR_OBSERVE_OFF)")
    at = next(i for i, line in enumerate(lines) if line in begin) + 1
    sections, number, item, skipping, known = {}, None, None, 0, set()
    while at < len(lines):
        line = lines[at]
        if re.match(r"/\* ---- Internal", line):
            break
        heading = re.match(r"/\* ---- (?:(\d)\. )?", line)
        if heading:
            number, item = heading[1] and int(heading[1]), None
        elif line.startswith("/*") and "clang-format" not in line:
            text, at = comment_of(lines, at)
            item = Item(text)
            sections.setdefault(number, []).append(item)
            continue
        elif re.match(r"#else", line):
            skipping = 1
        elif re.match(r"#endif", line):
            skipping = 0
        elif not line:
            item = None
        elif re.match(r"#define|typedef|struct|enum|WR_|static|[a-z]\w* ", line) and not skipping:
            code, at = declaration_of(lines, at)
            fresh = [name for name in names_of(code) if name not in known]
            known.update(fresh)
            if fresh:
                if item is None:
                    item = Item("")
                    sections.setdefault(number, []).append(item)
                item.code += shown(code)
                item.names += fresh
                if not item.comment and not any("/*" in line for line in code):
                    UNDOCUMENTED.append(f"{path}: {fresh[0]}")
            continue
        at += 1
    return sections


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return "\\&" + line if line[:1] in (".", "'") else line


def example(lines):
    return [".EX"] + [escaped(line) for line in lines] + [".EE"]


def prose(text):
    """A comment as roff: paragraphs, lists, and listings, which are indented."""
    out = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = part.split("\n")
        if all(re.match(r" {4,}", line) for line in lines):
            out += [".PP", ".RS 4"] + example([line[4:] for line in lines]) + [".RE"]
            continue
        out.append(".PP")
        for line in lines:
            if re.match(r" {4,}", line):
                out += example([line])
            elif re.match(r" *- ", line):
                out += [".IP \\(bu 2", escaped(re.sub(r"^ *- ", "", line))]
            else:
                out.append(escaped(line.strip()))
    return out


def body(items):
    out = []
    for item in items:
        if item.code:
            out += [".PP"] + example(item.code)
        if item.comment:
            out += ([".RS 4"] + prose(item.comment) + [".RE"]) if item.code else prose(item.comment)
    return out


def page(name, date, about, names, header, text):
    others = sorted(other for other in [p[0] for p in PAGES] + ["warren-frameworks"] if other != name)
    lines = [
        f".TH {name.upper()} 3 {date} \"Warren 0.1.0\" \"Library Functions Manual\"",
        ".\\\" Written by script/reference out of the header; changes go there.",
        ".SH NAME",
        ",\n".join(names) + " \\- " + about,
        ".SH SYNOPSIS",
        f".B #include <{header}>",
        ".SH DESCRIPTION",
        *text,
        ".SH SEE ALSO",
        ".BR warren (3),",
        ",\n".join(f".BR {other} (3)" for other in others),
    ]
    return "\n".join(lines) + "\n"


def pages(root):
    """{file name: text} of all pages."""
    date = re.match(r"\.TH WARREN 3 (\S+)", (root / "docs/man/man3/warren.3").read_text())[1]
    include, headers, made = root / "include", {}, {}
    for name, header, number, about in PAGES:
        if header not in headers:
            headers[header] = sections_of(include / header)
        sections = headers[header]
        items = sections[number] if number else [i for part in sections.values() for i in part]
        names = [n for item in items for n in item.names]
        text = body(items)
        if not number:
            text = prose(comment_of((include / header).read_text().split("\n"), 0)[0]) + text
        made[name + ".3"] = page(name, date, about, names, header, text)
    names, text = [], []
    for host in HOSTS:
        source = (include / "warren" / (host + ".h")).read_text()
        names += [n for n in re.findall(r"#define (\w+)\(", source) if not n.endswith("_")]
        text += [f".SS warren/{host}.h"] + prose(comment_of(source.split("\n"), 0)[0])
    made["warren-frameworks.3"] = page("warren-frameworks", date, "properties in test frameworks",
                                       names, "warren/cmocka.h", text)
    return made


def help_of(warren, *command):
    return subprocess.run([warren, *command, "--help"], capture_output=True, text=True, check=True).stdout


def option_rows(text):
    """The rows of options as a list with tags. A row that begins far right goes on with the last."""
    out = []
    for line in text.split("\n"):
        row = re.match(r"  (-\S.*?)(?:  +(.*))?$", line)
        if row:
            out += [".TP", ".B " + escaped(row[1])] + [escaped(row[2])] * bool(row[2])
        else:
            out.append(escaped(line.strip()))
    return out


def command_page(name, about, text, date):
    """A help begins with its usage, has paragraphs and options, and ends with the exit status."""
    parts = text.strip("\n").split("\n\n")
    usage = [re.sub(r"^(usage:|      ) ", "", line) for line in parts[0].split("\n")]
    options = [option_rows(part) for part in parts if part.startswith("  -")]
    status = next((part for part in parts if part.startswith("exit status: ")), "")
    rest = [part for part in parts[1:] if not part.startswith("  -") and part != status]
    lines = [
        f'.TH WARREN\\-{name.upper()} 1 {date} "Warren 0.1.0" "User Commands"',
        ".\\\" Written by script/reference out of the help; changes go there.",
        ".SH NAME",
        f"warren\\-{name} \\- {about}",
        ".SH SYNOPSIS",
        *example(usage),
        ".SH DESCRIPTION",
        *[line for part in rest for line in [".PP"] + [escaped(x) for x in part.split("\n")]],
        ".SH OPTIONS",
        *[line for part in options for line in part],
        ".SH EXIT STATUS",
        *[escaped(line) for line in status.removeprefix("exit status: ").split("\n")],
        ".SH SEE ALSO",
        ".BR warren (1)",
    ]
    return "\n".join(lines) + "\n"


def command_pages(root, warren):
    date = re.match(r"\.TH WARREN 1 (\S+)", (root / "docs/man/man1/warren.1").read_text())[1]
    rows = re.findall(r"^  (\w+)  +(.*)$", help_of(warren), re.M)
    return {f"warren-{name}.1": command_page(name, about, help_of(warren, name), date)
            for name, about in rows if name != "cover"}


def update(folder, made, kept, check):
    """Writes the pages, or says which are not like that; True: a page is out of date."""
    wrong = False
    for path in folder.glob("warren-*"):
        if path.name not in made and path.name not in kept:
            print(f"reference: {path.name} is no page any more")
            wrong = True
    for name, text in made.items():
        if not check:
            (folder / name).write_text(text)
        elif not (folder / name).exists() or (folder / name).read_text() != text:
            print(f"reference: {folder.name}/{name} is not what its source says: run script/reference")
            wrong = True
    return wrong


def main():
    root, check = Path(sys.argv[1]), "--check" in sys.argv
    warren = next((word for word in sys.argv[2:] if not word.startswith("-")), None)
    wrong = update(root / "docs/man/man3", pages(root), [], check)
    if warren:
        wrong |= update(root / "docs/man/man1", command_pages(root, warren), ["warren-cover.1"], check)
    for place in UNDOCUMENTED:
        print(f"reference: {place} has no comment")
    sys.exit(wrong or UNDOCUMENTED != [])


main()
