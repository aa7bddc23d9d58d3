#!/bin/bash
# down.sh FOLDER: stops the cluster that up.sh started there. Its data stay.
as_postgres() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
for data in "$1"/*/; do
  [ -f "$data/postmaster.pid" ] && as_postgres "/usr/lib/postgresql/${PG_VERSION:-15}/bin/pg_ctl" -D "$data" -m fast -w stop >/dev/null
done
true
