#include "results/report_words.h"

static const char *const words[REPORT_WORDS][REPORT_LANGUAGES] = {
    [WORD_LANGUAGE_CODE] = {"en", "ja"},
    [WORD_TITLE] = {"Results", "対戦結果"},
    [WORD_SUBTITLE] = {"{0}, {1} players, {2} games", "{0}・{1} 人・{2} ゲーム"},
    [WORD_CONTENTS] = {"Contents", "目次"},

    [WORD_SUMMARY] = {"Summary", "概要"},
    [WORD_STANDINGS] = {"Standings", "順位"},
    [WORD_ROLES] = {"By role", "役職別"},
    [WORD_VERSUS] = {"Head to head", "直接対決"},
    [WORD_TIME] = {"Winning rate over time", "勝率の推移"},
    [WORD_FAULTS] = {"Faults and answer times", "違反と応答時間"},
    [WORD_MEASURES] = {"Measures of play", "プレイの指標"},
    [WORD_MODELS] = {"Language models", "言語モデル"},
    [WORD_SESSIONS] = {"MAW sessions", "MAW のセッション"},
    [WORD_GAMES_LIST] = {"Games", "ゲーム一覧"},
    [WORD_NOTES] = {"What the figures mean", "数値の意味"},

    [WORD_RULES] = {"Rules", "ルール"},
    [WORD_PLAYERS] = {"Players", "人数"},
    [WORD_GAMES] = {"Games", "ゲーム数"},
    [WORD_GAMES_OF] = {"{0} of {1}", "{1} のうち {0}"},
    [WORD_AGENTS] = {"Agents", "エージェント数"},
    [WORD_SEED] = {"Key or seed", "鍵またはシード"},
    [WORD_SEED_SECRET] = {"not public", "非公開"},
    [WORD_SEED_CHOSEN] = {"chosen by somebody, for trials: it can be guessed",
                          "人が選んだ試験用の数。推測されうる"},
    [WORD_COMMITMENT] = {"Commitment to the key", "鍵のコミットメント"},
    [WORD_FIRST_ENDED] = {"First game ended", "最初のゲームの終了"},
    [WORD_LAST_ENDED] = {"Last game ended", "最後のゲームの終了"},
    [WORD_STATE] = {"State", "状態"},
    [WORD_COMPLETE] = {"complete", "完了"},
    [WORD_INTERRUPTED] = {"not played to its end", "途中まで"},
    [WORD_VILLAGE_WINS] = {"Village wins", "村人陣営の勝率"},
    [WORD_WOLVES_WIN] = {"Werewolves win", "人狼陣営の勝率"},
    [WORD_FOX_WINS] = {"Fox wins", "妖狐の勝率"},
    [WORD_NO_WINNER] = {"Without a winner", "勝者なし"},
    [WORD_MEAN_DAY] = {"Mean last day", "平均終了日"},
    [WORD_FAILED_GAMES] = {"Games with a failed seat", "脱落席のあるゲーム"},
    [WORD_UNKNOWN_RULES] = {"unknown rules", "ルール不明"},
    [WORD_NONE] = {"none", "なし"},
    [WORD_TO] = {" to ", "〜"},

    [WORD_RANK] = {"Rank", "順位"},
    [WORD_AGENT] = {"Agent", "エージェント"},
    [WORD_WINS] = {"Wins", "勝利"},
    [WORD_RATE] = {"Rate", "勝率"},
    [WORD_INTERVAL] = {"95 % interval", "95 % 区間"},
    [WORD_AS_VILLAGE] = {"Village side", "村人陣営"},
    [WORD_AS_WOLVES] = {"Wolves’ side", "人狼陣営"},
    [WORD_AS_FOX] = {"Fox", "妖狐"},
    [WORD_STRENGTH] = {"Strength", "強さ"},
    [WORD_SUBSTITUTED] = {"Substituted", "代役"},
    [WORD_VIOLATIONS] = {"Violations", "言語外の文"},
    [WORD_OTHER_FAULTS] = {"Faults", "違反"},
    [WORD_OWN_DECISIONS] = {"Own decisions", "自身の判断"},
    [WORD_MODEL_AT] = {"{0} is the model {1} at {2}.", "{0} はモデル {1}({2})です。"},
    [WORD_NOT_OWN] = {"Only {1} of {2} decisions of {0} were its model’s own; a rule took the "
                      "others.",
                      "{0} のモデル自身の判断は {2} のうち {1} のみで、残りは規則によります。"},
    [WORD_SERVER_ERROR] = {"The last error of its server: {0}", "サーバーの最後のエラー: {0}"},
    [WORD_NOT_COUNTED] = {"Sets that are not counted, for no decision of {0} in them was its "
                          "model’s own: {1}, the first is set {2}.",
                          "{0} のモデル自身の判断が一つもないため数えないセット: {1}"
                          "（最初はセット {2}）。"},
    [WORD_NO_DECISION] = {"{0} is not ranked: no decision was its model’s own.",
                          "{0} はモデル自身の判断がないため、順位がありません。"},
    [WORD_NEVER_PLAYED] = {"{0} is not ranked: it never played a game of its own.",
                           "{0} は自身で終えたゲームがないため、順位がありません。"},
    [WORD_TOO_FEW_GAMES] =
        {"{0} is not ranked: it played {1} games of its own, and {2} are needed.",
         "{0} が自身で終えたゲームは {1}({2} 必要)のため、順位がありません。"},
    [WORD_ALL_SEATS] = {"all seats", "全席"},
    [WORD_STANDINGS_TEXT] = {"Games won of games played, best first. Bars show the 95 % interval; "
                             "where two overlap much, more games are needed to tell who is better.",
                             "勝ったゲーム ÷ 出たゲーム、高い順。線は 95 % 区間。大きく重なる"
                             "二者の優劣を言うには、さらにゲームが要ります。"},
    [WORD_STANDINGS_PLOT] = {"Winning rate and 95 % interval of {0} agents; the figures are in the "
                             "table below.",
                             "{0} エージェントの勝率と 95 % 区間。数値は下の表にあります。"},
    [WORD_PLOT_FIRST] = {"The first {0} of {1} agents are drawn.",
                         "図は {1} エージェントのうち上位 {0} です。"},
    [WORD_STAGE] = {"Stage {0}", "ステージ {0}"},
    [WORD_WITHOUT_FAILED] = {"Without the games with a failed seat",
                             "脱落席のあるゲームを除いた順位"},
    [WORD_WITHOUT_FAILED_TEXT] = {"In {0} of {1} games a substitute took over a seat, because its "
                                  "agent did not answer in time, broke the protocol or went away. "
                                  "The official standings count them all.",
                                  "{1} ゲームのうち {0} で、時間切れ・規約違反・切断のため代役が"
                                  "席を引き継ぎました。公式の順位はすべてを数えます。"},
    [WORD_ALL_GAMES] = {"All games", "全ゲーム"},
    [WORD_CLEAN_GAMES] = {"Without them", "除いた場合"},
    [WORD_CHANGE] = {"Change", "差"},
    [WORD_RANK_CHANGE] = {"Rank without them", "除いた順位"},

    [WORD_ROLES_TEXT] = {"Winning rate of each agent in each role, with the number of games. The "
                         "scale runs from 0 to 100 %; the dashed line is the rate of the role over "
                         "all agents.",
                         "役職ごとの勝率とゲーム数。目盛りは 0 から 100 %、破線はその役職の全体の"
                         "勝率です。"},
    [WORD_WIN_RATES] = {"Three win rates", "三つの勝率"},
    [WORD_WIN_RATES_TEXT] =
        {"With the contest’s names. Macro: wins / games. Micro: the mean of the win rates in the "
         "roles played, Σ w/g ÷ number of roles. Weighted Micro: that mean with each role counted "
         "as often as it has seats n in the games, Σ n·w/g ÷ Σ n.",
         "名称は大会のもの。マクロ: 勝利数 ÷ ゲーム数。ミクロ: 担当した役職ごとの勝率の合計 ÷ "
         "担当した役職の数。加重ミクロ: 役職ごとの、席数 × 勝率の合計 ÷ "
         "席数の合計(席数は全ゲームでの"
         "その役職の席、担当した役職のみ)。"},
    [WORD_RATE_OVERALL] = {"Overall (Macro)", "全体 (マクロ)"},
    [WORD_RATE_ROLE_MEAN] = {"Mean over roles (Micro)", "役職平均 (ミクロ)"},
    [WORD_RATE_WEIGHTED] = {"Weighted by roles (Weighted Micro)", "役職加重 (加重ミクロ)"},
    [WORD_SEATS_SHORT] = {"of {0}", "{0} 回"},

    [WORD_VERSUS_TEXT] = {"How often the agent of the row won when it and the agent of the column "
                          "sat on opposite sides, in percent. Games without a winner are left out; "
                          "each pair of seats counts once.",
                          "行のエージェントが、列のエージェントと敵対する陣営にいたときに勝った"
                          "割合(%)。勝者のないゲームは除き、席の組ごとに一回と数えます。"},
    [WORD_VERSUS_PLOT] = {"Matrix of {0} agents. Rows win against columns. The figures are in the "
                          "table that follows.",
                          "{0} エージェントの表。行が列に勝った割合。数値は続く表にあります。"},
    [WORD_VERSUS_TABLE] = {"Head to head as a table", "直接対決の数値"},
    [WORD_OPPONENT] = {"Against", "相手"},
    [WORD_MEETINGS] = {"Meetings", "対決数"},
    [WORD_TOO_FEW_AGENTS] = {"There are no two agents to compare.",
                             "比べるべき二つのエージェントがありません。"},

    [WORD_TIME_TEXT] = {"Games won of games played so far. The first games swing widely: a line "
                        "begins once its interval is at most four times as wide as at the end.",
                        "その時点までの勝率。最初のうちは大きく振れるため、区間が最後の四倍以内に"
                        "なったところから線を引きます。"},
    [WORD_TIME_BANDS] = {"The band around a line is its 95 % interval.",
                         "線のまわりの帯は 95 % 区間です。"},
    [WORD_TIME_PLOT] = {"Winning rate after each part of the games for {0} agents.",
                        "{0} エージェントの、ゲームの経過に沿った勝率。"},
    [WORD_GAMES_PLAYED] = {"games played", "行われたゲーム数"},

    [WORD_FAULTS_TEXT] = {"Agents over a connection; built-in bots have neither. A seat has failed "
                          "when a substitute went on in its place.",
                          "接続したエージェントのみ(組み込みのボットにはありません)。代役に"
                          "替わった席を脱落と呼びます。"},
    [WORD_NO_OUTSIDE] = {"All agents were built in: there were no connections, and no answer times "
                         "to measure.",
                         "すべて組み込みのエージェントで、接続も応答時間もありません。"},
    [WORD_SEATS] = {"Seats", "席数"},
    [WORD_FAILED_SEATS] = {"Failed", "脱落"},
    [WORD_EXCESSES] = {"Over the limit", "制限超過"},
    [WORD_EXCUSED] = {"Excused", "猶予"},
    [WORD_WAITED] = {"Waited (ms)", "待ち時間 (ms)"},
    [WORD_ANSWERS] = {"Answers", "応答数"},
    [WORD_SHORTEST] = {"Shortest", "最短"},
    [WORD_MEDIAN] = {"Median", "中央値"},
    [WORD_P99] = {"99th of 100", "99 % 点"},
    [WORD_LONGEST] = {"Longest", "最長"},
    [WORD_TIMES] = {"Answer times in milliseconds", "応答時間(ミリ秒)"},
    [WORD_FAULT_TABLE] = {"Faults", "違反"},
    [WORD_FINDINGS] = {"What programs were found at", "プログラムに見つかったこと"},
    [WORD_FINDINGS_TEXT] =
        {"What the cells of programs saw them try, or a name that was not their own, by the rules "
         "of the contest; counted in the games under way. No game ended for it. Below stand the "
         "first lines of findings.jsonl for each agent and rule.",
         "セルがプログラムの試みとして見たこと、または自分のものでない名前。大会の規則ごとに、"
         "進行中のゲームで数えます。そのために終わったゲームはありません。下は、エージェントと"
         "規則ごとの findings.jsonl の最初の行です。"},
    [WORD_FIRST_FINDINGS] = {"First lines", "最初の行"},
    [WORD_FINDING_GAME] = {"line {0}, set {1}, game {2}, day {3}",
                           "{0} 行目、セット {1}、ゲーム {2}、{3} 日目"},
    [WORD_FINDING_BEHIND] = {"line {0}, set {1}, behind its games",
                             "{0} 行目、セット {1}、ゲームの後"},
    [WORD_CELL] = {"Programs ran in cells of", "プログラムのセル"},

    [WORD_MEASURES_TEXT] =
        {"Shares with their 95 % intervals, of games that somebody won. Votes are those by day; "
         "key roles are seer, medium and bodyguard; claims in natural language are heard only in "
         "so many words, so that there are more of them.",
         "勝者のあるゲームでの割合と 95 % 区間です。投票は昼のもの、重要な役職は占い師・霊媒師・"
         "狩人です。自然言語での名乗りは決まった言い方だけを数えるので、実際はもっとあります。"},
    [WORD_MODELS_TEXT] =
        {"All seats that a model decided for, whatever they were called. Tokens, faults and answer "
         "times are those of all games, also of those that are played again.",
         "モデルが判断した席をすべて、席の名前によらず合計しています。トークン・違反・応答時間は、"
         "やり直しになったゲームのものも含みます。"},
    [WORD_MODEL] = {"Model", "モデル"},
    [WORD_BRIER] = {"Brier (opinions)", "ブライア(意見)"},
    [WORD_POINTS] = {"Points", "得点"},
    [WORD_DECISIONS] = {"Decisions", "判断"},
    [WORD_TOKENS_READ] = {"Tokens read", "入力トークン"},
    [WORD_TOKENS_WRITTEN] = {"Tokens written", "出力トークン"},
    [WORD_TOKENS_CACHED] = {"Of these cached", "うちキャッシュ"},
    [WORD_REQUESTS] = {"Requests", "リクエスト"},
    [WORD_COST] = {"Cost", "費用"},
    [WORD_COST_PER_WIN] = {"Cost per win", "1勝あたりの費用"},
    [WORD_COSTS_IN] =
        {"Costs in {0}, exact to the token; a model without a price has none.",
         "費用の単位は {0}、トークン単位で正確です。価格のないモデルには費用がありません。"},
    [WORD_SESSIONS_TEXT] = {"Each round is a game; most points first.",
                            "各ラウンドが一ゲームです。得点の多い順。"},
    [WORD_SESSION] = {"Session {0}, {1}", "セッション {0}、{1}"},
    [WORD_PLAYER] = {"Player", "プレイヤー"},
    [WORD_DECIDED_BY] = {"Decided by", "判断"},
    [WORD_ROUNDS] = {"Rounds", "ラウンド"},
    [WORD_ROUND_WINNERS] = {"Round by round: ", "ラウンド順の勝者: "},
    [WORD_GAMES_TEXT] = {"All games in their order.", "すべてのゲーム、順番どおり。"},
    [WORD_GAMES_PART] = {"Of {1} games these are the first and the last {0}, and {2} between them "
                         "that have marks. The database has the rest.",
                         "{1} ゲームのうち最初と最後の {0} ずつと、その間の印のあるもの {2}。"
                         "残りはデータベースにあります。"},
    [WORD_GAMES_PART_FAILED] =
        {"Of {1} games these are the first and the last {0}, and {2} between "
         "them that have a failed seat. The database has the rest, and the "
         "games with smaller faults.",
         "{1} ゲームのうち最初と最後の {0} ずつと、その間の脱落席のあるもの "
         "{2}。残りと軽い違反のものはデータベースにあります。"},
    [WORD_NUMBER] = {"Game", "番号"},
    [WORD_SET] = {"Set", "セット"},
    [WORD_WINNER] = {"Winner", "勝者"},
    [WORD_LAST_DAY] = {"Last day", "終了日"},
    [WORD_ENDED] = {"Ended (UTC)", "終了(協定世界時)"},
    [WORD_LOG] = {"Log", "ログ"},
    [WORD_MARKS] = {"Marks", "印"},
    [WORD_SEAT_FAILED] = {"seat {0} failed", "{0} 番席が脱落"},
    [WORD_GAMES_LEFT_OUT] = {"{0} games left out", "{0} ゲーム省略"},
    [WORD_MARK_REASON_MAX_DAY] = {"last day allowed", "最終日に到達"},
    [WORD_MARK_REASON_IDLE] = {"nobody died any more", "犠牲者が出ず終了"},
    [WORD_MARK_REASON_ABORTED] = {"aborted", "中止"},
    [WORD_NO_GAMES] = {"No game has been played yet.", "まだゲームがありません。"},

    [WORD_NOTE_RATE] = {"A game is won when the side of the agent’s role wins; the possessed wins "
                        "with the werewolves. A game without a winner counts as played. An agent "
                        "on several seats of a game counts once for each.",
                        "ゲームに勝つとは、役職の陣営が勝つことです。狂人は人狼と勝敗をともに"
                        "します。勝者のないゲームも出たゲームに数え、一つのゲームで複数の席に"
                        "いたエージェントは席ごとに数えます。"},
    [WORD_NOTE_INTERVAL] = {"The 95 % interval is Wilson’s score interval (E. B. Wilson, 1927). It "
                            "holds for few games and for rates near 0 and 100 %.",
                            "95 % 区間はウィルソンのスコア区間です(1927 年)。ゲームが少ない"
                            "ときや、勝率が 0 や 100 % に近いときにも成り立ちます。"},
    [WORD_NOTE_VERSUS] = {"Head to head is not adjusted for who else sat at the table, nor for "
                          "which side had the better odds.",
                          "直接対決は、同席した他のエージェントや陣営の有利不利で補正して"
                          "いません。"},
    [WORD_NOTE_STRENGTH] = {"Strength takes the luck of roles and companions out: a Bradley-Terry "
                            "model on Elo’s scale with a mean of 0, where +100 in one seat makes "
                            "the odds of its side 1.78 times as good.",
                            "強さは、役職と同席者の運を除いたものです。ブラッドリー・テリー模型"
                            "による値で、平均は 0。一つの席の +100 が陣営の勝ち目(オッズ)を"
                            "1.78 倍にします。"},
    [WORD_NOTE_STRENGTH_ROUNDS] = {"Its 95 % interval comes from {0} resamplings.",
                                   "その 95 % 区間は {0} 回の再標本抽出によります。"},
    [WORD_NOTE_STRENGTH_CURVE] = {"Its 95 % interval comes from the curvature of the likelihood.",
                                  "その 95 % 区間は尤度の曲率によります。"},
    [WORD_NOTE_TIMES] =
        {"Answer times run from the request to the answer. Shortest and longest are "
         "exact, the others at most 6.3 % too long.",
         "応答時間は要求から応答まで。最短と最長は正確で、他は長くとも 6.3 % "
         "大きい値です。"},
    [WORD_MADE_BY] = {"Made by warg {0}.", "作成: warg {0}"},
};

const char *report_word(ReportLanguage language, ReportWord word)
{
    return words[word][language];
}

const char *report_role(ReportLanguage language, Role role)
{
    return role_word(role, language == REPORT_JAPANESE);
}

const char *report_side(ReportLanguage language, Side side)
{
    static const char *const sides[SIDE_OTHERS + 1][REPORT_LANGUAGES] = {
        [SIDE_NONE] = {"–", "–"},
        [SIDE_VILLAGER] = {"Village", "村人陣営"},
        [SIDE_WEREWOLF] = {"Werewolves", "人狼陣営"},
        [SIDE_OTHERS] = {"Fox", "妖狐"},
    };

    return sides[side][language];
}

const char *report_measure(ReportLanguage language, Measure measure)
{
    static const char *const measures[MEASURE_COUNT][REPORT_LANGUAGES] = {
        [MEASURE_VILLAGE_VOTES] = {"village's votes for wolves", "村人側の人狼への投票"},
        [MEASURE_HITS] = {"votes for the executed wolf", "処刑された人狼への投票"},
        [MEASURE_EXECUTIONS] = {"executions of wolves", "人狼の処刑"},
        [MEASURE_FIRST_EXECUTIONS] = {"first execution: a wolf", "最初の処刑が人狼"},
        [MEASURE_WOLVES_VOTES] = {"wolves' votes for wolves", "人狼の仲間への投票"},
        [MEASURE_SURVIVAL] = {"survival", "生存"},
        [MEASURE_KEY_SURVIVAL] = {"survival of key roles", "重要な役職の生存"},
        [MEASURE_TRUE_CLAIMS] = {"claimed the own role", "自分の役職を名乗った"},
        [MEASURE_FALSE_CLAIMS] = {"claimed another role", "別の役職を騙った"},
    };

    return measures[measure][language];
}

const char *report_fault(ReportLanguage language, FaultKind kind)
{
    static const char *const faults[FAULT_COUNT][REPORT_LANGUAGES] = {
        [FAULT_TIMEOUT] = {"Timeout", "時間切れ"},
        [FAULT_DISCONNECT] = {"Disconnect", "切断"},
        [FAULT_MALFORMED] = {"Malformed", "不正な行"},
        [FAULT_EARLY] = {"Early", "要求前の行"},
        [FAULT_VIOLATION] = {"Outside the language", "言語外の文"},
    };

    return faults[kind][language];
}

const char *report_fault_word(FaultKind kind, bool japanese)
{
    if (japanese && kind < FAULT_COUNT)
        return report_fault(REPORT_JAPANESE, kind);
    return fault_kind_name(kind);
}

const char *report_finding(ReportLanguage language, FindingRule rule)
{
    static const char *const rules[FINDING_RULES][REPORT_LANGUAGES] = {
        [FINDING_NETWORK] = {"Network", "ネットワーク"},
        [FINDING_WRITE] = {"Files written", "ファイル書込"},
        [FINDING_PROCESS] = {"Processes", "プロセス"},
        [FINDING_THREAD] = {"Threads", "スレッド"},
        [FINDING_MEMORY] = {"Memory", "メモリ"},
        [FINDING_OUTPUT] = {"Output", "出力"},
        [FINDING_NAME] = {"Name", "名前"},
    };

    return rules[rule][language];
}
