# debs.sh STEP: looks at made/*.deb, and unpacks them into root.
set -eu
case $1 in
control) # what they say of themselves
  for deb in made/*.deb; do
    dpkg-deb -f "$deb" Package Version Architecture Section Maintainer Depends Description
  done
  ;;
rights) # files that are not root's alone to write, that are in two packages, or outside of /usr
  for deb in made/*.deb; do dpkg-deb -c "$deb"; done >all
  grep -vE '^(-r[w-][x-]r-[x-]r-[x-]|drwxr-xr-x|lrwxrwxrwx) root/root ' all || true
  grep -v '^d' all | awk '{print $6}' | sort | uniq -d
  awk '$6 !~ "^[.]/(usr/.*)?$" {print $6}' all
  ;;
files) # PACKAGE:FILE, and where a link leads
  for deb in made/*.deb; do
    dpkg-deb -c "$deb" | awk -v deb="$deb" '{sub(".*/", "", deb); sub("_.*", "", deb); print deb ":" $6 $7 $8}'
  done
  ;;
unpack) # and each file is what its sum says
  mkdir root
  for deb in made/*.deb; do
    dpkg-deb -x "$deb" root
    dpkg-deb --ctrl-tarfile "$deb" | tar xO ./md5sums >sums
    (cd root && md5sum --quiet -c ../sums)
  done
  ;;
symbols) # what the library shows beyond its header's
  nm -D --defined-only "$(find root -name libtile.so.1)" | awk '{print $3}' | grep -vE '^(tile_.*|TILE_1)(@@.*)?$' || true
  ;;
program) # a stranger's, built and run with what is in root
  export PKG_CONFIG_PATH="$(dirname "$(find root -name tile.pc)")" LD_LIBRARY_PATH="$(dirname "$(find root -name libtile.so.1)")"
  cc -std=c11 work/add.c $(pkg-config --cflags --libs tile) -o work/add
  work/add work/add.mlir
  ;;
esac
