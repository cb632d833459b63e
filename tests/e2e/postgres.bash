# postgres.bash - a PostgreSQL server of the script's own, on a socket in its folder and on no network.
# Sourced behind common.bash; ends the script as skipped where PostgreSQL isn't installed.
#
#   postgres_begin     starts it; $postgres is then its connection string
#   postgres_end       ends it; what it held is gone with the script's folder
#
# PostgreSQL refuses to run as root: then it is the user nobody, to whom its folder belongs.

postgres_run()
{
    if ((EUID == 0)); then
        (cd "$postgres_folder" && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
    else
        (cd "$postgres_folder" && exec "$@")
    fi
}

postgres_begin()
{
    local programs
    programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
    [[ -x $programs/initdb ]] || { echo 'skipped: PostgreSQL is not installed (postgresql-15)'; exit 77; }
    postgres_folder=$(mktemp -d)
    ((EUID == 0)) && chown 65534:65534 "$postgres_folder"
    LC_ALL=C postgres_run "$programs/initdb" -D db -A trust -U warg -E UTF8 -N --locale=C >postgres.log 2>&1 ||
        { fail "initdb: $(tail -n 3 postgres.log)"; finish; }
    postgres_run setsid "$programs/postgres" -D db -k "$postgres_folder" -c listen_addresses= -c fsync=off \
        >>postgres.log 2>&1 &
    postgres_process=$!
    trap 'postgres_end; kill $server 2>/dev/null; rm -rf "$work"' EXIT
    ready() { grep -q '^ready' "$postgres_folder/db/postmaster.pid" 2>/dev/null; }
    until_true 100 ready || { fail "PostgreSQL does not start: $(tail -n 3 postgres.log)"; finish; }
    # shellcheck disable=SC2034 # for the scripts
    postgres="host=$postgres_folder user=warg dbname=postgres"
}

postgres_end()
{
    local process
    process=$(head -n 1 "$postgres_folder/db/postmaster.pid" 2>/dev/null)
    [[ $process ]] && kill -QUIT "$process" 2>/dev/null
    wait "$postgres_process" 2>/dev/null
    rm -rf "$postgres_folder"
}
