#!/usr/bin/env bash
# The contest of contest-site.sh once more, with PostgreSQL as its store. docs/spec/contest-operations.md 12, O41.
export WARG_SITE_STORE=postgresql
exec bash "$(dirname "$0")/contest-site.sh"
