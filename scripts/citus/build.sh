#!/bin/bash
# build.sh FOLDER [TAG]: builds Citus for the PostgreSQL of Debian, and installs it beside it. As root; takes some minutes.
set -euo pipefail
folder=$1 tag=${2:-v13.2.2} version=${PG_VERSION:-15}
apt-get install -y -qq git make gcc flex "postgresql-$version" "postgresql-server-dev-$version" libicu-dev liblz4-dev libzstd-dev \
  libssl-dev libkrb5-dev libpam0g-dev libxml2-dev libxslt1-dev libreadline-dev libselinux1-dev zlib1g-dev >/dev/null
[ -d "$folder/src" ] || git clone --quiet --depth 1 --branch "$tag" https://github.com/citusdata/citus "$folder/src"
cd "$folder/src"
# Minor versions of PostgreSQL since 15.19 export a function of the same name.
grep -rl have_createdb_privilege src/include/pg_version_compat.h src/backend |
  xargs sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
./configure --without-libcurl PG_CONFIG="/usr/lib/postgresql/$version/bin/pg_config" >configure.log
make -s -j"$(nproc)" with_llvm=no >make.log 2>&1
make -s install with_llvm=no >>make.log 2>&1
