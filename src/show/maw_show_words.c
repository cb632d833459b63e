#include "show/maw_show_words.h"

static const char *const words[SHOW_WORDS][2] = {
    [SHOW_SESSION] = {"Session", "セッション"},
    [SHOW_ROUND] = {"Round {0}", "第{0}ラウンド"},
    [SHOW_DAY] = {"Day {0}", "{0}日目"},
    [SHOW_NIGHT] = {"Night {0}", "{0}日目の夜"},
    [SHOW_HEAD] = {"{0}: {1} players, {2} rounds", "{0}: {1}人、{2}ラウンド"},
    [SHOW_HEAD_ONE] = {"{0}: {1} players, {2} round", "{0}: {1}人、{2}ラウンド"},
    [SHOW_SEED] = {", seed {0}", "、シード {0}"},
    [SHOW_COMMA] = {", ", "、"},
    [SHOW_WITH] = {"{0} ({1})", "{0} ({1})"},
    [SHOW_WOLF] = {"; 1 of them is a werewolf", "。うち人狼は1人"},
    [SHOW_WOLVES] = {"; {0} of them are werewolves", "。うち人狼は{0}人"},
    [SHOW_WAS] = {"{0}, who was executed, was a {1}.", "処刑された {0} は{1}でした。"},
    [SHOW_LEFT] = {"{0} has left the game.", "{0} がゲームから抜けました。"},
    [SHOW_JOINED] = {"{0} has joined.", "{0} が参加しました。"},
    [SHOW_LEFT_LOBBY] = {"{0} has left the lobby.", "{0} がロビーを出ました。"},
    [SHOW_ABSENT] = {"{0} is absent.", "{0} がいなくなりました。"},
    [SHOW_BACK] = {"{0} is back.", "{0} が戻りました。"},
    [SHOW_EXPIRED] = {"{0} was absent for too long.", "{0} の不在が長すぎました。"},
    [SHOW_KICKED] = {"{0} is removed by the operator.", "運営者が {0} を外しました。"},
    [SHOW_POINTS] = {"{0}: {1}, {2}, {3}, in all {4}", "{0}: {1}、{2}、{3}点、合計 {4}点"},
    [SHOW_LOBBY_LINE] = {"[Lobby] {0}: {1}", "[ロビー] {0}: {1}"},
    [SHOW_WHISPER] = {"{0} whispers to {1}", "{0} が {1} に耳打ち"},
    [SHOW_SAYING] = {": {0}", ": {0}"},
    [SHOW_ASKS] = {"{0} asks for the role of {1}", "{0} が {1} の役職を占う"},
    [SHOW_STOPS] = {"The operator ends the session.", "運営者がセッションを終えました。"},
    [SHOW_ENDS_PHASE] = {"The operator ends the phase.", "運営者がフェーズを終えました。"},
    [SHOW_PAUSES] = {"The operator stops the clocks.", "運営者が時計を止めました。"},
    [SHOW_RESUMES] = {"The operator lets the game go on.", "運営者がゲームを再開しました。"},
    [SHOW_EXTENDS] = {"The operator gives the phase {0} seconds more.",
                      "運営者がフェーズを {0} 秒延ばしました。"},
    [SHOW_LINK] = {"The link to the players is {0}.", "プレイヤーとの接続: {0}。"},
    [SHOW_RESUMED] = {"The game master was gone: the session is gone on with.",
                      "ゲームマスターが落ちたため、セッションを再開しました。"},
    [SHOW_RESUMED_AT] = {"The game master was gone: the session is gone on with at {0}.",
                         "ゲームマスターが落ちたため、{0} にセッションを再開しました。"},
    [SHOW_KIND] = {"{0} is {1}.", "{0} は {1} です。"},
    [SHOW_MODEL] = {"{0} is {1} {2} at {3}.", "{0} は {1} {2} ({3}) です。"},
    [SHOW_DROPPED] = {"{0} more of {1}'s messages were too many.",
                      "{1} の発信が多すぎたため、さらに {0} 件を捨てました。"},
    [SHOW_CUT_OFF] = {"Line {0}, the last, is cut off.", "最後の{0}行目は途中で切れています。"},
};

/* What the record writes in English. */
static const struct {
    const char *english, *japanese;
} record_words[] = {
    {"alive", "生存"},
    {"executed", "処刑"},
    {"murdered", "襲撃"},
    {"left", "離脱"},
    {"up", "回復"},
    {"down", "切断"},
    {"paused", "停止"},
    {"interrupted", "中断されました。"},
    {"the player at the terminal has left", "端末のプレイヤーが抜けました。"},
    {"the operator has ended the session", "運営者がセッションを終えました。"},
    {"the operator has ended it", "運営者が終えました。"},
    {"the XMPP server refuses this component",
     "XMPPサーバーがこのコンポーネントを受け付けません。"},
    {"All rounds have been played.", "すべてのラウンドが終わりました。"},
    {"The lobby did not fill.", "ロビーの席が埋まりませんでした。"},
    {"No further round is played.", "これ以上のラウンドは行いません。"},
    {"The round could not begin.", "ラウンドを始められませんでした。"},
};

const char *maw_show_word(ShowWord word, bool japanese)
{
    return words[word][japanese];
}

Str maw_show_record_word(Str text, bool japanese)
{
    for (size_t i = 0; japanese && i < sizeof(record_words) / sizeof(record_words[0]); i++)
        if (str_eq(text, str_of(record_words[i].english)))
            return str_of(record_words[i].japanese);
    return text;
}
