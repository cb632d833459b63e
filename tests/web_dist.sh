#!/usr/bin/env bash
# Whether web/dist was built from the sources that lie beside it: compares the digests in INPUTS with
# the tree. Needs no Node, so who changes a page and not the bundle is told so on any machine.
#
# web_dist.sh [FOLDER_OF_WEB]
set -u
web=${1:-$(dirname "$(readlink -f "$0")")/../web}
export LC_ALL=C

# The same list as web/inputs.mjs makes.
inputs()
{
    (
        cd "$web" || exit 1
        {
            find src -type f -print
            printf '%s\n' build.mjs export.template.html package-lock.json
            printf 'dist/%s\n' app.css app.js contest.js export.html icon.svg site.css site.js
        } | sort | xargs -d '\n' sha256sum
    )
}

if ! changed=$(diff <(inputs) "$web/dist/INPUTS"); then
    printf '%s\n' "$changed" | sed -n 's/^[<>] [0-9a-f]\{64\}  /changed since the bundle was built: web\//p' | sort -u
    printf 'build it anew: ./dev web\n'
    exit 1
fi
printf 'web/dist is up to date\n'
