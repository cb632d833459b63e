#!/usr/bin/env bash
# What is to be read is a file: a FIFO to which nobody writes, a device without an end, a socket are
# refused at once by every command that takes a file, and none of them waits.
source "$(dirname "$0")/common.bash"
mkfifo pipe pipe.log
python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("socket")'
mkdir results && mkfifo results/journal.jsonl

# refused WHAT COMMAND...: ends by itself, with a status of its own and a sentence on the file.
refused()
{
    local what=$1 got
    shift
    timeout 60 "$@" </dev/null >out.txt 2>err.txt
    got=$?
    err=$(cat err.txt)
    ((got != 0 && got < 124)) || fail "$what: exit status $got; stderr: $err"
    [[ $err == *FIFO* || $err == *device* || $err == *regular* || $err == *socket* ]] || fail "$what: $err"
}

for file in pipe pipe.log /dev/zero socket; do
    refused "log check $file" "$WARG" log check "$file"
    refused "log show $file" "$WARG" log show "$file"
    refused "log stats $file" "$WARG" log stats "$file"
    refused "lang check $file" "$WARG" lang check "$file"
    refused "rules show $file" "$WARG" rules show "$file"
    refused "run --rules $file" "$WARG" run --rules "$file" --games 1
    refused "run $file" "$WARG" run "$file"
    refused "run --starter $file" "$WARG" run --starter "$file"
    refused "maw --rules $file" "$WARG" maw --rules "$file"
    refused "serve nlp -c $file" "$WARG" serve nlp -c "$file" --check
    refused "operator-file $file" "$WARG" serve nlp -c "$WARG_SOURCE/config/nlp/default_en_5.yml" --port 0 --operator-file "$file"
    refused "tls-cert $file" "$WARG" serve nlp -c "$WARG_SOURCE/config/nlp/default_en_5.yml" --port 0 --tls-cert "$file" --tls-key "$file"
    refused "bot nlp --ca $file" "$WARG" bot nlp -u wss://127.0.0.1:1/ws -t x --ca "$file"
    refused "play --ca $file" "$WARG" play --url wss://127.0.0.1:1/ws --team x --ca "$file"
    WARG_PASSWORD=x refused "join --ca $file" "$WARG" join -x a@localhost -g b@localhost --host 127.0.0.1 --port 1 --ca "$file"
    refused "standings $file" "$WARG" standings "$file"
    refused "report $file" "$WARG" report "$file"
done
refused 'standings of a folder' "$WARG" standings results
refused 'report of a folder' "$WARG" report results

# Within a folder of results, too.
games=(-n 5 -g 2 -a 'bot:sample*5' -q)
refused 'replay of a folder' "$WARG" run "${games[@]}" --replay results
refused 'resume of a folder' "$WARG" run "${games[@]}" --out results --resume
"$WARG" run "${games[@]}" --out played >out.txt 2>&1 || fail "a contest: $(cat out.txt)"
head -n 2 played/journal.jsonl >lines && cp -r played begun && mv lines begun/journal.jsonl
rm begun/secret/key && mkfifo begun/secret/key
refused 'resume with a key' "$WARG" run "${games[@]}" --out begun --resume
mkdir no-faults && mkfifo no-faults/faults.jsonl
refused 'faults' "$WARG" run "${games[@]}" --out no-faults
rm -f played/results.db && mkfifo played/results.db
refused 'results of a folder' "$WARG" standings played
refused 'results of a folder for a report' "$WARG" report played

# `log show` looks into it for substitutes, and does without.
mkdir shown && cp -r played/logs played/journal.jsonl shown && mkfifo shown/faults.jsonl
timeout 20 "$WARG" log show shown/logs/000.log >out.txt 2>&1 || fail "log show beside a FIFO: $(cat out.txt)"

# Links do not lead what is written out of the folder.
mkdir linked && ln -s ../outside linked/journal.jsonl
timeout 20 "$WARG" run "${games[@]}" --out linked >out.txt 2>&1 && fail 'a journal that is a link'
[[ ! -e outside ]] || fail 'a journal was made where a link points to'
grep -q 'is a link' out.txt || fail "a journal that is a link: $(cat out.txt)"

# What a shell has opened is no FIFO that waits.
"$WARG" lang check <(echo 'COMINGOUT Agent[01] SEER') >out.txt 2>&1 || fail "a shell's pipe: $(cat out.txt)"
echo 'COMINGOUT Agent[01] SEER' | "$WARG" lang check /dev/stdin >out.txt 2>&1 ||
    fail "standard input by name: $(cat out.txt)"

finish
