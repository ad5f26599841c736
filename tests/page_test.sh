#!/usr/bin/env bash
# page_test.sh PAGE_UNIT PAGED WARREN: pages (--html, warren report, warren cover --html) as files.
#
# Every page must be well-formed XML that loads nothing, whose links lead somewhere and whose charts
# have their numbers in a table. page_browser_test.sh looks at the same pages in a browser.
set -euo pipefail

unit=$1 paged=$2 warren=$3
models=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/models" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-page.XXXXXX")
trap 'rm -rf "$work"' EXIT
wrong=0
fail() {
    echo "page_test: $1"
    wrong=1
}

"$unit" --write "$work"
cd "$work"
"$paged" --seed 1 --bugs many --no-store --jobs 1 --html run.html >/dev/null && fail "no bug"
"$paged" --seed 1 --bugs many --no-store --jobs 3 --html jobs.html >/dev/null && fail "no bug"
"$paged" --seed 1 --bugs many --store store --cases 100 >/dev/null && fail "no bug"
"$warren" report store -o store.html || fail "warren report"
"$paged" --seed 1 --bugs many --no-store --format json >run.json && fail "no bug"
mkdir texts && cp -r store/failures texts/
"$warren" report texts >texts.html || fail "warren report of texts"
"$warren" report empty 2>/dev/null && fail "a store that is not there"
mkdir none && "$warren" report none -o none.html || fail "an empty store"
"$warren" cover "$models/disk.warren" --strength 3 -q -o rows.csv --html array.html || fail cover
head -n 20 rows.csv >some.csv
"$warren" cover "$models/disk.warren" --measure some.csv --html some.html >/dev/null || fail measure

# Times aside, the page does not depend on the workers.
same() {
    sed -E 's/[0-9.,]+ s</T</g' "$1" | grep -v '^<footer>'
}
cmp <(same run.html) <(same jobs.html) || fail "the page depends on --jobs"

for path in . no/such/folder/x.html; do
    "$paged" --cases 1 --no-store --html "$path" >/dev/null 2>err && fail "--html $path"
    grep -q "^.*: --html: cannot write $path: " err || fail "--html $path: $(cat err)"
    "$warren" report store -o "$path" 2>err && fail "-o $path"
    grep -q "^warren report: cannot write $path: " err || fail "-o $path: $(cat err)"
done

python3 - ./*.html <<'PYTHON' || fail "the pages"
import base64, hashlib, json, re, sys
import xml.etree.ElementTree as tree

HTML = "{http://www.w3.org/1999/xhtml}"
wrong = []
for path in sys.argv[1:]:
    def check(condition, why):
        if not condition:
            wrong.append(f"{path}: {why}")
    text = open(path, "rb").read()
    check(len(text) < 2000000, f"{len(text)} bytes")
    root = tree.fromstring(text)  # not well-formed: an exception
    everything = list(root.iter())
    ids = [e.get("id") for e in everything if e.get("id")]
    check(len(ids) == len(set(ids)), "an id twice")
    for e in everything:
        href = e.get("href")
        check(href is None or (href[0] == "#" and href[1:] in ids), f"a link to {href}")
        check(e.get("src") is None and not any(n.startswith("on") for n in e.keys()), e.tag)
        if e.get("aria-labelledby"):
            check(e.get("aria-labelledby") in ids, "a label that is not there")
        if e.get("role") in ("img", "region"):
            check(e.get("aria-label"), f"no label: {e.tag}")
        if e.tag == HTML + "figure":
            check(e.find(f".//{HTML}table") is not None, "a chart without a table")
        if e.tag == HTML + "th":
            check(e.get("scope"), "a head without scope")
        if e.tag == HTML + "button":
            check(e.get("type") == "button" and e.get("aria-label"), "a button without a name")
    scripts = [e for e in everything if e.tag == HTML + "script"]
    digest = base64.b64encode(hashlib.sha256(scripts[0].text.encode()).digest()).decode()
    policy = [e.get("content") for e in everything if e.get("http-equiv")]
    check(len(scripts) == 1 and f"script-src 'sha256-{digest}'" in policy[0], f"hash {digest}")
    check("default-src 'none'" in policy[0], "no policy")
    check(not re.search(rb"url\((?!#)|@import", text), "a style that loads")
    for tag in ("h1", "header", "nav", "main", "footer", "title"):
        check(len([e for e in everything if e.tag == HTML + tag]) >= 1, f"no {tag}")

def words(path, *wanted):
    text = "".join(tree.parse(path).getroot().itertext())
    for word in wanted:
        if word not in text:
            wrong.append(f"{path}: no {word!r}")
results = [json.loads(line) for line in open("run.json")]
bugs = sum(len(result.get("failures", [])) for result in results)
check(bugs > 2, "few bugs")
words("run.html", f"{bugs} bugs in {len(results)} properties.", "fewer than one such case in 333 fails",
      "Features over cases", "95 % interval", "Pairs of drawn values", "Drawn values",
      "Explored and pruned, by size", "Which call followed which", "Which state followed which",
      'WR_EXAMPLE(numbers_have_as_many_digits_as_printed, "number = 10", "unit = \\"\\"");',
      "--replay w1", "Rule: these calls make it fail", "38.9 %35.9 % – 42.0 %")
words("texts.html", " open bugs", "--replay w1", "Smallest case")
words("none.html", "Nothing is known yet.")
words("array.html", "All feasible combinations of 3 values are covered.", "Coverage over rows")
words("some.html", "are missing", "type=raid 5")
words("hostile.html", "\\x1b[31m", "\\xff", "\\u202e", "<script>alert(1)</script>")
print("\n".join(wrong))
sys.exit(bool(wrong))
PYTHON
exit $wrong
