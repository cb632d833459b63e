#!/usr/bin/env bash
# With --language ja the tables of `run`, the course, the leaderboard and the operator's console of
# `maw` are Japanese; English stands only in names that are English.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# no_english WHAT [WORD...]: what is in $out has no word of Latin letters but these, and the
# contest's names of win rates.
no_english()
{
    local what=$1 left
    shift
    left=$(grep -oE '[A-Za-z][A-Za-z]+' <<<"$out" | sort -u | grep -vxF "$(printf '%s\n' "$@" none Macro Micro Weighted)")
    [[ -z $left ]] || fail "$what: English: $(tr '\n' ' ' <<<"$left") in: $out"
}

bad="exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do exit"
timeout 200 "$WARG" run --language ja -q -n 5 -g 6 -s 1 -o cup --time-limit 30s --startup-limit 60s -a 'bot:sample*4' \
    -a "name=alice,cmd=$bad" >out.txt 2>err.txt
out=$(cat out.txt)
[[ $out == *6' ゲーム'*村人陣営の勝率*役職*エージェント*勝率*'代役がプレイしたエージェント: alice'* ]] ||
    fail "run: $out$(cat err.txt)"
no_english run sample alice warg standings cup faults

expect 0 'the faults' "$WARG" standings --faults --lang ja cup
[[ $out == *エージェント*時間切れ*切断*最大ms*alice* ]] || fail "faults: $out"
no_english faults alice ms final
expect 0 'the faults as CSV' "$WARG" standings --faults --lang ja --format csv cup
[[ $out == agent,games,failed_games,* ]] || fail "faults as CSV: $out"

expect 6 'the ratings' "$WARG" standings --ratings --lang ja cup
[[ $out == *エージェント*強さ*'順位なし: alice'*村人陣営の勝率*直接対決*対決数* ]] || fail "ratings: $out"
no_english ratings alice sample final
expect 6 'the ratings as CSV' "$WARG" standings --ratings --lang ja --format csv cup
[[ $out == agent,games,wins,win_rate,* ]] || fail "ratings as CSV: $out"

expect 1 'a test' "$WARG" run --language ja -q -n 5 -s 1 -a 'bot:random,name=bob bot:sample*4' \
    --challenger bob --sprt elo0=0,elo1=20
[[ $out == *'SPRT: '*' ゲームで H0 を採択: bob の強さは他と比べて +20 点を下回る'*'他より強い見込み'* ]] ||
    fail "a test: $out"
no_english 'a test' bob sample SPRT LLR elo
expect 1 'a test without a result' "$WARG" run --language ja -q -n 5 -s 1 --games-per-set 1 -g 4 \
    -a 'bot:random,name=bob bot:random*4' --challenger bob --sprt elo0=0,elo1=10
[[ $out == *'ゲームでは決着せず: bob が他より強いかは不明'*'点数はこれらのゲームでは定まらない'* ]] || fail "no result: $out"
no_english 'a test without a result' bob random SPRT LLR elo

# ---- MAW ----

expect 0 'a session' "$WARG" maw --language ja --seed 7 --players 6 --rounds 2
[[ $out == *'ラウンド 1'*'-- 1日目 昼: '*'に投票'*'処刑されました。'*'村人の勝ち'*順位*得点* ]] || fail "maw: $out"
players=$(grep -oE '^ *[0-9]+  [A-Z][a-z]+' <<<"$out" | awk '{print $2}')
# shellcheck disable=SC2086 # a list of words
no_english maw $players bot talker
expect 6 'an agent at a table, and one that never came' timeout 100 "$WARG" maw --language ja -q --seed 7 --players 5 --rounds 1 --day-s 1 \
    --night-s 1 --time-limit 20s --startup-limit 60s --agent "name=alice,cmd=exec '$WARG' bot aiwolf -h {host} -p {port} -n {name} --seed 1" \
    --agent 'name=carol,cmd=exit 1'
[[ $out == *'エージェント alice ('*'): 質問 '*'、発言 '*'、投票 '*'。'*'エージェント carol ('*'。失敗: 切断。規則の判断 '* ]] ||
    fail "an agent at a table: $out$err"
players=$(grep -oE '\([A-Z][a-z]+\)|^ *[0-9]+  [A-Z][a-z]+' <<<"$out" | grep -oE '[A-Z][a-z]+')
# shellcheck disable=SC2086
no_english 'an agent at a table' $players bot talker agent alice carol
expect 0 'the same in English' "$WARG" maw --seed 7 --players 6 --rounds 2
[[ $out == *'Round 1'*'-- Day 1: 4 votes execute at once --'*' votes for '*' is executed.'* ]] || fail "maw in English: $out"

{
    await 'the first day' operated/session.jsonl '"event":"start_game"' >&2
    printf '/help\n/pause\n/pause\n/who\n/extend x\n/extend 60\n/kikc x\n/kick\n/kick nobody\n/resume\n/end\n'
    await 'the end of a phase' err.txt 'フェーズを終えました' >&2
    printf '/quit\n'
} | timeout 250 "$WARG" maw --operator --language ja -q --seed 7 --out operated >out.txt 2>err.txt
out=$(grep -v '^seed: \|^warg: ' err.txt)
for said in '一時停止しました' 'すでに一時停止中です' '役職' '在席' \
    '/extend: 秒数' '「/kikc」という命令はありません。/kick のことですか?' \
    '/kick: 名前を指定してください' '再開しました' 'フェーズを終えました' 'この一覧'; do
    [[ $out == *"$said"* ]] || fail "the operator is told '$said': $out"
done
[[ $out =~ 'ラウンド 1、昼、残り '([0-9]+)' 秒 (一時停止中)。' && $out == *"フェーズの残りは $((BASH_REMATCH[1] + 60)) 秒です"* ]] ||
    fail "the operator asks and extends: $out"
names=$(grep -oE '^[A-Z][a-z]+ ' <<<"$out")
# shellcheck disable=SC2086
no_english operator $names bot talker help pause resume extend end kick kikc who quit nobody s m XMPP
finish
