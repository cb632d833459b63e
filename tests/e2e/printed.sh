#!/usr/bin/env bash
# What commands print for inputs that are always the same stands in tests/golden/printed, a file a topic,
# byte for byte: standard output, then standard error with `! ` before each line, then the exit status.
#
# Where a change of the output is meant: WARG_GOLDEN=write bash tests/e2e/printed.sh (with WARG and
# WARG_SOURCE in the environment), and read the difference before it is committed.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
skip_under_tsan 'what is printed is a matter of one thread'

golden=$WARG_SOURCE/tests/golden/printed
ln -s "$WARG_TEST_DATA" data
cp -r data/journal cup
cp -r data/report faulty
cp -r data/journal-old old
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=100

# warg WORD...: runs it, and notes what it prints under $topic. `limit=SECONDS warg` ends it after that.
warg()
{
    {
        printf '$ warg'
        printf ' %s' "${@@Q}"
        echo
        timeout "${limit:-60}" "$WARG" "$@" >stdout.txt 2>stderr.txt </dev/null
        local status=$?
        sed -E 's#[0-9,]+ (games/s|ゲーム/秒)#N \1#; s/("games_per_s":)[0-9.]+/\1N/
            /^Models:/{s/[0-9]+/N/g; s/, N the demo.*/./}' stdout.txt
        sed 's/^/! /' stderr.txt
        echo "= $status"
    } >>"$topic.txt"
}

# same TOPIC: what was noted is what stands in the golden file.
same()
{
    if [[ ${WARG_GOLDEN:-} == write ]]; then
        mkdir -p "$golden"
        cp "$1.txt" "$golden/$1.txt"
    elif ! diff -U 2 "$golden/$1.txt" "$1.txt" >difference.txt; then
        fail "$1: $(head -n 40 difference.txt)"
    fi
}

# ---- standings of a journal ----

topic=standings
for lang in en ja; do
    warg standings --lang $lang cup
    warg standings --lang $lang --faults faulty
    warg standings --lang $lang --ratings cup
done
warg standings faulty
warg standings --stage final --format csv cup
warg standings --format json faulty
warg standings --ratings --format json cup
warg standings --ratings --format csv cup
warg standings --faults --format json faulty
warg standings --faults --format csv faulty
warg standings cup faulty
warg standings old
warg standings --stage 2 cup
warg standings --stage preliminary --ratings cup
same standings

# ---- logs of games ----

topic=logs
five=data/aiwolf-logs/wire/default-5p-game1.log.gz
truck=data/nlp-logs/inlg2025_truck5_game2.log
warg log show $five
warg log show --seat 2 --lang ja $five
warg log show --seat 3 --reveal --color always $five
warg log show --seat 4 $truck
warg log show --color always data/nlp-logs/jsai2026_truck_freeform5_game6.log
warg log check data/aiwolf-logs/wire data/nlp-logs/nlp2025_1734125235.log
warg log check --json --rules aiwolf-2021 $five data/aiwolf-logs/wire/options-a-15p.log.gz
warg log check --quiet --rules data/rules/options-b.yml data/aiwolf-logs/wire/options-b-15p.log.gz $five
warg log stats data/aiwolf-logs/java-server
warg log stats --format csv data/aiwolf-logs/wire
warg log stats --format json data/nlp-logs
same logs

# ---- games of built-in bots, and what is kept of them ----

topic=games
warg run -n 5 -g 60 -s 7 -j 1 -q -a 'bot:sample*3' -a bot:random,name=r1 -a bot:random,name=r2 -o kept
warg run -n 5 -g 60 -s 7 -j 1 -q --format json -a 'bot:sample*3'
warg run -n 5 -g 60 -s 7 -j 1 -q --format csv --language ja -a 'bot:sample*4' -a bot:random
warg run -n 15 -g 20 -s 7 -j 1 -q --language ja
warg run -g 40 -s 3 -j 1 -q -r aiwolf-2019 -n 5 --pairing rotate -a 'bot:sample*6' -a bot:random --roles random=SEER
warg run -s 3 -j 1 -q -n 5 --games-per-set 10 --sets 400 -a 'bot:sample*4' -a bot:random --sprt elo0=0,elo1=40 \
    --challenger random
warg log list kept
warg log list --agent r1 --won --role SEER kept
warg log list --agent r2 --lost --json kept
warg log list --language ja --agent sample1 --role WEREWOLF kept
warg standings --ratings kept
same games

# ---- sessions of MAW among bots ----

topic=sessions
warg maw -n 7 -g 2 -s 5 --id golden --language en -o session
warg maw -n 7 -s 6 --id golden --language ja
warg maw -n 5 -s 6 --id golden --json
# A model makes the clock a real one: given up in the first day, however far the model is by then.
limit=9 warg maw -n 6 -s 2 --id golden --llm demo -q --bots 5
warg log show session
warg log show --seat 1 --lang ja session
warg log check session/session.jsonl
all=data/maw/session-shown.jsonl # every event that a transcript has words for; made by hand
warg log show $all
warg log show --lang ja --color always $all
for seat in Ann Bo Cy Di Ed Gus Bob Nobody; do
    warg log show --seat $seat $all
done
head -c -30 $all >cut.jsonl
warg log show cut.jsonl
head -c 20000 $all | sed '3s/Bo/Bo"/' >wrong.jsonl
warg log show wrong.jsonl
same sessions

# ---- sentences and rules ----

topic=sentences
head -n 400 data/language/corpus.txt | awk 'NR % 20 == 1' >some.txt
warg lang check some.txt
warg lang check --strict some.txt
warg lang check --vectors data/language/vectors.tsv --vectors data/language/divergence.tsv
warg lang explain --speaker 3 'BECAUSE (DAY 1 (DIVINED Agent[03] WEREWOLF)) (REQUEST ANY (VOTE Agent[03]))' \
    'Agent[02] ESTIMATE Agent[05] SEER' Skip 'VOTE'
warg lang explain --json 'XOR (VOTE Agent[01]) (AND (GUARD ANY) (NOT (COMINGOUT Agent[02] ANY)))'
warg rules list
warg rules list --format csv
warg rules list --format json
warg rules show aiwolf-2021
same sentences

# ---- help ----

topic=help
warg --help
for command in run serve standings report audit bundle contest agent bot play maw join token llm lang log rules completion version; do
    warg "$command" --help
done
for command in 'serve aiwolf' 'serve nlp' 'serve maw' 'contest lot' 'contest findings' 'contest rule' 'agent check' 'bot aiwolf' 'bot nlp' 'token player' 'token receiver' 'token check' 'llm check' \
    'lang check' 'lang explain' 'log check' 'log stats' 'log show' 'log list' 'rules list' 'rules show'; do
    # shellcheck disable=SC2086
    warg $command --help
done
same help

# ---- what only a file of logs tells ----

topic=folders
mkdir alone
cp $all alone/session.jsonl
warg standings alone
warg standings --ratings alone
warg report --output alone.html alone
warg log list session
warg log list --json session
warg log stats session
warg log stats --format csv session
warg log stats --format json session
warg log check --json session/session.jsonl
warg standings --format csv old
warg standings --format json old
warg standings --ratings --format json cup faulty
warg standings --faults --format csv cup
warg log list old
same folders

# ---- command lines that are wrong ----

topic=mistakes
warg
warg rum
warg run --game 5
warg run -g 0
warg run -g x
warg run -n 31
warg run -n 5 -a bot:sampel
warg run -n 5 -a 'name=x,cmd='
warg run -n 5 -a 'bot:sample*0'
warg run -n 5 --roles a=SEER
warg run -n 5 -a bot:sample,name=a --roles a=CHIEF
warg run -r nothing
warg run -r absent.yml
warg run --resume
warg run --pairing pairs
warg run --sprt elo0=5,elo1=1 --challenger a
warg run --challenger a
warg run --tables 0
warg run --time-limit 5x
warg run --replay
warg run --replay cup --game x
warg run absent.yml
warg run cup.yml more.yml
warg run --starter absent.cfg
warg run -o cup -n 5 -g 1
warg serve aiwolf -- nlp --check
warg serve aiwolf -p 70000
warg serve aiwolf -n 2
warg serve aiwolf --resume
warg serve aiwolf --once --sets 2
warg serve aiwolf -o one -- aiwolf -p 0 -o one
warg serve aiwolf -o one --open-results -- aiwolf -p 0 -o two
warg serve nlp -c absent.yml
warg serve nlp --check --tls-cert a.pem
warg serve nlp -r -s absent.yml
warg standings
warg standings absent
warg standings --stage nothing cup
warg standings --stage 7 cup
warg standings --format xml cup
warg standings data/language
warg report
warg report absent
warg report --output absent/x.html cup
warg bot
warg bot aiwolf -p 0
warg bot nlp -u http://a
warg bot nlp --fault-rate 101
warg play -p 1 -u ws://a
warg play --token-file absent -u ws://localhost:1/ws
warg maw -n 2
warg maw --bots 50
warg maw --llm x
warg maw --component a
warg maw --plain
warg maw --id 'a b'
warg maw -r absent.yml
warg maw --context-load absent
warg join
warg join -x a
warg join -x a@b -g c
warg token
warg token player --key k
warg token player --key k --team 'a b' --expires 1x
warg token check --key k x.y.z
warg token check
warg llm
warg llm check
warg agent check
warg agent check --agent bot:sample
warg llm check ftp://a -m x
warg lang
warg lang check absent.txt
warg lang check --vectors data/language/vectors.tsv some.txt
warg lang check --vectors data/language/vectors.tsv --strict
warg lang check --vectors some.txt
warg lang explain --speaker 0 Skip
warg log
warg log show
warg log show absent.log
warg log show --seat 9 $five
warg log show --seat nobody session
warg log show --reveal $five
warg log check --rules nothing $five
warg log list absent
warg log list --won kept
warg log list --agent r1 --won --lost kept
warg log list --agent nobody kept
warg log stats data/language
warg rules
warg rules show
warg rules show nothing
warg completion
warg completion tcsh
warg help nothing
warg version now
unset SECRET_KEY OPENAI_API_KEY
warg bot nlp --team ''
warg bot nlp --team ann1
warg bot nlp --team $'a\tb'
warg bot nlp --kind talker --llm demo
warg bot nlp --language en
warg bot nlp --time-limit 5s
warg bot aiwolf --bot sample --llm demo
warg bot aiwolf --language ja
warg join -x a@b -g c@d --me --bot talker
warg llm check http://localhost:1
warg llm check http://localhost:1 -m x --think much
warg run --replay cup --game 0 --stage nothing
warg run --sprt elo0=0,elo1=5
warg run -z
warg run -r nlp-anytime -a cmd=true
warg run -a sample
warg run -a bot:sample,nam=x
warg run -a bot:sample,name=
warg run -a name=a,port=1,cmd=true
warg run -a name=a,copies=0,cmd=true
warg run -a name=a,copies=x,cmd=true
warg run -a name=a
warg run -a name=a,folder=absent,cmd=true
warg run -a llm:demo,model=
warg run -a llm:http://localhost:1
warg run -a llm:http://localhost:1,model=m,temperature=3
warg run -a llm:http://localhost:1,model=m,think=much
warg run -a llm:http://localhost:1,model=m,parallel=0
warg report cup faulty
warg token player --team ann
warg token player --key k --team 123
warg token player --key k --team ann1
warg token player --key k --team $'\xff'
warg token player --key k --team "$(printf '%0300d' 0 | tr 0 a)"
warg serve aiwolf -r maw
warg serve aiwolf -n 5 -a 'bot:sample*5'
warg serve aiwolf --http here
warg serve aiwolf --out one --http 99999
warg serve nlp --json
warg serve nlp --port 1 a.yml b.yml
warg serve nlp --fill-with demo --tls-cert a.pem --tls-key b.pem
warg maw --operator --me Ann
warg maw --me 'a/b'
warg maw -n 6 --bots 3
warg maw -n 6 --bots 7
warg maw --seed x
warg maw --llm demo --llm demo*9 -n 5
same mistakes

# ---- contest files that are wrong ----

# contest LINE...: runs a contest file of these lines.
contest()
{
    printf '%s\n' "$@" >contest.yml
    sed 's/^/  /' contest.yml >>"$topic.txt"
    warg run -q contest.yml
}

topic=contests
contest ''
contest '- a'
contest 'agents: 5'
contest 'agents: []'
contest 'agents: [{bot: sample}]'
contest 'agents: [{name: a}]'
contest 'agents: [{name: a, bot: sample, command: x}]'
contest 'agents: [{name: a, bot: nobody}]'
contest 'agents: [{name: a, command: "true"}]'
contest 'agents: [{name: a, command: ""}]'
contest 'agents: [{name: a, bot: sample, folder: "."}]'
contest 'agents: [{name: a, command: "x {port}", folder: ""}]'
contest 'agents: [{name: a, bot: sample, env: [A]}]'
contest 'agents: [{name: a, command: "x {port}", env: ["A=B"]}]'
contest 'agents: [{name: a, bot: sample, role: CHIEF}]'
contest 'agents: [{name: a, bot: sample}, {name: a, bot: random}]'
contest 'agents: [{name: "", bot: sample}]'
contest 'seed: 5' 'agents: [{name: a, bot: sample, copies: 3}]'
contest 'players: [5]' 'agents: [{name: a, bot: sample}]'
contest 'players: 31' 'agents: [{name: a, bot: sample}]'
contest 'stages: []' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{name: a, players: []}]' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{players: 5}]' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{name: a, sets: 0}]' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{name: a, sets: 1}, {name: a, sets: 1}]' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{name: a, sets: 1, games: 1}]' 'agents: [{name: a, bot: sample}]'
contest 'stages: [{name: a, pairing: sorted}]' 'agents: [{name: a, bot: sample}]'
contest 'seed: -1' 'agents: [{name: a, bot: sample}]'
contest 'seed: x' 'agents: [{name: a, bot: sample}]'
contest 'rules: nothing' 'agents: [{name: a, bot: sample}]'
contest 'sed: 1' 'agents: [{name: a, bot: sample}]'
contest 'seed: 1' 'seed: 2'
same contests

finish
