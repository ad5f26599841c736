#!/usr/bin/env bash
# expect.sh STATUS [TEXT...] -- COMMAND...: the command must return STATUS, and what it prints, on
# either stream, must hold each TEXT.
set -euo pipefail

wanted=$1
shift
texts=()
while [ "$1" != -- ]; do
    texts+=("$1")
    shift
done
shift

status=0
printed=$("$@" 2>&1) || status=$?
printf '%s\n' "$printed"

wrong=0
if [ "$status" != "$wanted" ]; then
    echo "expect: status $status, wanted $wanted"
    wrong=1
fi
for text in ${texts[@]+"${texts[@]}"}; do
    if [[ $printed != *"$text"* ]]; then
        echo "expect: not printed: $text"
        wrong=1
    fi
done
exit "$wrong"
