#!/bin/sh
# Makes a Debian with Ruby and without a compiler and make, for the test that installs the gem there. For root; takes
# minutes and 260 MB, once.
#
#   test/support/bare_system.sh                # in /var/tmp/frugal-bare-system
#   test/support/bare_system.sh /mnt/system
set -eu

system=${1:-/var/tmp/frugal-bare-system}
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
[ ! -x "$system/usr/bin/ruby" ] || exit 0
[ "$(id -u)" = 0 ] || { echo "frugal: $0 needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "frugal: $0 needs Debian's package debootstrap" >&2; exit 1; }
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\(http[^ ]*\) .*/\2/p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)

# Complete or not at all: an interrupted one has another name.
rm -rf "$system".[0-9]*
debootstrap --variant=minbase --include=ruby "$release" "$system.$$" "${mirror:-http://deb.debian.org/debian}"
rm -rf "$system.$$/var/cache/apt" "$system.$$/var/lib/apt/lists"
mv "$system.$$" "$system"
