#!/bin/bash
# up.sh FOLDER [WORKERS] [PORT]: starts a cluster for tests on this machine: a coordinator on PORT (9700), workers on the next ones (2).
set -euo pipefail
folder=$1 workers=${2:-2} first=${3:-9700} bin=/usr/lib/postgresql/${PG_VERSION:-15}/bin
as_postgres() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups env -i LC_ALL=C PATH="$PATH" "$@"; else "$@"; fi; }
query() { "$bin/psql" -h 127.0.0.1 -p "$1" -U postgres -v ON_ERROR_STOP=1 -qAtc "$2"; }
mkdir -p "$folder"
chmod 755 "$folder"
[ "$(id -u)" != 0 ] || chown postgres "$folder"
for port in $(seq "$first" $((first + workers))); do
  data=$folder/$port
  if [ ! -d "$data" ]; then
    # The locale of the server that the tests start themselves: what is a word for a full-text search depends on it.
    as_postgres "$bin/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
    printf '%s\n' "port = $port" "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" "max_connections = 300" \
      "max_worker_processes = 100" "max_prepared_transactions = 600" "wal_level = logical" \
      "shared_preload_libraries = 'citus'" "citus.enable_statistics_collection = off" >>"$data/postgresql.conf"
    # Minor versions that do not know the setting refuse to start with it.
    as_postgres "$bin/postgres" -D "$data" -C output_plugin_libraries >/dev/null 2>&1 &&
      echo "output_plugin_libraries = 'pgoutput, test_decoding, citus'" >>"$data/postgresql.conf"
  fi
  as_postgres "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1 || as_postgres "$bin/pg_ctl" -D "$data" -w -l "$data.log" start >/dev/null
  query "$port" 'create extension if not exists citus' 2>/dev/null
done
query "$first" "select citus_set_coordinator_host('127.0.0.1', $first)" >/dev/null
for port in $(seq $((first + 1)) $((first + workers))); do query "$first" "select citus_add_node('127.0.0.1', $port)" >/dev/null; done
echo "CITUS_URL=postgres://postgres@127.0.0.1:$first/postgres"
