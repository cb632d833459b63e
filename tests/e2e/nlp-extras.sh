#!/usr/bin/env bash
# What a natural-language server has done outside: characters made up by a model, notices to a webhook,
# speech as a live playlist. A service that fails costs nothing but what it was for.
source "$(dirname "$0")/common.bash"

# services good|bad: starts the services; their port is in $services_port.
services()
{
    python3 "$agents/outside_services.py" "$1" >"services-$1.txt" 2>/dev/null &
    services=$!
    await services "services-$1.txt" '^port' || exit 1
    services_port=$(sed -n 's/^port //p' "services-$1.txt")
}

# play NAME: one game of five bots on a server with everything switched on.
play()
{
    "$WARG" serve nlp -c extras.yml --port 0 --games 1 2>"$1.err" &
    server=$!
    await "$1" "$1.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$1.err" | head -n 1)
    "$WARG" bot nlp --url "ws://$address/ws" --team kano -n 5 --quiet >"$1.bots" 2>&1 ||
        fail "$1: $(cat "$1.bots")"
    wait "$server" || fail "$1: the server ended with $?: $(tail -n 3 "$1.err")"
    server=
}

# ffmpeg and ffprobe of the test: a segment is a copy, a length is a twentieth of a second
mkdir bin
cat >bin/ffmpeg <<'SH'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -i ] && from=$2; shift; done
cp "$from" "$1"
SH
cat >bin/ffprobe <<'SH'
#!/bin/sh
echo 0.05
SH
chmod +x bin/ffmpeg bin/ffprobe

python3 - "$WARG_SOURCE/config/nlp/default_en_5.yml" >extras.yml <<'PY'
import re, sys
text = open(sys.argv[1]).read()
def switch(text, block):  # the first `enable:` behind the block's name
    at = text.index(block + ":")
    return text[:at] + re.sub(r"enable: false", "enable: true", text[at:], count=1)
for block in ("dynamic_profile", "tts_broadcaster", "slack_notifier"):
    text = switch(text, block)
print(text)
PY

export OPENAI_API_KEY=a-key
services good
export OPENAI_BASE_URL=http://127.0.0.1:$services_port/v1
export SLACK_WEBHOOK_URL=http://127.0.0.1:$services_port/hook AIWOLF_TTS_HOST=http://127.0.0.1:$services_port
sed -i "s#ffmpeg_path:.*#ffmpeg_path: $PWD/bin/ffmpeg#; s#ffprobe_path:.*#ffprobe_path: $PWD/bin/ffprobe#
        s#min_interval:.*#min_interval: 10ms#" extras.yml
play good
grep -qE ',ALIVE,kano[1-5],Name[a-z]{2}$' log/game/*.log ||
    fail "the model's characters do not play: $(head -n 5 log/game/*.log)"
grep -q '^/hook .*started' services-good.txt || fail "no notice of the start: $(cat services-good.txt)"
grep -q '^/hook .*ended' services-good.txt || fail 'no notice of the end'
grep -q '^/synthesis' services-good.txt || fail 'nothing was spoken'
ls cache/segment/*/segment_*.ts >segments.txt 2>&1 || fail "no segments: $(cat good.err)"
grep -q 'EXTINF' cache/segment/*/playlist.m3u8 || fail 'an empty playlist'
kill "$services"

rm -r log
services bad
export OPENAI_BASE_URL=http://127.0.0.1:$services_port/v1
export SLACK_WEBHOOK_URL=http://127.0.0.1:1/hook AIWOLF_TTS_HOST=http://127.0.0.1:1
play bad
grep -q 'characters of the configuration are taken' bad.err || fail "says nothing: $(cat bad.err)"
grep -qE ',ALIVE,kano[1-5],' log/game/*.log || fail 'no game without the services'
grep -qE '^[0-9]+,result,.*(VILLAGER|WEREWOLF)$' log/game/*.log || fail 'no result without services'
kill "$services"

finish
