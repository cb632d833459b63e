#include "web/contest_words.h"

#include "results/html_text.h"
#include "results/report_page.h"

/* clang-format off */
static const char *const words[CONTEST_WORDS][REPORT_LANGUAGES] = {
    [CONTEST_WORD_SKIP] = {"Skip to the content", "本文へ移動"},
    [CONTEST_WORD_HOME] = {"warg, start page", "warg トップ"},
    [CONTEST_WORD_PAGES] = {"Pages of the contest", "大会のページ"},
    [CONTEST_WORD_STAGES] = {"Stages", "ステージ"},
    [CONTEST_WORD_OTHER_LANGUAGE] = {"日本語", "English"},
    [CONTEST_WORD_SEARCH] = {"Search", "検索"},
    [CONTEST_WORD_SEARCH_HERE] = {"Search this contest", "この大会を検索"},
    [CONTEST_WORD_THEME] = {"Light or dark", "明るい・暗い"},
    [CONTEST_WORD_NEW_GAME] = {"1 new game", "新しいゲームが 1 件あります"},
    [CONTEST_WORD_NEW_GAMES] = {"{0} new games", "新しいゲームが {0} 件あります"},
    [CONTEST_WORD_LOAD_AGAIN] = {"Load the page again", "ページを読み込み直す"},
    [CONTEST_WORD_ACTS] = {"What operators did", "運営者の操作"},
    [CONTEST_WORD_ACTS_NONE] = {"Nothing so far.", "まだありません。"},
    [CONTEST_WORD_ACTS_PAGE] = {"The operators' page", "運営者のページ"},
    [CONTEST_WORD_TEAM_LOGS] = {"Download the logs of its games", "ゲームのログをダウンロード"},
    [CONTEST_WORD_OVERVIEW] = {"Overview", "概要"},
    [CONTEST_WORD_VERSUS] = {"Head to head", "直接対決"},
    [CONTEST_WORD_SCHEDULE] = {"Schedule", "日程"},
    [CONTEST_WORD_FAULTS] = {"Faults", "違反"},
    [CONTEST_WORD_GAMES] = {"Games", "ゲーム"},
    [CONTEST_WORD_TEAM] = {"Team {0}", "チーム {0}"},
    [CONTEST_WORD_TEAM_NUMBER] = {"Team {0}", "Team {0}"},
    [CONTEST_WORD_UNTITLED] = {"Contest", "大会"},
    [CONTEST_WORD_AS_DATA] = {"The same as", "同じ内容:"},
    [CONTEST_WORD_UTC] = {"Times are UTC.", "時刻は協定世界時です。"},
    [CONTEST_WORD_UPDATED] = {"Up to the game that ended at {0}.", "{0} に終わったゲームまで。"},
    [CONTEST_WORD_NO_STAGE] = {"No stage of this number has games.", "この番号のステージにゲームはありません。"},
    [CONTEST_WORD_NO_TEAM] = {"Nobody of the name “{0}” has played in this stage.", "このステージに「{0}」というチームはありません。"},
    [CONTEST_WORD_NOT_READ] = {"The results can’t be read: {0}", "結果を読めません: {0}"},
    [CONTEST_WORD_MISTAKE] = {"Not found", "見つかりません"},
    [CONTEST_WORD_PARTS] = {"Parts of the table", "表のページ"},
    [CONTEST_WORD_BEFORE] = {"Before", "前へ"},
    [CONTEST_WORD_NEXT] = {"Next", "次へ"},
    [CONTEST_WORD_ROWS] = {"{0} to {1} of {2}", "{2} のうち {0}〜{1}"},
    [CONTEST_WORD_OF_GAMES] = {"of {0}", "{0} 回"},
    [CONTEST_WORD_NONE_HERE] = {"None.", "ありません。"},

    [CONTEST_WORD_PROGRESS] = {"Progress", "進行"},
    [CONTEST_WORD_PLAYED_OF] = {"{0} of {1} games", "{1} ゲームのうち {0}"},
    [CONTEST_WORD_PLAYED] = {"{0} games", "{0} ゲーム"},
    [CONTEST_WORD_ETA] = {"about {0} left, until {1}", "残り約 {0}({1} まで)"},
    [CONTEST_WORD_ALL_STAGES] = {"Stages", "ステージ"},
    [CONTEST_WORD_LAST_GAMES] = {"Last games", "最近のゲーム"},
    [CONTEST_WORD_ALL_GAMES] = {"All games", "すべてのゲーム"},
    [CONTEST_WORD_BEST] = {"Best ten", "上位 10"},
    [CONTEST_WORD_WHOLE_TABLE] = {"All standings", "順位の全体"},
    [CONTEST_WORD_LAST_HOUR] = {"Faults of the last hour", "直近 1 時間の違反"},
    [CONTEST_WORD_NO_FAULTS_HOUR] = {"None in the hour before the last game ended.", "最後のゲームの終了前の 1 時間にはありません。"},
    [CONTEST_WORD_COUNT] = {"Number", "数"},
    [CONTEST_WORD_STAGE_HEAD] = {"Stage", "ステージ"},
    [CONTEST_WORD_PLANNED] = {"Planned", "予定"},
    [CONTEST_WORD_MINUTES] = {"{0} min", "{0} 分"},
    [CONTEST_WORD_HOURS] = {"{0} h {1} min", "{0} 時間 {1} 分"},
    [CONTEST_WORD_DAYS] = {"{0} d {1} h", "{0} 日 {1} 時間"},

    [CONTEST_WORD_GROUP] = {"Not told apart", "同等"},
    [CONTEST_WORD_GROUPS_TEXT] =
        {"Agents that share a bar in the column “Not told apart” have intervals that all overlap: these games do not tell which of them is better.",
         "「同等」の線を共にするエージェントは 95 % 区間がすべて重なり、ここまでのゲームでは優劣を言えません。"},
    [CONTEST_WORD_FACTS] = {"The contest", "大会について"},
    [CONTEST_WORD_ROLE_CAPTION] = {"Winning rate by role", "役職ごとの勝率"},

    [CONTEST_WORD_HEAT] = {"Heat map: rows win against columns, percent", "行が列に勝った割合(%)"},
    [CONTEST_WORD_HEAT_TEXT] = {"Each cell leads to the games in which the two sat on opposite sides.", "各欄から、二者が敵対する陣営にいたゲームを開けます。"},
    [CONTEST_WORD_HEAT_PART] = {"The map has the first {0} of {1} agents; the table below has all.", "図は {1} エージェントのうち上位 {0} です。下の表にはすべてあります。"},
    [CONTEST_WORD_PAIRS] = {"Pairs", "組"},

    [CONTEST_WORD_SETS] = {"Sets", "セット"},
    [CONTEST_WORD_SETS_TEXT] = {"Done: {0}, running: {1}, to come: {2}. In all games of a set the same agents sit on the same seats.", "完了 {0}、進行中 {1}、予定 {2}。一つのセットのゲームでは、同じエージェントが同じ席に座ります。"},
    [CONTEST_WORD_STATE_DONE] = {"done", "完了"},
    [CONTEST_WORD_STATE_RUNNING] = {"running", "進行中"},
    [CONTEST_WORD_STATE_PLANNED] = {"planned", "予定"},
    [CONTEST_WORD_STATE] = {"State", "状態"},
    [CONTEST_WORD_SEATS] = {"Agents, from seat 1 on", "エージェント(席 1 から)"},
    [CONTEST_WORD_STAGE_ROWS] = {"Stages of the plan", "計画のステージ"},
    [CONTEST_WORD_NLP_SCHEDULE] = {"Matches by team and role: played of planned", "チームと役職ごとの試合: 実施 / 予定"},
    [CONTEST_WORD_NLP_TEXT] = {"{0} matches have ended, {1} are being played, {2} wait.", "終了 {0}、対戦中 {1}、待機 {2} 試合。"},
    [CONTEST_WORD_ALL_ROLES] = {"All", "合計"},
    [CONTEST_WORD_RUNNING_NOW] = {"Being played", "対戦中"},
    [CONTEST_WORD_LEFT] = {"To play", "残り"},
    [CONTEST_WORD_AWAITED] = {"Awaited", "待たれている"},
    [CONTEST_WORD_PER_SET] = {"Games in a set, at most", "1 セットのゲーム数(最大)"},
    [CONTEST_WORD_GAMES_PLANNED] = {"Games planned", "予定のゲーム数"},
    [CONTEST_WORD_GAMES_PLAYED] = {"Games played", "終わったゲーム数"},
    [CONTEST_WORD_NOT_KNOWN_YET] = {"(team {0}, not seen yet)", "(チーム {0}、未接続)"},

    [CONTEST_WORD_FAULTS_TEXT] =
        {"Finished games only. Numbers lead to the faults themselves. A seat has failed when a substitute went on in its place.",
         "終わったゲームのみ。数値から一つ一つの違反を開けます。代役に替わった席を脱落と呼びます。"},
    [CONTEST_WORD_FAULT_LIST] = {"One by one", "一覧"},
    [CONTEST_WORD_FAULT_LIST_TEXT] = {"Each leads to its moment in the game.", "ゲーム番号から、その場面を開けます。"},
    [CONTEST_WORD_FAULTS_LEFT_OUT] = {"{0} more are counted above and not listed.", "ほかに {0} 件(上の表には含みます)。"},
    [CONTEST_WORD_KIND] = {"Kind", "種類"},
    [CONTEST_WORD_DAY] = {"Day", "日"},
    [CONTEST_WORD_SEAT] = {"Seat", "席"},
    [CONTEST_WORD_REQUEST] = {"Request", "要求"},
    [CONTEST_WORD_CAME] = {"What came", "届いたもの"},
    [CONTEST_WORD_AFTER_MS] = {"After (ms)", "経過 (ms)"},
    [CONTEST_WORD_AT] = {"When (UTC)", "時刻(UTC)"},
    [CONTEST_WORD_FATAL] = {"seat failed", "脱落"},
    [CONTEST_WORD_GOES_ON] = {"goes on", "続行"},
    [CONTEST_WORD_ONLY_KIND] = {"kind: {0}", "種類: {0}"},
    [CONTEST_WORD_ONLY_TEAM] = {"agent: {0}", "エージェント: {0}"},
    [CONTEST_WORD_SHOW_ALL] = {"show all", "すべて表示"},
    [CONTEST_WORD_FOLLOWED] = {"What followed", "結果"},
    [CONTEST_WORD_MAX_TIME] = {"Longest", "最長"},

    [CONTEST_WORD_FILTER] = {"Filter", "絞り込み"},
    [CONTEST_WORD_ANY] = {"any", "すべて"},
    [CONTEST_WORD_APPLY] = {"Show", "表示"},
    [CONTEST_WORD_CLEAR] = {"Clear", "解除"},
    [CONTEST_WORD_FILTER_TEAM] = {"Agent", "エージェント"},
    [CONTEST_WORD_FILTER_AGAINST] = {"Against", "相手"},
    [CONTEST_WORD_FILTER_ROLE] = {"In the role", "役職"},
    [CONTEST_WORD_FILTER_FAULTS] = {"Faults", "違反"},
    [CONTEST_WORD_FILTER_DAYS] = {"Last day (3, 2-4, 5-)", "終了日(3、2-4、5-)"},
    [CONTEST_WORD_FILTER_SET] = {"Set", "セット"},
    [CONTEST_WORD_FAULTS_ANY] = {"with any", "あり"},
    [CONTEST_WORD_FAULTS_FAILED] = {"with a failed seat", "脱落席あり"},
    [CONTEST_WORD_SHOW_RESULTS] = {"Show results", "結果を表示"},
    [CONTEST_WORD_HIDE_RESULTS] = {"Hide results", "結果を隠す"},
    [CONTEST_WORD_HIDDEN_TEXT] = {"Winners and lengths are hidden.", "勝者と長さは隠しています。"},
    [CONTEST_WORD_FOUND] = {"{0} games.", "{0} ゲーム。"},
    [CONTEST_WORD_GAME] = {"Game", "ゲーム"},
    [CONTEST_WORD_WHY] = {"Remarks", "備考"},
    [CONTEST_WORD_LINE_UP] = {"Agents, from seat 1 on", "エージェント(席 1 から)"},
    [CONTEST_WORD_FAULT_COUNT] = {"Faults", "違反"},

    [CONTEST_WORD_RANK_OF] = {"{0} of {1}", "{1} 中 {0} 位"},
    [CONTEST_WORD_NOT_RANKED] = {"not ranked", "順位なし"},
    [CONTEST_WORD_BY_ROLE] = {"By role", "役職ごと"},
    [CONTEST_WORD_OPPONENTS] = {"Head to head", "直接対決"},
    [CONTEST_WORD_ITS_GAMES] = {"Its games", "ゲーム"},
    [CONTEST_WORD_ITS_FAULTS] = {"Its faults", "違反"},
    [CONTEST_WORD_OUTPUT] = {"What its program printed", "プログラムの出力"},
    [CONTEST_WORD_OUTPUT_TEXT] = {"A file for each set; the end of the chosen one stands below.", "セットごとに一つのファイル。下は選んだファイルの末尾です。"},
    [CONTEST_WORD_OUTPUT_HIDDEN] = {"For operators only, until the contest is published.", "大会の公開までは運営者のみ。"},
    [CONTEST_WORD_OUTPUT_GONE] = {"It is no longer kept.", "保存期間が終わったため、削除されました。"},
    [CONTEST_WORD_OUTPUT_END] = {"The end of {0}", "{0} の末尾"},
    [CONTEST_WORD_FILE] = {"File", "ファイル"},
    [CONTEST_WORD_BYTES] = {"Bytes", "バイト"},
};
/* clang-format on */

const char *contest_word(ReportLanguage language, ContestWord word)
{
    return words[word][language];
}

void contest_say(ReportLanguage language, ContestWord word, const Str *args, size_t count, Buf *out)
{
    Str rest = str_of(contest_word(language, word));

    while (rest.len) {
        bool place = rest.len >= 3 && rest.bytes[0] == '{' && rest.bytes[2] == '}';
        size_t number = place ? (size_t)(rest.bytes[1] - '0') : 0;
        if (place && number < count)
            html_text(args[number], out);
        else
            buf_add_char(out, rest.bytes[0]);
        rest = str_part(rest, place && number < count ? 3 : 1, rest.len);
    }
}

void contest_say_count(ReportLanguage language, ContestWord word, uint64_t number, Buf *out)
{
    PageNumber room;

    contest_say(language, word, (Str[]){page_number(&room, number)}, 1, out);
}
