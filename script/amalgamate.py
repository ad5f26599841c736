"""script/amalgamate.py: the whole library as warren.c and warren.h. script/amalgamate runs it.

Files follow each other in the order of the rooms; a header stands where it is first included. In
one file, names of several files meet: `take` is a function in many, and `remainder` is one of the
C library. So each file-scope name of a source gets the words of its file before it: `take` of
hunt/batches.c becomes hunt_batches_take. Only tokens change. A member keeps its name: behind `.` and `->`, as a
declarator inside a struct, and as an argument that a macro uses as a member. A macro ends with
its file. What this pass does not understand does not compile, and tests/amalgamation_test.sh
compiles the result.
"""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = ("core constants gen data observe faults report plan machine explore run shrink store quest "
         "chase hunt cli").split()
OTHER_ROOMS = {"cover", "fleet"}  # the other library, and the command
APART = {"cli/warren.c", "cli/cover.c", "cli/cover_options.c", "cli/cover_page.c",
         "cli/campaign.c", "cli/new.c", "cli/report.c", "cli/run.c"}
TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<space>(?:\\\n|[ \t\f\v])+)
  | (?P<line>\n)
  | (?P<sign>->|\.\.\.|\#\#|.)
""", re.X | re.S)
KEYWORDS = set("""auto break case char const continue default do double else enum extern float for
    goto if inline int long register restrict return short signed sizeof static struct switch
    typedef union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Generic _Noreturn
    _Static_assert _Thread_local __attribute__ __asm__ asm __extension__ typeof __typeof__""".split())


def fail(text):
    print("amalgamate: " + text, file=sys.stderr)
    sys.exit(99)


class Token:
    __slots__ = ("kind", "text", "inside")

    def __init__(self, kind, text, inside):
        self.kind, self.text, self.inside = kind, text, inside  # inside: of a directive


def tokens_of(text, where):
    """The tokens of a file; those of a directive are marked."""
    result, at, directive, first = [], 0, False, True
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            fail(f"{where}: cannot be read at byte {at}")
        kind, word = match.lastgroup, match.group()
        if kind == "sign" and word == "#" and first:
            directive = True
        result.append(Token(kind, word, directive and kind != "line"))
        if kind == "line":
            directive, first = False, True
        elif kind not in ("space", "comment"):
            first = False
        at = match.end()
    return result


def significant(tokens):
    """The tokens that count, without directives."""
    return [t for t in tokens if t.kind not in ("space", "line", "comment") and not t.inside]


def macros_of(tokens):
    """Macros that the file defines: {name: (parameters or None, tokens of the body)}."""
    found, at = {}, 0
    while at < len(tokens):
        if tokens[at].inside and tokens[at].text == "#":
            end = at
            while end < len(tokens) and tokens[end].inside:
                end += 1
            words = [t for t in tokens[at + 1:end] if t.kind not in ("space", "comment")]
            if len(words) > 1 and words[0].text == "define":
                name_at = tokens.index(words[1], at)
                parameters, body = None, words[2:]
                if name_at + 1 < end and tokens[name_at + 1].text == "(":
                    close = next(i for i, t in enumerate(words) if t.text == ")")
                    parameters = [t.text for t in words[3:close] if t.text != ","]
                    body = words[close + 1:]
                found[words[1].text] = (parameters, body)
            at = end
        else:
            at += 1
    return found


def kept_parameters(macros):
    """{macro: places of the parameters whose arguments keep their names}: those that the macro
    uses as members, makes a text of, or pastes; also through other macros."""
    members = {"offsetof": {1}}
    changed = True
    while changed:
        changed = False
        for name, (parameters, body) in macros.items():
            if not parameters:
                continue
            found = set(members.get(name, ()))
            for at, word in enumerate(body):
                near = {body[i].text for i in (at - 1, at + 1) if 0 <= i < len(body)}
                member = at > 0 and body[at - 1].text in (".", "->", "#")
                if word.text in parameters and (member or "##" in near):
                    found.add(parameters.index(word.text))
            for word in kept_arguments(body, members):
                if word.text in parameters:
                    found.add(parameters.index(word.text))
            if found != members.get(name, set()):
                members[name] = found
                changed = True
    return members


def kept_arguments(words, members):
    """The tokens that stand first in arguments whose names are kept."""
    for at, word in enumerate(words):
        places = members.get(word.text)
        if not places or at + 1 >= len(words) or words[at + 1].text != "(":
            continue
        depth, argument, start = 0, 0, at + 2
        for i in range(at + 1, len(words)):
            sign = words[i].text
            if sign in ("(", "[", "{"):
                depth += 1
            elif sign in (")", "]", "}"):
                depth -= 1
            if depth == 0 or (depth == 1 and sign == ","):
                if argument in places and i > start:
                    yield words[start]
                argument, start = argument + 1, i + 1
                if depth == 0:
                    break


def braces_of_structs(words):
    """Ranges of tokens between the braces of a struct or union: {place of "{": place of "}"}."""
    found, open_ = {}, []
    for at, word in enumerate(words):
        if word.text == "{":
            back = at - 1
            if back >= 0 and words[back].kind == "name" and words[back].text not in KEYWORDS:
                back -= 1
            open_.append((at, back >= 0 and words[back].text in ("struct", "union")))
        elif word.text == "}" and open_:
            start, is_struct = open_.pop()
            if is_struct:
                found[start] = at
    return found


def declared_members(words):
    """The tokens that declare a member of a struct."""
    found = set()
    for start, end in braces_of_structs(words).items():
        depth = 0
        for at in range(start + 1, end):
            word = words[at]
            if word.text in ("(", "[", "{"):
                depth += 1
            elif word.text in (")", "]", "}"):
                depth -= 1
            elif word.kind == "name" and word.text not in KEYWORDS:
                before, after = words[at - 1], words[at + 1].text
                plain = (depth == 0 and after in (";", ",", "[", ":", "=") and
                         (before.kind == "name" or before.text in ("*", ",", "}", ")")))
                pointer = before.text == "*" and words[at - 2].text == "(" and after in (")", "[")
                if plain or pointer:
                    found.add(id(word))
    return found


def file_scope_names(words):
    """The names that a file defines for the whole of it: functions, variables, types, tags and the
    constants of enums. What is extern in another file has its prefix, and never meets another."""
    found, depth, at = set(), 0, 0
    structs = braces_of_structs(words)
    inside_enum = []
    statement = []  # tokens at depth 0 since the last ; or }
    while at < len(words):
        word = words[at]
        if word.text in ("struct", "union", "enum") and words[at + 1].kind == "name":
            if words[at + 2].text in ("{", ";") and depth == 0:
                found.add(words[at + 1].text)
        if word.text == "{":
            back = at - 1
            if words[back].kind == "name" and words[back].text not in KEYWORDS:
                back -= 1
            is_enum = words[back].text == "enum"
            inside_enum.append(is_enum and all(i is not None for i in inside_enum) and depth == 0)
            if depth == 0:
                statement.append(word)
            depth += 1
        elif word.text == "}":
            inside_enum.pop()
            depth -= 1
            if depth == 0:
                statement.append(word)
                if at + 1 < len(words) and words[at + 1].text not in (";", ",", "=") and not (
                        words[at + 1].kind == "name" and is_type(statement)) and \
                        words[at + 1].text not in ("*", "["):
                    take_declarators(statement, found)
                    statement = []
        elif depth == 0:
            statement.append(word)
            if word.text == ";":
                take_declarators(statement, found)
                statement = []
        elif inside_enum[-1] and depth == 1 and word.kind == "name" and \
                words[at - 1].text in ("{", ","):
            found.add(word.text)
        at += 1
    return found


def is_type(statement):
    """Whether the braces of a statement at file scope are those of a type."""
    at = next((i for i, t in enumerate(statement) if t.text == "{"), len(statement))
    words = [t.text for t in statement[:at]]
    return bool(words) and (words[-1] in ("struct", "union", "enum") or
                            (len(words) > 1 and words[-2] in ("struct", "union", "enum")))


def take_declarators(statement, found):
    """The names that one declaration at file scope declares."""
    words = [t for t in statement if t.text not in ("__extension__",)]
    if not words or words[0].text in ("_Static_assert", "__asm__"):
        return
    if not any(t.text in ("static", "typedef") for t in words) and not is_type(words):
        return  # extern: a name with a prefix
    # Without what stands in braces, brackets and attributes.
    flat, depth, skip = [], 0, False
    for at, t in enumerate(words):
        if t.text == "__attribute__":
            skip = True
        if t.text in ("{", "["):
            depth += 1
        if skip or depth:
            if skip and t.text == "(":
                depth += 1
            if skip and t.text == ")":
                depth -= 1
                skip = depth > 0
            if t.text in ("}", "]"):
                depth -= 1
                if t.text == "}":
                    flat.append(t)
            continue
        flat.append(t)
    parens, initial = 0, False
    for at, t in enumerate(flat):
        if t.text == "=" and parens == 0:
            initial = True
        elif t.text == "," and parens == 0:
            initial = False
        after = flat[at + 1].text if at + 1 < len(flat) else ""
        if t.text == "(":
            parens += 1
            # (*name)(...): a pointer to a function
            if at + 2 < len(flat) and flat[at + 1].text == "*" and parens == 1 and not initial:
                found.add(flat[at + 2].text)
        elif t.text == ")":
            parens -= 1
        elif t.kind == "name" and parens == 0 and not initial and t.text not in KEYWORDS:
            of_pointer = after == "(" and at + 2 < len(flat) and flat[at + 2].text == "*"
            tag = at > 0 and flat[at - 1].text in ("struct", "union", "enum")
            if after in (";", ",", "=", "(", "", "__attribute__") and not of_pointer and not tag:
                found.add(t.text)


class File:
    def __init__(self, path):
        self.path = path
        with open(os.path.join(SOURCE, path), encoding="utf-8") as stream:
            self.text = stream.read()
        self.tokens = tokens_of(self.text, path)
        self.macros = macros_of(self.tokens)
        self.words = significant(self.tokens)
        self.includes = [name.removeprefix("../")  # of a public header beside warren.h
                         for name in re.findall(r'^#include "([^"]+)"', self.text, re.M)]

    def stem(self):
        """src/hunt/batches.c: hunt_batches_"""
        return re.sub(r"\W", "_", self.path[len("src/"):-len(".c")]) + "_"


def read_files():
    sources = []
    for room in sorted(os.listdir(os.path.join(SOURCE, "src"))):
        if room not in ROOMS and room not in OTHER_ROOMS:
            fail(f"src/{room} is no room that this script knows")
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(SOURCE, "src", room)):
            folders.sort()
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), SOURCE)
                if name.endswith(".c") and path[len("src/"):] not in APART:
                    sources.append(File(path))
    if not sources:
        fail("no sources in src/")
    sources.sort(key=lambda f: (f.path == "src/cli/main.c", ROOMS.index(f.path.split("/")[1]),
                                f.path.count("/"), f.path))
    headers = {}

    def need(name):
        path = ("include/" if name.startswith("warren") else "src/") + name
        if path not in headers:
            headers[path] = None
            headers[path] = File(path)
            for other in headers[path].includes:
                need(other)
    for source in sources:
        for name in source.includes:
            need(name)
    return sources, headers


def new_names(sources, headers):
    """{path: {old name: new name}}. Every file-scope name gets another, also one that no second
    file has: the headers of some C library may declare it."""
    macros = set()
    for header in headers.values():
        macros |= set(header.macros)
    return {source.path: {name: source.stem() + name for name in
                          file_scope_names(source.words) - macros - set(source.macros)
                          if not name.startswith(("wri_", "WRI_", "wr_"))}
            for source in sources}


def rewrite(source, renamed, members):
    """The text of a file with its new names, and without its includes of Warren's headers."""
    skip = declared_members(source.words)
    skip |= {id(word) for word in kept_arguments(source.words, members)}
    plain = [t for t in source.tokens if t.kind not in ("space", "line", "comment")]
    for before, word in zip(plain, plain[1:]):
        if before.text in (".", "->", "#"):
            skip.add(id(word))
    return "".join(renamed[t.text] if t.kind == "name" and t.text in renamed and
                   id(t) not in skip else t.text for t in source.tokens)


INCLUDE = re.compile(r'^#include "[^"]+"[^\n]*\n', re.M)
SYSTEM = re.compile(r"^#include <([^>]+)>[^\n]*\n", re.M)


def strip(text):
    return SYSTEM.sub(lambda m: m.group() if m.group(1).startswith(OPTIONAL) else "",
                      INCLUDE.sub("", text))


# What stays where it is, between #if and #endif. Warren's own headers are written <warren...> or
# "warren...".
OPTIONAL = ("sqlite3.h", "hiredis/")


def rule(path):
    return f"\n/* ==== {path} " + "=" * max(3, 84 - len(path)) + " */\n\n"


def build(sources, headers):
    renamed = new_names(sources, headers)
    macros = {}
    for header in headers.values():
        macros.update(header.macros)
    system = set()
    for file in list(sources) + list(headers.values()):
        system |= {name for name in SYSTEM.findall(file.text)
                   if not name.startswith(OPTIONAL + ("warren",))}
    out, done = [], set()

    def place(name):
        path = ("include/" if name.startswith("warren") else "src/") + name
        if path in done:
            return
        done.add(path)
        for other in headers[path].includes:
            place(other)
        if path.startswith("include/"):
            return
        out.append(rule(path) + strip(headers[path].text))

    for source in sources:
        for name in source.includes:
            place(name)
        members = kept_parameters({**macros, **source.macros})
        text = strip(rewrite(source, renamed[source.path], members))
        if source.path == "src/cli/main.c":
            text = text.replace("WR_API int main", "__attribute__((weak)) int main")
        out.append(rule(source.path) + text.rstrip("\n") + "\n")
        out.extend(f"#undef {name}\n" for name in source.macros if name != "_GNU_SOURCE")
    return "".join(out), sorted(system)


def public_header(headers):
    observe = headers["include/warren/observe.h"].text
    main = headers["include/warren.h"].text
    line = '#include "warren/observe.h"\n'
    if main.count(line) != 1:
        fail("include/warren.h does not include warren/observe.h as expected")
    faults = headers["include/warren/faults.h"].text
    line_back = '#include "../warren.h"\n'
    if faults.count(line_back) != 1:
        fail("include/warren/faults.h does not include warren.h as expected")
    faults = ("#if defined(WR_FAULTS) || defined(WR_BUILDING_)\n" +
              faults.replace(line_back, "") + "#endif\n")
    return (main.replace(line, rule("warren/observe.h") + observe + rule("warren.h, further")) +
            rule("warren/faults.h: for a file that defines WR_FAULTS") + faults)


def version(header):
    return re.search(r'#define WR_VERSION "([^"]+)"', header).group(1)


TOP = """\
/* warren.c: Warren {version}, property-based testing for C, as one file.
 *
 * script/amalgamate made it of the sources in src/; change those. Compile it with your tests:
 *
 *     cc -g test.c warren.c -lm -ldl
 *
 * It brings main(), which gives way to a main() of yours. Beyond the C library it needs nothing.
 * With -DWRI_WITH_SQLITE and -DWRI_WITH_REDIS it is compiled with the headers of SQLite and
 * hiredis, whose libraries it loads when a store asks for them.
 *
{licence} */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define WR_BUILDING_
#ifdef __FAST_MATH__
#error "warren.c: -ffast-math changes drawn numbers; compile this file without it"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    try:
        with open(path + ".new", "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(path + ".new", path)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    print(os.path.relpath(path))


def main():
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and sys.argv[1].startswith("-")):
        print("usage: script/amalgamate [FOLDER]", file=sys.stderr)
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 99)
    folder = sys.argv[1] if len(sys.argv) == 2 else os.path.join(SOURCE, "build/amalgamation")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        fail(f"{folder}: {error.strerror}")
    sources, headers = read_files()
    header = public_header(headers)
    body, system = build(sources, headers)
    with open(os.path.join(SOURCE, "LICENSE"), encoding="utf-8") as stream:
        licence = "".join(" *" + (" " + line if line.strip() else "\n") for line in stream)
    top = TOP.format(version=version(header), licence=licence)
    top += "".join(f"#include <{name}>\n" for name in system) + '\n#include "warren.h"\n'
    write(folder, "warren.h", header)
    write(folder, "warren.c", top + body)


if __name__ == "__main__":
    main()
