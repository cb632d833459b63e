#!/bin/sh
# Writes an assembler file that puts files into the program, for src/web/assets.c:
#
#     embed.sh OUTPUT.S FOLDER [FILE...]
#
# FOLDER gets what is embedded: each file packed, `gzip -9n`. The assembler file holds the SHA-256 of
# each, so that it is another text when a file has changed: else nobody would link it anew.
set -eu
output=$1 folder=$2
shift 2
mkdir -p "$folder"

{
    echo "/* Made by src/web/embed.sh: what src/web/assets.c reads. */"
    echo "    .section .rodata"
    echo "    .balign 8"
    echo "    .globl warg_dist_count, warg_dist_table, warg_dist_bytes"
    echo "warg_dist_count:"
    echo "    .quad $#"
    echo "warg_dist_table:"
    number=0
    for file in "$@"; do
        size=$(wc -c <"$file")
        # Where in the bytes its name, digest and packed bytes are, and how many bytes it has.
        echo "    .quad name$number - warg_dist_bytes, digest$number - name$number"
        echo "    .quad digest$number - warg_dist_bytes, packed$number - digest$number"
        echo "    .quad packed$number - warg_dist_bytes, end$number - packed$number, $((size))"
        number=$((number + 1))
    done
    echo "warg_dist_bytes:"
    number=0
    for file in "$@"; do
        name=${file##*/}
        digest=$(sha256sum "$file")
        digest=${digest%% *}
        gzip -9nc "$file" >"$folder/$name.gz"
        echo "name$number: .ascii \"$name\""
        echo "digest$number: .ascii \"$digest\""
        echo "packed$number: .incbin \"$folder/$name.gz\""
        echo "end$number:"
        number=$((number + 1))
    done
    echo "    .section .note.GNU-stack, \"\", %progbits"
} >"$output"
