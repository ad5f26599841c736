#!/usr/bin/env bash
# package_test.sh: script/package builds Debian packages that lintian accepts. Installed on a copy of
# this system, they are all that a program of one's own needs to build, run and find its bug; and
# they leave nothing behind. The copy takes root; without it the packages are only looked into.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$source"
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || { echo "there is no $tool: not tried" && exit 0; }
done
script/package
packages=(build/packages/{libwarren0,libwarren-dev,warren}_*.deb)

echo "== what is in them"
holds() { # holds PACKAGE FILE
    dpkg-deb -c build/packages/"$1"_*.deb | grep " \./$2" >/dev/null || { echo "$1 has no $2" && exit 1; }
}
holds libwarren0 'usr/lib/.*/libwarren\.so\.0\.1 '
holds libwarren0 'usr/lib/.*/libwarren-cover\.so\.0\.1 '
holds libwarren-dev usr/include/warren.h
holds libwarren-dev 'usr/lib/.*/pkgconfig/warren.pc'
holds libwarren-dev 'usr/lib/.*/cmake/warren/warren-config.cmake'
holds libwarren-dev 'usr/share/man/man3/warren.3.gz'
holds warren usr/bin/warren
holds warren 'usr/share/man/man1/warren.1.gz'
holds warren usr/share/bash-completion/completions/warren
holds warren usr/share/fish/vendor_completions.d/warren.fish
holds warren usr/share/zsh/vendor-completions/_warren

work=$(mktemp -d "${TMPDIR:-/tmp}/warren-package.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "${packages[@]}" "$work"
cat >"$work/first.c" <<'END'
#include <warren.h>

WR_PROPERTY(small_numbers_only)
{
    wr_assert_lt(t, wr_int(t, "n", 0, 1000), 500);
}
END
cat >"$work/inside.sh" <<'END'
set -euo pipefail
cd "$1"
dpkg -i ./*.deb >log 2>&1 || { cat log && exit 1; }
cc -g first.c $(pkg-config --cflags --libs warren) -o first
status=0
./first --seed 1 --no-store >out || status=$?
[ $status = 1 ] && grep -q 'n = 500' out || { cat out && exit 1; }
warren --version
[ -e /usr/share/man/man3/warren.3.gz ]
dpkg -P libwarren-dev warren libwarren0 >log 2>&1 || { cat log && exit 1; }
[ ! -e /usr/include/warren.h ] && [ ! -e /usr/bin/warren ]
END
# A copy of the system is what is written over it, in a mount namespace that ends with the shell.
over='mkdir -p "$1/at" && mount -t tmpfs none "$1/at" && mkdir "$1"/at/{up,work,root} &&
    mount -t overlay none -o "lowerdir=/,upperdir=$1/at/up,workdir=$1/at/work" "$1/at/root" &&
    mount --bind /proc "$1/at/root/proc" && mount --bind /dev "$1/at/root/dev"'
if [ "$(id -u)" != 0 ] || ! unshare -m bash -c "$over" - "$work" 2>/dev/null; then
    echo "== cannot make a copy of this system: not installed"
    exit 0
fi
echo "== installed, used, removed"
unshare -m bash -c "$over"' && exec chroot "$1/at/root" bash "$1/inside.sh" "$1"' - "$work"
