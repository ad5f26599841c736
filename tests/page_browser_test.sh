#!/usr/bin/env bash
# page_browser_test.sh PAGE_UNIT PAGED WARREN: pages in headless Chromium (page_browser.js).
#
# Exits with 77, and says what is missing, where there is no Chromium or no playwright-core.
# With SCREENSHOT=docs/report.png it also takes the pictures of the docs.
set -euo pipefail

unit=$1 paged=$2 warren=$3
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export CHROMIUM=${CHROMIUM:-/usr/bin/chromium}
export NODE_PATH=${NODE_PATH:+$NODE_PATH:}$tests/../build/node_modules
[ -z "${SCREENSHOT:-}" ] || SCREENSHOT=$(realpath "$SCREENSHOT")
[ -x "$CHROMIUM" ] || { echo "skipped: there is no $CHROMIUM" && exit 77; }
node -e 'require("playwright-core")' 2>/dev/null || {
    echo "skipped: there is no playwright-core (script/bootstrap full installs it)" && exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/warren-page.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$unit" --write "$work"
cd "$work"
export SOURCE_DATE_EPOCH=1790000000
"$paged" --seed 1 --bugs many --no-store --html run.html >/dev/null || true
"$paged" --seed 1 --bugs many --store store --cases 100 >/dev/null || true
"$warren" report store -o store.html
"$warren" cover "$tests/../examples/models/disk.warren" -t 3 -q -o rows.csv --html array.html
node "$tests/page_browser.js" "$work"
