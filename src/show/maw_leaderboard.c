#include "show/maw_leaderboard.h"

#include "base/utf8.h"
#include "person/person_text.h"
#include "show/text_table.h"

#include <inttypes.h>

#define WOLF_NAME_CHARS 64

typedef enum EndWord {
    WON,     /* villagers, werewolves, nobody */
    MODELS,  /* lines, votes, silent, by the models, of all, by rules */
    OF_DEMO, /* decisions */
    FULL_STOP,
    TOKENS,     /* read, written */
    COST,       /* amount */
    OPINIONS,   /* model, how many, of wolves, Brier score */
    BROKEN_OFF, /* round, names of its wolves */
    END_WORDS,
} EndWord;

static const char *const words[END_WORDS][2] = {
    [WON] = {"Villagers won {0}, werewolves {1}, nobody {2}.\n",
             "村人の勝ち {0}、人狼の勝ち {1}、勝者なし {2}。\n"},
    [MODELS] = {"Models: {0} lines, {1} votes, {2} times silent; {3} of {4} decisions were the "
                "models' own, {5} a rule's in their place",
                "モデル: 発言 {0}、投票 {1}、沈黙 {2}。判断 {4} 件のうち {3} 件がモデル自身、{5} "
                "件は代わりのルール"},
    [OF_DEMO] = {", {0} the demo model's", "、{0} 件はデモモデル"},
    [FULL_STOP] = {".\n", "。\n"},
    [TOKENS] = {"Tokens: {0} read, {1} written", "トークン: 入力 {0}、出力 {1}"},
    [COST] = {"; about {0}", "、約 {0}"},
    [OPINIONS] = {"Opinions of {0}: {1}, {2} of them on wolves; Brier score {3}.\n",
                  "{0} の意見: {1} 件、うち人狼に対するもの {2} 件、ブライアスコア {3}。\n"},
    [BROKEN_OFF] = {"Round {0} was broken off. Its werewolves: {1}.\n",
                    "ラウンド {0} は途中で終わりました。人狼: {1}。\n"},
};

/* `numbers`: six of them, of which the text has as many as it needs. */
static void add_sentence(EndWord word, LlmLanguage language, const uint64_t numbers[static 6],
                         Buf *out)
{
    char texts[6][24];
    Str arguments[6];

    for (int i = 0; i < 6; i++) {
        snprintf(texts[i], sizeof(texts[i]), "%" PRIu64, numbers[i]);
        arguments[i] = str_of(texts[i]);
    }
    person_fill(words[word][language == LLM_JAPANESE], arguments, 6, out);
}

/* How many decisions came from where: a session is played to its end also when no model answers. */
static void add_figures(const LlmFigures *sum, LlmLanguage language, uint64_t million_cents,
                        Buf *out)
{
    uint32_t all = sum->lines + sum->votes + sum->listens;
    uint32_t known = sum->by_model + sum->fallbacks;
    uint64_t tokens = sum->prompt_tokens + sum->answer_tokens;

    add_sentence(
        MODELS, language,
        (uint64_t[6]){sum->lines, sum->votes, sum->listens, sum->by_model, all, sum->fallbacks},
        out);
    if (all > known)
        add_sentence(OF_DEMO, language, (uint64_t[6]){all - known}, out);
    add_sentence(FULL_STOP, language, (uint64_t[6]){0}, out);
    if (!tokens)
        return;
    add_sentence(TOKENS, language, (uint64_t[6]){sum->prompt_tokens, sum->answer_tokens}, out);
    if (million_cents) {
        uint64_t cents = (tokens * million_cents + 500000) / 1000000;
        char amount[32];
        snprintf(amount, sizeof(amount), "%" PRIu64 ".%02u", cents / 100, (unsigned)(cents % 100));
        person_fill(words[COST][language == LLM_JAPANESE], &(Str){amount, strlen(amount)}, 1, out);
    }
    buf_add_char(out, '\n');
}

/* Who the wolves were of a round that has no end: who leaves in its middle wants to know. */
static void add_wolves(const MawSession *session, LlmLanguage language, Buf *out)
{
    uint32_t ended = maw_session_rounds_won(session, SIDE_VILLAGER) +
                     maw_session_rounds_won(session, SIDE_WEREWOLF) +
                     maw_session_rounds_won(session, SIDE_NONE);
    CLEANUP(buf_done) Buf names = {0};
    MawStanding standing;
    char round[24];

    if (!maw_session_over(session) || maw_session_round(session) <= ended)
        return;
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++)
        if (standing.role == ROLE_WEREWOLF) {
            buf_add(&names, names.len ? STR(", ") : STR(""));
            utf8_add_printable(standing.name, WOLF_NAME_CHARS, &names);
        }
    snprintf(round, sizeof(round), "%" PRIu32, maw_session_round(session));
    if (names.len)
        person_fill(words[BROKEN_OFF][language == LLM_JAPANESE],
                    (Str[]){str_of(round), buf_str(&names)}, 2, out);
}

/* How sure villagers were of wolves, model by model. */
static void add_opinions(const MawTable *table, LlmLanguage language, Buf *out)
{
    OpinionScore score;
    Str model;

    if (!maw_session_over(maw_table_session(table)))
        return;
    for (size_t i = 0; maw_table_opinions(table, i, &model, &score); i++) {
        CLEANUP(buf_done) Buf name = {0};
        char count[24], wolves[24], brier[16];
        if (!score.count)
            continue;
        utf8_add_printable(model, WOLF_NAME_CHARS, &name);
        snprintf(count, sizeof(count), "%" PRIu64, score.count);
        snprintf(wolves, sizeof(wolves), "%" PRIu64, score.hits);
        snprintf(brier, sizeof(brier), "%.3f", opinion_score_brier(&score));
        person_fill(words[OPINIONS][language == LLM_JAPANESE],
                    (Str[]){buf_str(&name), str_of(count), str_of(wolves), str_of(brier)}, 4, out);
    }
}

void maw_leaderboard_write(const MawTable *table, LlmLanguage language, uint64_t cents, Buf *out)
{
    static const char *const columns[2][6] = {
        {"rank", "name", "points", "rounds won", "kind", NULL},
        {"順位", "名前", "得点", "勝利ラウンド", "種類", NULL},
    };
    const MawSession *session = maw_table_session(table);
    CLEANUP(text_table_done) TextTable rows = {.columns = columns[language == LLM_JAPANESE]};
    CLEANUP(buf_done) Buf kind = {0};
    MawStanding standing;
    LlmFigures sum;

    add_sentence(WON, language,
                 (uint64_t[6]){maw_session_rounds_won(session, SIDE_VILLAGER),
                               maw_session_rounds_won(session, SIDE_WEREWOLF),
                               maw_session_rounds_won(session, SIDE_NONE)},
                 out);
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++) {
        text_table_uint(&rows, standing.rank);
        text_table_text(&rows, standing.name);
        text_table_int(&rows, standing.points);
        text_table_uint(&rows, standing.rounds_won);
        buf_clear(&kind);
        maw_table_describe(table, standing.jid, &kind);
        text_table_text(&rows, buf_str(&kind));
    }
    text_table_write(&rows, TABLE_ALIGNED, out);
    add_wolves(session, language, out);
    if (maw_table_figures(table, &sum))
        add_figures(&sum, language, cents, out);
    add_opinions(table, language, out);
}
