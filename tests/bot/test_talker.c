/* Tests of the talkers: whole games in both tracks of the natural-language division with a look at
 * every utterance, and single words on views made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "bot/kinds.h"
#include "bot/talker_words.h"
#include "sanitized.h"

#define TEXTS_MAX 4096

/* ---- a table ---- */

typedef struct Uttered {
    uint32_t hash;
    SeatNo seat;
} Uttered;

typedef struct Table {
    Game *game;
    SeatNo players;
    const BotKind *kind;
    Bot *bots[SEAT_MAX + 1];
    GameSetup setup;
    SeatSet hostile; /* say odd things */
    Rng nonsense;
    char text[4096];

    /* of this game */
    uint32_t text_count;
    Uttered texts[TEXTS_MAX]; /* all that bots said */
    SeatNo announced[SEAT_MAX + 1];
    bool over[SEAT_MAX + 1];
    bool ticked;             /* a session ran out of time */
    bool told[SEAT_MAX + 1]; /* a result, ever */
    uint64_t digest;
    uint64_t utterances; /* of all games */
    uint64_t echoes;     /* said by another seat before */
    uint64_t mentions;
} Table;

static Table *table_new(const char *ruleset, SeatNo players, const BotKind *kind)
{
    Table *table = mem_new(sizeof(*table));
    Ruleset rules;

    assert_non_null(table);
    assert_int_equal(ruleset_preset(str_of(ruleset), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, players, &table->game, NULL), 0);
    table->players = players;
    table->kind = kind;
    for (SeatNo seat = 1; seat <= players; seat++) {
        table->bots[seat] = mem_new(kind->bytes);
        assert_non_null(table->bots[seat]);
        memset(table->bots[seat], 0xA5, kind->bytes);
    }
    return table;
}

static void table_free(Table *table)
{
    for (SeatNo seat = 1; seat <= table->players; seat++)
        mem_free(table->bots[seat]);
    game_free(table->game);
    mem_free(table);
}

static bool is_hostile(const Table *table, SeatNo seat)
{
    return seat_in(table->hostile, seat);
}

/* ---- what must hold of every utterance ---- */

static void check_characters(Str text, size_t most)
{
    Str rest = text;
    size_t count = 0;

    assert_true(utf8_valid(text));
    while (rest.len) {
        uint32_t c = utf8_next(&rest);
        assert_true(c >= 0x20 && c != ',');
        assert_true(c < 0x1F000 && (c < 0x2600 || c > 0x27BF)); /* emoji and dingbats */
        count++;
    }
    assert_in_range(count, 1, most);
}

/* Nobody says the same twice. What somebody else has said comes back rarely: when it was said
 * after one's own last ask of a day. */
static void check_is_new(Table *table, SeatNo seat, Str text)
{
    uint32_t hash = str_hash(text);

    for (uint32_t i = 0; i < table->text_count; i++)
        if (table->texts[i].hash == hash) {
            assert_int_not_equal(table->texts[i].seat, seat);
            table->echoes++;
        }
    assert_true(table->text_count < TEXTS_MAX);
    table->texts[table->text_count++] = (Uttered){hash, seat};
}

static void check_utterance(Table *table, const Ask *ask, Str text)
{
    const View *view = game_view(table->game, ask->seat);
    bool japanese = table->kind == &bot_talker_ja ||
                    (table->kind == &bot_talker &&
                     talker_language_of(view->names, table->players) == TALKER_JAPANESE);
    Understood what[UNDERSTOOD_MAX];

    if (str_eq(text, STR("Over")))
        return;
    assert_false(str_eq(text, STR("Skip")));
    check_characters(text, japanese ? 50 : 125);
    check_is_new(table, ask->seat, text);
    table->utterances++;
    table->mentions += memchr(text.bytes, '@', text.len) != NULL;
    unsigned count = talker_understand(text, view->names, table->players, what);
    for (unsigned i = 0; i < count; i++) {
        if (what[i].meaning == MEANS_VOTE)
            table->announced[ask->seat] = what[i].about;
        if (what[i].meaning == MEANS_SEER || what[i].meaning == MEANS_MEDIUM)
            table->told[ask->seat] = true;
        if (what[i].meaning == MEANS_SEER)
            assert_true(view->role == ROLE_SEER || view->role == ROLE_POSSESSED);
        if (what[i].meaning == MEANS_MEDIUM)
            assert_int_equal(view->role, ROLE_MEDIUM);
    }
}

static void check_target(const Table *table, const Ask *ask, const Answer *answer)
{
    const View *view = game_view(table->game, ask->seat);
    SeatNo announced = table->announced[ask->seat];

    if (ask->kind == ASK_ROLE) {
        assert_int_equal(answer->wish, ROLE_NONE);
        return;
    }
    assert_true(seat_in(view->alive & ~seat_bit(ask->seat), answer->target));
    if (ask->kind == ASK_VOTE && seat_in(view->alive, announced))
        assert_int_equal(answer->target, announced);
    if (ask->kind == ASK_ATTACK)
        assert_int_not_equal(view->roles[answer->target], ROLE_WEREWOLF);
}

/* What is recorded is what was said: no limit has cut anything off, spaces at mentions aside. */
static void check_recorded(Str said, Str recorded)
{
    size_t at = 0;

    for (size_t i = 0; i < recorded.len; i++) {
        if (recorded.bytes[i] == ' ')
            continue;
        while (at < said.len && said.bytes[at] == ' ')
            at++;
        assert_true(at < said.len && said.bytes[at] == recorded.bytes[i]);
        at++;
    }
    assert_int_equal(at, said.len);
}

/* ---- playing ---- */

static Str odd_text(Table *table)
{
    static const char *const pieces[] = {"Agent[01]",
                                         "Agent[02]",
                                         "@Agent[03]",
                                         " is a werewolf",
                                         "I am the seer",
                                         "さん",
                                         "は人狼",
                                         "占い師です",
                                         "@",
                                         "{a}",
                                         "\xff\xfe",
                                         "vote for ",
                                         "\n",
                                         ",",
                                         "Over",
                                         "@Agent[04]"};
    size_t used = 0;
    unsigned count = rng_below(&table->nonsense, 40);

    for (unsigned i = 0; i < count; i++) {
        Str piece = str_of(pieces[rng_below(&table->nonsense, 16)]);
        memcpy(table->text + used, piece.bytes, piece.len);
        used += piece.len;
    }
    return (Str){table->text, used};
}

static Answer table_answer(Table *table, const Ask *ask)
{
    const View *view = game_view(table->game, ask->seat);
    Answer answer = {.kind = ask->kind};
    bool talks = ask->kind == ASK_TALK || ask->kind == ASK_WHISPER;

    if (is_hostile(table, ask->seat)) {
        answer.text = rng_below(&table->nonsense, 6) ? odd_text(table) : STR("Over");
        answer.target = (SeatNo)rng_below(&table->nonsense, 256);
        return answer;
    }
    table->kind->answer(table->bots[ask->seat], ask, view, &answer);
    if (answer.lapse) {
        assert_true(ask->standing);
        return answer;
    }
    if (talks)
        check_utterance(table, ask, answer.text);
    else
        check_target(table, ask, &answer);
    table->digest = rng_derive_text(table->digest + answer.target, answer.text);
    return answer;
}

static void table_event(Table *table, const Event *event)
{
    if (event->kind == EVENT_DAY)
        memset(table->announced, 0, sizeof(table->announced));
    if (event->kind == EVENT_PHASE)
        memset(table->over, 0, sizeof(table->over));
    if (event->kind == EVENT_TALK && event->talk->over)
        table->over[event->seat] = true;
}

/* Gives the answer; then what was recorded of it is looked at. */
static void hand_in(Table *table, const Ask *ask, const Answer *answer)
{
    char said[1024];
    size_t len = answer->text.len;
    Event event;

    assert_true(len <= sizeof(said) || is_hostile(table, ask->seat));
    if (len <= sizeof(said) && len)
        memcpy(said, answer->text.bytes, len);
    int rc = game_answer(table->game, ask->seat, answer, NULL);
    assert_true(rc == 0 || (rc == ERR_LIMIT && is_hostile(table, ask->seat)));
    while (game_next_event(table->game, &event)) {
        if ((event.kind == EVENT_TALK || event.kind == EVENT_WHISPER) && event.seat == ask->seat &&
            !is_hostile(table, ask->seat) && len && !event.talk->over && !event.talk->skip)
            check_recorded((Str){said, len}, event.talk->text);
        table_event(table, &event);
    }
}

static bool open_room(Table *table)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);

    for (size_t i = 0; i < count; i++) {
        Answer answer = table_answer(table, &asks[i]);
        if (!answer.lapse) {
            hand_in(table, &asks[i], &answer);
            return true;
        }
    }
    return false;
}

static Side table_play(Table *table, uint64_t seed)
{
    Event event;
    Ask ask;

    table->nonsense = rng_new(seed);
    table->text_count = 0;
    table->ticked = false;
    memset(table->told, 0, sizeof(table->told));
    Chance chance = chance_from_seed(rng_derive(seed, 0));
    assert_int_equal(game_start(table->game, &table->setup, chance, NULL), 0);
    for (SeatNo seat = 1; seat <= table->players; seat++)
        table->kind->start(table->bots[seat], game_view(table->game, seat), rng_derive(seed, seat));
    for (;;) {
        while (game_next_event(table->game, &event))
            table_event(table, &event);
        if (game_over(table->game))
            return game_winner(table->game);
        bool open = game_first_ask(table->game, &ask);
        if (open && !ask.standing) {
            Answer answer = table_answer(table, &ask);
            hand_in(table, &ask, &answer);
        } else if (!open || !open_room(table)) {
            table->ticked = true;
            game_tick(table->game, game_deadline(table->game));
        }
    }
}

static const char *const japanese_names[] = {
    NULL,         "タクミ", "ミナト", "セルヴァス", "ケンジ", "ミヅキ", "アスカ",
    "シュンイチ", "リン",   "メイ",   "シオン",     "サクラ", "ミナコ", "トシオ"};

static void name_seats(Table *table)
{
    for (SeatNo seat = 1; seat <= table->players; seat++)
        table->setup.names[seat] = str_of(japanese_names[seat]);
}

static void every_utterance_of_whole_games_obeys_the_rules(void **state)
{
    static const char *const tracks[] = {"nlp-turn", "nlp-anytime"};
    static const SeatNo sizes[] = {5, 9, 13};
    static const BotKind *const kinds[] = {&bot_talker, &bot_talker_en, &bot_talker_ja};

    (void)state;
    for (unsigned i = 0; i < 2 * 3 * 3 * 2; i++) {
        SeatNo players = sizes[i / 2 % 3];
        Table *table = table_new(tracks[i % 2], players, kinds[i / 6 % 3]);
        unsigned games = (players == 5 ? 200 : 30) / (SANITIZED ? 5 : 1);
        unsigned wins = 0;

        if (i / 18)
            name_seats(table);
        for (unsigned g = 0; g < games; g++) {
            wins += table_play(table, 1000 * i + g) == SIDE_VILLAGER;
            assert_false(table->ticked); /* everybody says Over, so no time runs out */
        }
        assert_true(table->utterances / games > players * 4u);
        assert_true(table->mentions * 20 > table->utterances);
        assert_true(table->echoes * 50 < table->utterances);
        if (i % 18 < 6)
            print_message("%s, %u players: villagers win %u of %u; %.1f utterances a game\n",
                          tracks[i % 2], players, wins, games, (double)table->utterances / games);
        table_free(table);
    }
}

static void both_sides_win_now_and_then(void **state)
{
    static const struct {
        SeatNo players;
        unsigned games;
        unsigned least; /* percent */
        unsigned most;
    } rows[] = {{5, 1000, 45, 70}, {9, 500, 30, 55}, {13, 300, 25, 50}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Table *table = table_new("nlp-turn", rows[i].players, &bot_talker);
        unsigned wins = 0;

        for (unsigned g = 0; g < rows[i].games; g++)
            wins += table_play(table, g) == SIDE_VILLAGER;
        print_message("%u players: villagers win %u of %u\n", rows[i].players, wins, rows[i].games);
        assert_in_range(wins * 100 / rows[i].games, rows[i].least, rows[i].most);
        table_free(table);
    }
}

static void seers_tell_their_results_and_possessed_pretend_to(void **state)
{
    Table *table = table_new("nlp-turn", 5, &bot_talker);
    unsigned told[ROLE_COUNT] = {0};

    (void)state;
    for (unsigned g = 0; g < 200; g++) {
        table_play(table, g);
        for (SeatNo seat = 1; seat <= 5; seat++)
            told[game_role(table->game, seat)] += table->told[seat];
    }
    assert_true(told[ROLE_SEER] > 150);
    assert_true(told[ROLE_POSSESSED] > 150);
    assert_int_equal(told[ROLE_VILLAGER] + told[ROLE_WEREWOLF], 0);
    table_free(table);
}

static void the_same_seed_gives_the_same_answers(void **state)
{
    Table *table = table_new("nlp-anytime", 9, &bot_talker);
    uint64_t digests[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        table->digest = 0;
        for (unsigned g = 0; g < 5; g++)
            table_play(table, (i == 2) + g);
        digests[i] = table->digest;
    }
    assert_int_equal(digests[0], digests[1]);
    assert_int_not_equal(digests[0], digests[2]);
    table_free(table);
}

static void they_play_by_every_ruleset_and_against_odd_talk(void **state)
{
    (void)state;
    for (unsigned i = 0; ruleset_preset_name(i); i++)
        for (unsigned hostile = 0; hostile < 2; hostile++) {
            Ruleset rules;
            assert_int_equal(ruleset_preset(str_of(ruleset_preset_name(i)), &rules, NULL), 0);
            Table *table = table_new(rules.name, (SeatNo)rules.players, &bot_talker);
            table->hostile = hostile ? 0x2A : 0;
            /* In a room without an end of talk odd talk has none either. */
            if (hostile && rules.talk.exchange == EXCHANGE_ANYTIME && !rules.talk.keywords)
                table->hostile = 0;
            for (unsigned g = 0; g < 20; g++)
                table_play(table, g);
            table_free(table);
        }
}

static void names_that_cannot_be_said_are_not_said(void **state)
{
    static char endless[400];
    Table *table = table_new("nlp-turn", 5, &bot_talker);

    (void)state;
    memset(endless, 'x', sizeof(endless));
    table->setup.names[1] = (Str){endless, sizeof(endless)};
    table->setup.names[2] = STR("Smith, J");
    table->setup.names[3] = STR("Ann");
    table->setup.names[4] = STR("Anna");
    table->setup.names[5] = STR("@");
    for (unsigned g = 0; g < 100; g++)
        table_play(table, g);
    table_free(table);
}

/* ---- words ---- */

static bool means(TalkerLanguage language, Line line, Meaning expected)
{
    const Str names[] = {STR(""), STR("Agent[01]"), STR("Agent[02]"), STR("Agent[03]")};
    Understood what[UNDERSTOOD_MAX];
    char text[512];
    bool all = true;

    for (unsigned i = 0; talker_wording(language, line, i); i++) {
        size_t len =
            talker_write(talker_wording(language, line, i), names[1], names[2], text, sizeof(text));
        unsigned count = talker_understand((Str){text, len}, names, 3, what);
        bool found = expected == MEANS_NOTHING && count == 0;
        for (unsigned k = 0; k < count; k++)
            found |= what[k].meaning == expected && (what[k].about == 1 || what[k].about == 0);
        if (!found)
            print_message("not understood: %.*s\n", (int)len, text);
        all &= found;
    }
    return all;
}

static void every_wording_is_understood_as_it_is_meant(void **state)
{
    static const struct {
        Line line;
        Meaning meaning;
    } rows[] = {
        {LINE_HELLO, MEANS_NOTHING},       {LINE_VICTIM, MEANS_NOTHING},
        {LINE_QUIET_NIGHT, MEANS_NOTHING}, {LINE_ASK, MEANS_NOTHING},
        {LINE_SEER_WOLF, MEANS_SEER},      {LINE_SEER_WOLF, MEANS_WOLF},
        {LINE_SEER_HUMAN, MEANS_SEER},     {LINE_SEER_HUMAN, MEANS_HUMAN},
        {LINE_MEDIUM_WOLF, MEANS_MEDIUM},  {LINE_MEDIUM_WOLF, MEANS_WOLF},
        {LINE_MEDIUM_HUMAN, MEANS_MEDIUM}, {LINE_MEDIUM_HUMAN, MEANS_HUMAN},
        {LINE_DENY, MEANS_NOTHING},        {LINE_RESULT, MEANS_WOLF},
        {LINE_ACCUSED_ME, MEANS_DOUBT},    {LINE_LIAR, MEANS_DOUBT},
        {LINE_RIVAL, MEANS_DOUBT},         {LINE_DIVINED, MEANS_DOUBT},
        {LINE_AGREE, MEANS_DOUBT},         {LINE_SILENT, MEANS_DOUBT},
        {LINE_FEELING, MEANS_DOUBT},       {LINE_REPLY_EARLY, MEANS_NOTHING},
        {LINE_REPLY_THINK, MEANS_DOUBT},   {LINE_REPLY_ROLE, MEANS_NOTHING},
        {LINE_REPLY_OUT, MEANS_NOTHING},   {LINE_VOTE, MEANS_VOTE},
        {LINE_CHANGE, MEANS_VOTE},         {LINE_WOLVES_HELLO, MEANS_NOTHING},
        {LINE_ATTACK, MEANS_ATTACK},       {LINE_ATTACK_TOO, MEANS_ATTACK},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned language = 0; language < TALKER_LANGUAGES; language++) {
            assert_true(means((TalkerLanguage)language, rows[i].line, rows[i].meaning));
            assert_non_null(talker_wording((TalkerLanguage)language, rows[i].line, 2));
        }
}

static Understood first_of(const char *text)
{
    const Str names[] = {STR(""), STR("Ann"), STR("Anna"), STR("リン")};
    Understood what[UNDERSTOOD_MAX];

    return talker_understand(str_of(text), names, 3, what) ? what[0] : (Understood){0};
}

static void words_of_others_are_understood_and_denials_are_not_accusations(void **state)
{
    static const struct {
        const char *text;
        Meaning meaning;
        SeatNo about;
    } rows[] = {
        {"i think Anna Is A Werewolf", MEANS_WOLF, 2},
        {"Ann is a werewolf", MEANS_WOLF, 1},
        {"Ann is not a werewolf", MEANS_HUMAN, 1},
        {"we lose if Ann is a werewolf", MEANS_NOTHING, 0},
        {"I will not vote for Ann", MEANS_NOTHING, 0},
        {"My role is seer. Have a good game.", MEANS_SEER, 0},
        {"Let’s vote out Ann today", MEANS_VOTE, 1},
        {"リンさんは人狼ではありません", MEANS_HUMAN, 3},
        {"リンは人狼だ", MEANS_WOLF, 3},
        {"リンは占い師です", MEANS_NOTHING, 0},
        {"占い師です。", MEANS_SEER, 0},
        {"今日はリンに一票", MEANS_VOTE, 3},
        {"占いCOありますか", MEANS_NOTHING, 0},
        {"", MEANS_NOTHING, 0},
        {"Ann", MEANS_NOTHING, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Understood what = first_of(rows[i].text);
        assert_int_equal(what.meaning, rows[i].meaning);
        assert_int_equal(what.about, rows[i].about);
    }
}

static void the_language_follows_the_names(void **state)
{
    const Str latin[] = {STR(""), STR("Agent[01]"), STR("Zo\xc3\xab"), STR("")};
    const Str kanji[] = {STR(""), STR("Bob"), STR("美咲")};

    (void)state;
    assert_int_equal(talker_language_of(latin, 3), TALKER_ENGLISH);
    assert_int_equal(talker_language_of(kanji, 2), TALKER_JAPANESE);
}

/* ---- single answers ---- */

typedef struct Hand {
    Ruleset rules;
    uint8_t role_counts[ROLE_COUNT];
    uint16_t left[SEAT_MAX + 1];
    int32_t length[SEAT_MAX + 1];
    Str names[6];
    Talk talk[16];
    TalkLog log;
    TalkLog silence;
    VoteLog votes;
    View view;
    Bot *bot;
    const BotKind *kind;
    Answer answer;
} Hand;

static Hand *hand_new(const char *ruleset, const char *const *names, Role role, uint16_t day)
{
    Hand *hand = mem_new(sizeof(*hand));

    assert_non_null(hand);
    assert_int_equal(ruleset_preset(str_of(ruleset), &hand->rules, NULL), 0);
    assert_int_equal(ruleset_roles(&hand->rules, 5, hand->role_counts, NULL), 0);
    hand->log.items = hand->talk;
    for (SeatNo seat = 1; seat <= 5; seat++) {
        hand->left[seat] = 4;
        hand->names[seat] = str_of(names[seat]);
    }
    hand->view = (View){.rules = &hand->rules,
                        .role_counts = hand->role_counts,
                        .names = hand->names,
                        .seat = 1,
                        .seat_count = 5,
                        .role = role,
                        .day = day,
                        .alive = seat_all(5),
                        .alive_at_dawn = seat_all(5),
                        .talk = &hand->log,
                        .whisper = &hand->silence,
                        .talk_left = hand->left,
                        .talk_length = hand->length,
                        .latest_votes = &hand->votes,
                        .votes = &hand->votes,
                        .latest_attack_votes = &hand->votes,
                        .attack_votes = &hand->votes};
    hand->view.roles[1] = (uint8_t)role;
    hand->kind = &bot_talker;
    hand->bot = mem_new(hand->kind->bytes);
    assert_non_null(hand->bot);
    hand->kind->start(hand->bot, &hand->view, 5);
    return hand;
}

static void hand_free(Hand *hand)
{
    mem_free(hand->bot);
    mem_free(hand);
}

static void hand_says(Hand *hand, SeatNo seat, const char *text)
{
    Talk *talk = &hand->talk[hand->log.count];

    *talk = (Talk){.text = str_of(text), .day = hand->view.day, .seat = seat};
    talk->idx = hand->log.count++;
    talk->over = str_eq(talk->text, STR("Over"));
}

static Str hand_asks(Hand *hand, bool standing)
{
    Ask ask = {.seat = 1, .kind = ASK_TALK, .standing = standing};

    hand->answer = (Answer){.kind = ASK_TALK};
    hand->kind->answer(hand->bot, &ask, &hand->view, &hand->answer);
    return hand->answer.lapse ? STR("") : hand->answer.text;
}

static const char *const english_names[] = {NULL, "May", "Takumi", "Toshio", "Midori", "Jonathan"};

static void who_is_spoken_to_answers_with_the_askers_name(void **state)
{
    static const struct {
        const char *const *names;
        const char *question;
        const char *answer;
    } rows[] = {
        {english_names, " @May  whom do you suspect?", "@Jonathan "},
        {english_names, "Hey @May what is your role?", "@Jonathan "},
        {english_names, "@May is a werewolf! What do you say @May?", "@Jonathan "},
        {japanese_names, "@タクミ 誰が怪しいと思う？", "@ミヅキ "},
        {japanese_names, "@タクミ 役職を教えてください。", "@ミヅキ "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (uint16_t day = 1; day <= 2; day++) {
            Hand *hand = hand_new("nlp-turn", rows[i].names, ROLE_VILLAGER, day);
            hand_says(hand, 5, rows[i].question);
            assert_true(str_starts(hand_asks(hand, false), str_of(rows[i].answer)));
            hand_says(hand, 5, rows[i].question); /* once is enough */
            assert_false(str_starts(hand_asks(hand, false), str_of(rows[i].answer)));
            hand_free(hand);
        }
}

static void the_last_word_of_a_day_is_the_vote(void **state)
{
    Understood what[UNDERSTOOD_MAX];
    Hand *hand = hand_new("nlp-turn", english_names, ROLE_VILLAGER, 2);

    (void)state;
    hand->left[1] = 1;
    hand_says(hand, 5, "@May what do you think?");
    Str said = hand_asks(hand, false);
    assert_int_equal(talker_understand(said, hand->names, 5, what), 1);
    assert_int_equal(what[0].meaning, MEANS_VOTE);
    hand->left[1] = 0;
    assert_true(str_eq(hand_asks(hand, false), STR("Over")));
    hand_free(hand);
}

static void at_any_time_it_lets_others_speak_but_not_for_ever(void **state)
{
    Hand *hand = hand_new("nlp-anytime", english_names, ROLE_VILLAGER, 0);
    unsigned waited = 0;

    (void)state;
    assert_true(hand_asks(hand, true).len > 0); /* a greeting */
    while (hand_asks(hand, true).len == 0)
        waited++;
    assert_in_range(waited, 3, 20);
    for (SeatNo seat = 2; seat <= 5; seat++)
        hand_says(hand, seat, "Over");
    while (!str_eq(hand_asks(hand, true), STR("Over")))
        assert_true(waited++ < 40);
    hand_free(hand);
}

static void a_length_that_is_used_up_leaves_only_over(void **state)
{
    Hand *hand = hand_new("nlp-turn", english_names, ROLE_VILLAGER, 1);

    (void)state;
    hand->rules.talk.length.base_length = LIMIT_NONE;
    hand->rules.talk.length.per_agent = 100;
    hand->length[1] = 3;
    assert_true(str_eq(hand_asks(hand, false), STR("Over")));
    hand_free(hand);
}

static void a_seer_that_found_a_wolf_says_so_and_votes_for_it(void **state)
{
    Hand *hand = hand_new("nlp-turn", english_names, ROLE_SEER, 1);
    Understood what[UNDERSTOOD_MAX];
    Ask ask = {.seat = 1, .kind = ASK_VOTE};

    (void)state;
    hand->view.divined = (Judge){.day = 1, .agent = 1, .target = 3, .result = SPECIES_WEREWOLF};
    Str said = hand_asks(hand, false);
    unsigned count = talker_understand(said, hand->names, 5, what);
    assert_int_equal(what[0].meaning, MEANS_SEER);
    assert_int_equal(what[count - 1].meaning, MEANS_WOLF);
    assert_int_equal(what[count - 1].about, 3);
    hand->answer = (Answer){.kind = ASK_VOTE};
    hand->kind->answer(hand->bot, &ask, &hand->view, &hand->answer);
    assert_int_equal(hand->answer.target, 3);
    hand_free(hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_utterance_of_whole_games_obeys_the_rules),
        cmocka_unit_test(both_sides_win_now_and_then),
        cmocka_unit_test(seers_tell_their_results_and_possessed_pretend_to),
        cmocka_unit_test(the_same_seed_gives_the_same_answers),
        cmocka_unit_test(they_play_by_every_ruleset_and_against_odd_talk),
        cmocka_unit_test(names_that_cannot_be_said_are_not_said),
        cmocka_unit_test(every_wording_is_understood_as_it_is_meant),
        cmocka_unit_test(words_of_others_are_understood_and_denials_are_not_accusations),
        cmocka_unit_test(the_language_follows_the_names),
        cmocka_unit_test(who_is_spoken_to_answers_with_the_askers_name),
        cmocka_unit_test(the_last_word_of_a_day_is_the_vote),
        cmocka_unit_test(at_any_time_it_lets_others_speak_but_not_for_ever),
        cmocka_unit_test(a_length_that_is_used_up_leaves_only_over),
        cmocka_unit_test(a_seer_that_found_a_wolf_says_so_and_votes_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
