#include "show/standings_words.h"

static const char *const words[STANDINGS_WORDS][2] = {
    [SAY_STAGE] = {"stage ", "ステージ "},
    [SAY_SET] = {"set ", "セット "},
    [SAY_GAME] = {" game", " ゲーム"},
    [SAY_GAMES] = {" games", " ゲーム"},
    [SAY_AGENT] = {" agent", " エージェント"},
    [SAY_AGENTS] = {" agents", " エージェント"},
    [SAY_PER_SECOND] = {" games/s", " ゲーム/秒"},
    [SAY_VILLAGE_WINS] = {"villagers win", "村人陣営の勝率"},
    [SAY_WOLVES_WIN] = {"werewolves win", "人狼陣営の勝率"},
    [SAY_FOX_WINS] = {"the fox wins", "妖狐の勝率"},
    [SAY_NOBODY_WINS] = {"nobody wins", "勝者なし"},
    [SAY_MEAN_DAYS] = {"mean days", "平均日数"},
    [SAY_MEAN_DAYS_NOTE] = {"to the day of the result", "決着の日まで"},
    [SAY_REVOTES] = {"second ballots", "再投票"},
    [SAY_REVOTES_NOTE] = {"of the days with a vote", "投票のあった日のうち"},
    [SAY_ATTACKS] = {"attacks kill", "襲撃の成功"},
    [SAY_ATTACKS_NOTE] = {"of the nights with an attack", "襲撃のあった夜のうち"},
    [SAY_TO] = {" to ", " 〜 "},
    [COLUMN_ROLE] = {"role", "役職"},
    [COLUMN_AGENT] = {"agent", "エージェント"},
    [COLUMN_GAMES] = {"games", "ゲーム"},
    [COLUMN_WINS] = {"wins", "勝利"},
    [COLUMN_RATE] = {"rate", "勝率"},
    [COLUMN_INTERVAL] = {"95 % interval", "95 % 区間"},
    [COLUMN_POINTS] = {"points", "得点"},
    [COLUMN_SUBSTITUTED] = {"substituted", "代役"},
    [COLUMN_VIOLATIONS] = {"violations", "言語外の文"},
    [COLUMN_FAULTS] = {"faults", "違反"},
    [COLUMN_OWN] = {"own thought", "自身の判断"},
    [TITLE_RATES] = {"three win rates", "三つの勝率"},
    [RATES_OVERALL] = {"overall (Macro)", "全体 (マクロ)"},
    [RATES_MEAN] = {"mean over roles (Micro)", "役職平均 (ミクロ)"},
    [RATES_WEIGHTED] = {"weighted by roles (Weighted Micro)", "役職加重 (加重ミクロ)"},
    [SAY_RATES] =
        {"Macro: wins / games. Micro: the mean of the win rates in the roles played.\n"
         "Weighted Micro: that mean with each role counted as often as it has seats in "
         "the games.\n",
         "マクロ (Macro): 勝利数 / ゲーム数。ミクロ (Micro): 担当した役職ごとの勝率の平均。\n"
         "加重ミクロ (Weighted Micro): 各役職を、ゲームでの席数だけ数えた平均。\n"},
    [SAY_MODEL] = {": model ", ": モデル "},
    [SAY_AT] = {" at ", "、サーバー "},
    [SAY_ELIMINATED] = {"eliminated by a ruling", "裁定により失格"},
    [SAY_NO_DECISION] = {"no decision was its model's own", "モデル自身の判断なし"},
    [SAY_NOT_COUNTED] = {"no decision was its model's own in sets that are therefore not counted: "
                         "{0}, the first is set {1}",
                         "モデル自身の判断が一つもないため数えないセット: {0}（最初はセット {1}）"},
    [SAY_NOT_OWN] = {"only {0} of {1} decisions were its model's own, a rule took the others",
                     "モデル自身の判断は {1} のうち {0} のみ、残りは規則による"},
    [SAY_NOT_RANKED] = {"not ranked: ", "順位なし: "},
    [SAY_NEVER_PLAYED] = {"never played a game of its own", "自身で終えたゲームなし"},
    [SAY_TOO_FEW] = {"{0} games of its own, and {1} are needed",
                     "自身で終えたゲームは {0}、{1} 必要"},
    [RATING_WIN_RATE] = {"win_rate", "勝率"},
    [RATING_LOW] = {"low", "下限"},
    [RATING_HIGH] = {"high", "上限"},
    [RATING_STRENGTH] = {"strength", "強さ"},
    [RATING_STRENGTH_LOW] = {"strength_low", "強さの下限"},
    [RATING_STRENGTH_HIGH] = {"strength_high", "強さの上限"},
    [RATING_ROLES] = {"roles", "役職"},
    [RATING_VILLAGE_RATE] = {"village_rate", "村人陣営の勝率"},
    [RATING_WOLVES_RATE] = {"wolves_rate", "人狼陣営の勝率"},
    [RATING_AGAINST] = {"against", "相手"},
    [RATING_MEETINGS] = {"meetings", "対決数"},
    [SAY_AMONG_AVERAGE] = {"Among agents of strength 0, their mean:",
                           "強さ 0(平均)のエージェントどうしなら:"},
    [SAY_STRENGTH_UNIT] = {"Strength is in points: +100 make the odds of the agent's side 1.78 "
                           "times as good.",
                           "強さは点数。+100 で陣営の勝ち目(オッズ)が 1.78 倍になります。"},
    [SAY_RESAMPLED_SETS] = {"Its 95 % interval is that of {0} resamplings of the sets.",
                            "その 95 % 区間は、セットの再標本抽出 {0} 回によります。"},
    [SAY_RESAMPLED_GAMES] = {"Its 95 % interval is that of {0} resamplings of the games.",
                             "その 95 % 区間は、ゲームの再標本抽出 {0} 回によります。"},
    [SAY_INDEPENDENT] = {"Its 95 % interval is that of independent games.",
                         "その 95 % 区間は、ゲームが互いに独立の場合のものです。"},
    [SAY_LEFT_OUT] = {"Games that neither side won are left out: {0}.",
                      "どちらの陣営も勝たなかったゲームは除きました: {0}。"},
    [SAY_NO_STRENGTH] = {"no strengths: they need games that village or wolves won, and 2 to {0} "
                         "agents",
                         "強さはありません。村人陣営か人狼陣営の勝ったゲームと、2 から {0} の"
                         "エージェントが必要です"},
    [SAY_NOT_RATED] =
        {"Who is not ranked has no strength: it would be a substitute's, or a "
         "rule's.",
         "順位のないエージェントには強さもありません。代役か規則の強さになるからです。"},
    [SAY_PAIRS] = {"Head to head, on opposite sides of decided games, whatever roles and "
                   "companions:",
                   "直接対決(勝敗のついたゲームで敵対する陣営にいたとき。役職と同席者は問わない):"},
    [SAY_PAIRS_FIRST] = {"These are the first {0} of {1} agents; JSON has all.",
                         "{1} エージェントのうち上位 {0} です。JSON にはすべてあります。"},
};

const char *standings_word(bool japanese, StandingsWord word)
{
    return words[word][japanese];
}

void standings_add_thousands(uint64_t value, Buf *out)
{
    if (value >= 1000) {
        standings_add_thousands(value / 1000, out);
        buf_printf(out, ",%03u", (unsigned)(value % 1000));
    } else {
        buf_add_uint(out, value);
    }
}

void standings_say(bool japanese, StandingsWord word, const uint64_t numbers[static 2], Buf *out)
{
    const Str text = str_of(words[word][japanese]);

    for (size_t i = 0; i < text.len; i++) {
        bool hole = i + 2 < text.len && text.bytes[i] == '{' && text.bytes[i + 2] == '}';
        if (!hole) {
            buf_add_char(out, text.bytes[i]);
            continue;
        }
        standings_add_thousands(numbers[text.bytes[i + 1] == '1'], out);
        i += 2;
    }
}
