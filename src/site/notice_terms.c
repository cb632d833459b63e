#include "site/notice_terms.h"

typedef struct Term {
    const char *value;
    const char *words[2];
} Term;

static const Term states[] = {
    {"DRAFT", {"in preparation", "準備中"}},    {"OPEN", {"open for entries", "参加受付中"}},
    {"FROZEN", {"entries closed", "受付終了"}}, {"PRELIMINARY", {"preliminary", "予選"}},
    {"REVISION", {"revision", "改訂期間"}},     {"FINAL", {"final", "決勝"}},
    {"JUDGING", {"judging", "審査"}},           {"APPEALS", {"appeals", "異議申立て"}},
    {"PUBLISHED", {"published", "結果公開"}},   {"ARCHIVED", {"archived", "保管済み"}},
    {"CANCELLED", {"cancelled", "中止"}},       {"paused", {"paused", "一時停止"}},
    {"going on", {"going on", "再開"}},         {NULL, {NULL, NULL}},
};

static const Term rules[] = {
    {"late", {"late answers", "遅い回答"}},
    {"sentence", {"sentences outside the language", "言語外の文"}},
    {"crash", {"crash", "異常終了"}},
    {"judge", {"words to the judges", "審査員への話しかけ"}},
    {"network", {"network", "ネットワーク"}},
    {"write", {"writing files", "ファイルへの書き込み"}},
    {"process", {"starting programs", "プログラムの起動"}},
    {"thread", {"threads", "スレッド"}},
    {"memory", {"memory", "メモリ"}},
    {"output", {"output", "出力"}},
    {"name", {"name", "名前"}},
    {"error", {"errors printed", "エラー出力"}},
    {"silent", {"silence", "無発言"}},
    {"form", {"form of utterances", "発言の形式"}},
    {"other", {"other", "その他"}},
    {NULL, {NULL, NULL}},
};

static const Term decisions[] = {
    {"dismiss", {"dismissed, nothing follows", "却下、処分なし"}},
    {"warn", {"a warning", "警告"}},
    {"eliminate", {"eliminated", "失格"}},
    {"grant", {"granted", "認められました"}},
    {"refuse", {"refused", "認められませんでした"}},
    {NULL, {NULL, NULL}},
};

static const Term abouts[] = {
    {"finding", {"a finding", "違反の記録"}},
    {"game", {"a game", "ゲーム"}},
    {"rank", {"its rank", "順位"}},
    {NULL, {NULL, NULL}},
};

/* Of what a deadline is: dates of the contest file, documents. */
static const Term deadlines[] = {
    {"opens", {"the opening", "受付開始"}},
    {"submission_closes", {"the end of submissions", "提出締切"}},
    {"preliminary", {"the first round", "対戦開始"}},
    {"preliminary_stops", {"the end of the preliminary", "予選終了"}},
    {"revision_closes", {"the end of the revision", "改訂締切"}},
    {"final_stops", {"the end of the final", "決勝終了"}},
    {"judging_closes", {"the end of judging", "審査終了"}},
    {"appeals_close", {"the end of appeals", "異議申立て締切"}},
    {"source", {"the deadline of the source", "ソースコードの提出締切"}},
    {"description", {"the deadline of the description", "解説の提出締切"}},
    {"source, description",
     {"the deadline of source and description", "ソースコードと解説の提出締切"}},
    {NULL, {NULL, NULL}},
};

/* How long before a deadline somebody is told. */
static const Term rests[] = {
    {"1 h", {"1 hour", "1 時間"}},
    {"1 d", {"1 day", "1 日"}},
    {"7 d", {"7 days", "7 日"}},
    {NULL, {NULL, NULL}},
};

static const struct {
    const char *key;
    const Term *terms;
} kinds[] = {
    {"state", states}, {"from", states},        {"to", states},      {"rule", rules},
    {"about", abouts}, {"decision", decisions}, {"what", deadlines}, {"rest", rests},
};

Str notice_term(Str key, Str value, bool japanese)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (const Term *term = kinds[i].terms; str_eq(key, str_of(kinds[i].key)) && term->value;
             term++)
            if (str_eq(value, str_of(term->value)))
                return str_of(term->words[japanese]);
    return value;
}
