#!/usr/bin/env bash
# Metrics by team are for operators, and tell of games that are over only; what config/monitoring/
# asks for is printed by the servers.
source "$(dirname "$0")/common.bash"
printf '%s\n' 'a token of an operator, 40 characters long' >key && chmod 600 key
mine="Authorization: Bearer $(cat key)"
crowd=()
trap 'kill $server "${crowd[@]}" 2>/dev/null; rm -rf "$work"' EXIT

# metrics FILE CURL-OPTION...: the status stands in $said.
metrics()
{
    said=$(curl -s -o "$1" -w '%{http_code}' "${@:2}" "http://$address/metrics")
}

# ---- natural language ----

sed 's/self_match: true/self_match: false/; s/duration: 10m/duration: 2s/' \
    "$WARG_SOURCE/config/nlp/freeform_en_5.yml" >table.yml
launch nlp.out nlp.err "$WARG" serve nlp -c table.yml --port 0 --games 1 --stay --operator-file key
await nlp nlp.err 'listening on' || exit 1
address=$(grep -oE '127\.0\.0\.1:[0-9]+' nlp.err | head -n 1)
for team in ann ben cho dai 'e"v\e'; do
    "$WARG" bot nlp --url "ws://$address/ws" --quiet --team "$team" -n 1 >bot.txt 2>&1 &
    crowd+=($!)
done
await 'a game' nlp.err 'game-begun' || exit 1
looks=0
for ((i = 0; i < 2000; i++)); do
    metrics running.txt -H "$mine"
    grep -q 'game-over' nlp.err && break # behind the look: what it has may be of the end
    grep -q 'team=' running.txt && fail "the metrics of a running game: $(grep 'team=' running.txt | head -n 3)"
    looks=$((looks + 1))
done
((looks > 2)) || fail "the game was over before it was looked at: $looks"
await 'its end' nlp.err 'complete' || exit 1
metrics nlp.txt -H "$mine"
for line in 'warg_nlp_team_games_total{team="ann"} 1' \
    'warg_nlp_team_games_total{team="e\"v\\e"} 1' \
    'request="DIVINE",le="+Inf"' 'request="VOTE",le="+Inf"'; do
    grep -qF "$line" nlp.txt || fail "no '$line': $(grep team nlp.txt | head -n 5)"
done
metrics public.txt
[[ $said == 200 ]] || fail "the public's metrics: $said"
! grep -q 'nlp_team_' public.txt || fail "the public's metrics: $(grep nlp_team_ public.txt | head -n 3)"
metrics wrong.txt -H 'Authorization: Bearer wrong'
! grep -q 'nlp_team_' wrong.txt || fail 'a wrong token opens metrics'
kill "$server"
wait "$server"
server=

# ---- the protocol division ----

serve aiwolf --http 0 --operator-file key --players 5 --games 3 --agent 'bot:sample*4' --sets 2
address=$(grep -oE '127\.0\.0\.1:[0-9]+/api' aiwolf.err)
address=${address%/api}
"$WARG" bot aiwolf --port "$port" --name ann >bot.txt 2>&1 || fail "a bot: $(cat bot.txt)"
ann_is_counted()
{
    metrics aiwolf.txt -H "$mine"
    grep -qF 'warg_aiwolf_team_games_total{team="ann"} 3' aiwolf.txt
}
until_true "$patience" ann_is_counted || fail "$(head -n 30 aiwolf.txt)"
metrics public.txt
[[ $said == 403 ]] || fail "the public's metrics: $said"
kill "$server"
wait "$server" 2>/dev/null
server=

# ---- a contest site ----

"$WARG" contest init site >init.txt || fail "init: $(cat init.txt)"
sed -i 's,^listen:.*,listen: 127.0.0.1:0,; s,^public_url:.*,public_url: http://127.0.0.1,' site/server.yml
launch site.out site.err "$WARG" contest serve site
await 'the site' site.out 'listening' || exit 1
# An administrator, by its user.
curl -s --unix-socket site/data/admin.sock http://127.0.0.1/metrics >site.txt
grep -q '^warg_runner_up ' site.txt || fail "the site's metrics: $(head -n 5 site.txt)"
address=127.0.0.1:$(sed -n 's/.* port //p' site.out)
metrics public.txt
[[ $said == 401 ]] || fail "the site's metrics for the public: $said"
kill "$server"
wait "$server" 2>/dev/null
server=

# ---- what is asked for is there ----

for file in alerts.yml contest-alerts.yml contest-prometheus.yml dashboard.json prometheus.yml; do
    [[ -r $WARG_SOURCE/config/monitoring/$file ]] || fail "no $file"
done
python3 - "$WARG_SOURCE/config/monitoring" nlp.txt aiwolf.txt site.txt <<'PYTHON' || fail 'the files of config/monitoring'
import json, re, sys
folder, *answers = sys.argv[1:]
printed, labels = set(), {}
for answer in answers:
    for line in open(answer, encoding="utf-8"):
        found = re.match(r"(warg_[a-z_]+)(?:\{(.*)\})? [0-9.]+$", line.rstrip("\n"))
        assert found or line.startswith("# "), line
        if found:
            printed.add(found[1])
            labels.setdefault(found[1], set()).update(re.findall(r'([a-z]+)="', found[2] or ""))
text = ""
for name in "alerts.yml", "contest-alerts.yml":
    text += open(folder + "/" + name, encoding="utf-8").read()
board = json.load(open(folder + "/dashboard.json", encoding="utf-8"))
asked = [line.split(":", 1)[1] for line in text.splitlines() if line.strip().startswith("expr:")]
asked += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
for expression in asked:
    for name, chosen in re.findall(r"\b(warg_[a-z_]+)(?:\{([^}]*)\})?", expression):
        if name not in printed:
            sys.exit(f"{name} is printed by no server: {expression}")
        for label in re.findall(r'([a-z]+)=~?"', chosen):
            if label not in labels[name]:
                sys.exit(f"{name} has no label {label}: {expression}")
if len(asked) < 40:
    sys.exit(f"only {len(asked)} expressions were looked at")
PYTHON
if command -v promtool >/dev/null; then
    promtool check rules "$WARG_SOURCE/config/monitoring"/*alerts.yml >rules.txt 2>&1 || fail "$(cat rules.txt)"
    cp "$WARG_SOURCE/config/monitoring/contest-alerts.yml" "$WARG_TEST_DATA/monitoring/contest-alerts-test.yml" .
    promtool test rules contest-alerts-test.yml >rules.txt 2>&1 || fail "$(cat rules.txt)"
    for file in nlp.txt aiwolf.txt site.txt; do
        promtool check metrics <"$file" >metrics.txt 2>&1 || fail "$file: $(cat metrics.txt)"
    done
else
    echo 'skipped: promtool, it is not here: rules and figures were compared by their names alone'
fi

finish
