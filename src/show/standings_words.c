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
    [SAY_NO_DECISION] = {"no decision was its model's own", "モデル自身の判断なし"},
    [SAY_NOT_OWN] = {"only {0} of {1} decisions were its model's own, a rule took the others",
                     "モデル自身の判断は {1} のうち {0} のみ、残りは規則による"},
    [SAY_NOT_RANKED] = {"not ranked: ", "順位なし: "},
    [SAY_NEVER_PLAYED] = {"never played a game of its own", "自身で終えたゲームなし"},
    [SAY_TOO_FEW] = {"{0} games of its own, and {1} are needed",
                     "自身で終えたゲームは {0}、{1} 必要"},
};

const char *standings_word(bool japanese, StandingsWord word)
{
    return words[word][japanese];
}
