/* What talkers say at a MAW table is true of what has happened there: every line of whole sessions
 * is held against the record's own events. No line comes twice in six rounds, votes follow words,
 * and both sides win often enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot/phrases.h"
#include "maw/maw_table.h"
#include "sanitized.h"
#include "stats/win_rates.h"
#include "wire/json_read.h"

#define ROUNDS    6
#define DAYS      24
#define LINES_MAX 20000
#define NOBODY    0

/* What the record says of a round, by seat from 1. */
typedef struct Village {
    SeatNo count;
    Str names[SEAT_MAX + 1];
    char texts[SEAT_MAX + 1][64];
    Role roles[SEAT_MAX + 1];
    bool alive[SEAT_MAX + 1];
    unsigned day;
    bool night;
    SeatNo executed[DAYS];
    SeatNo murdered[DAYS];
    bool murdered_ever[SEAT_MAX + 1];
    SeatNo vote[DAYS][SEAT_MAX + 1];
    bool lived[DAYS][SEAT_MAX + 1]; /* to the day's end, or to the execution */
    bool voted[SEAT_MAX + 1][SEAT_MAX + 1];
    bool left[SEAT_MAX + 1][SEAT_MAX + 1]; /* today */
    bool said[DAYS][SEAT_MAX + 1][SEAT_MAX + 1];
    unsigned lines[SEAT_MAX + 1]; /* today */
    SeatNo first;                 /* to accuse today */
    bool seer[SEAT_MAX + 1];
    bool wolf_by[SEAT_MAX + 1][SEAT_MAX + 1];
    bool human_by[SEAT_MAX + 1][SEAT_MAX + 1];
    bool vouched[SEAT_MAX + 1][SEAT_MAX + 1];
    bool turned[SEAT_MAX + 1][SEAT_MAX + 1]; /* vouched for, then accused */
    bool asked[SEAT_MAX + 1][SEAT_MAX + 1];  /* whom it asked today */
} Village;

typedef struct Watch {
    Village village;
    uint32_t hashes[LINES_MAX];
    unsigned lines;
    unsigned kinds[PHRASE_COUNT];
    unsigned votes;
    unsigned true_claims, false_claims;
} Watch;

/* ---- the village, from the events ---- */

static SeatNo seat_called(const Village *village, Str name)
{
    for (SeatNo seat = 1; seat <= village->count; seat++)
        if (str_eq(village->names[seat], name))
            return seat;
    return NOBODY;
}

static void start_round(Village *village, const json_t *event)
{
    const json_t *players = json_get(event, "players");

    *village = (Village){.count = (SeatNo)json_count(players)};
    for (SeatNo seat = 1; seat <= village->count; seat++) {
        const json_t *player = json_at(players, seat - 1u);
        Str name = json_text(player, "name"), role = json_text(player, "role");
        snprintf(village->texts[seat], sizeof(village->texts[seat]), "%.*s", STR_ARG(name));
        village->names[seat] = str_of(village->texts[seat]);
        village->alive[seat] = true;
        village->roles[seat] = str_eq(role, STR("Werewolf")) ? ROLE_WEREWOLF
                               : str_eq(role, STR("Seer"))   ? ROLE_SEER
                                                             : ROLE_VILLAGER;
    }
}

static void start_phase(Village *village, const json_t *event)
{
    village->night = str_eq(json_text(event, "phase"), STR("night"));
    if (village->night)
        return;
    village->day = (unsigned)json_number(event, "day");
    assert_in_range(village->day, 1, DAYS - 1);
    memset(village->left, 0, sizeof(village->left));
    memset(village->lines, 0, sizeof(village->lines));
    memset(village->asked, 0, sizeof(village->asked));
    village->first = NOBODY;
}

static void end_phase(Village *village, const json_t *event)
{
    SeatNo target = seat_called(village, json_text(event, "target"));

    if (!village->night)
        memcpy(village->lived[village->day], village->alive, sizeof(village->alive));
    if (village->night) {
        village->murdered[village->day] = target;
        village->murdered_ever[target] = target != NOBODY;
    } else {
        village->executed[village->day] = target;
    }
    village->alive[target] = false;
}

/* ---- what must be true of a line ---- */

static bool against(const Village *village, SeatNo who, SeatNo whom)
{
    for (unsigned day = 1; day <= village->day; day++)
        if (village->said[day][who][whom])
            return true;
    return village->voted[who][whom];
}

static bool quarrelled(const Village *village, SeatNo who, SeatNo whom)
{
    for (unsigned day = 1; day <= village->day; day++)
        if (village->said[day][who][whom])
            return true;
    return false;
}

static unsigned accused_today(const Village *village, SeatNo who)
{
    unsigned count = 0;

    for (SeatNo seat = 1; seat <= village->count; seat++)
        count += village->said[village->day][who][seat];
    return count;
}

static bool condemned(const Village *village, SeatNo victim, SeatNo whom)
{
    for (unsigned day = 1; day < village->day; day++)
        if (village->murdered[day] == victim &&
            (village->said[day][victim][whom] || village->vote[day][victim] == whom))
            return true;
    return false;
}

static bool others_have_spoken(const Village *village, SeatNo but)
{
    unsigned count = 0;

    for (SeatNo seat = 1; seat <= village->count; seat++)
        count += seat != but && village->lines[seat] > 0;
    return count > 1;
}

static bool contradicted(const Village *village, SeatNo who, SeatNo whom)
{
    unsigned day = village->day - 1;
    SeatNo vote = village->vote[day][who];

    return day > 0 && village->said[day][who][whom] && vote != NOBODY && vote != whom &&
           !village->said[day][who][vote];
}

/* As Seers one calls a wolf whom the other clears. */
static bool results_clash(const Village *village, SeatNo a, SeatNo b)
{
    for (SeatNo seat = 1; seat <= village->count; seat++)
        if ((village->wolf_by[a][seat] && village->human_by[b][seat]) ||
            (village->human_by[a][seat] && village->wolf_by[b][seat]))
            return true;
    return false;
}

static bool accused_by_somebody(const Village *village, SeatNo whom)
{
    for (SeatNo seat = 1; seat <= village->count; seat++)
        if (village->said[village->day][seat][whom])
            return true;
    return false;
}

static bool is_true(const Village *village, SeatNo me, const PhraseRead *read)
{
    SeatNo a = read->a, b = read->b;
    unsigned day = village->day, before = day - 1;

    switch (read->wording.phrase) {
    case PHRASE_HELLO:
    case PHRASE_AGAIN:
        return day == 1;
    case PHRASE_VICTIM:
        return before > 0 && village->murdered[before] == a;
    case PHRASE_QUIET_NIGHT:
        return before > 0 && village->murdered[before] == NOBODY;
    case PHRASE_EXECUTED:
        return before > 0 && village->executed[before] == a;
    case PHRASE_ASK:
        return village->alive[b] && b != me;
    case PHRASE_ANSWER_NONE:
        return village->asked[b][me];
    case PHRASE_ANSWER:
        return village->asked[b][me] && village->said[day][me][a];
    case PHRASE_DENY:
        return village->said[day][b][me];
    case PHRASE_SEER_WOLF:
    case PHRASE_SEER_HUMAN:
        return a != me; /* wolves lie here */
    case PHRASE_BELIEVE:
        return village->seer[a] && village->alive[a];
    case PHRASE_VOUCH:
        return village->alive[a] && a != me && accused_by_somebody(village, a) &&
               !against(village, me, a);
    case PHRASE_TRUST:
        return quarrelled(village, a, b) && quarrelled(village, b, a);
    case PHRASE_TEST:
        return day == 1 && village->first == NOBODY;
    case PHRASE_FIRST:
        return village->first == a;
    case PHRASE_SILENT:
        return village->lines[a] == 0 && others_have_spoken(village, a);
    case PHRASE_NO_NAME:
        return village->lines[a] > 0 && accused_today(village, a) == 0;
    case PHRASE_SCATTERS:
        return accused_today(village, a) > 1;
    case PHRASE_NO_VOTE:
        return before > 0 && village->lived[before][a] && village->vote[before][a] == NOBODY;
    case PHRASE_ACCUSED_ME:
        return village->said[day][a][me];
    case PHRASE_VOTED_ME:
        return village->voted[a][me];
    case PHRASE_VOTED_VICTIM:
        return village->voted[a][b] && village->murdered_ever[b];
    case PHRASE_VICTIM_ACCUSED:
        return condemned(village, b, a);
    case PHRASE_CONTRADICTS:
        return contradicted(village, a, b);
    case PHRASE_TURNED:
        return village->turned[a][b] && b != me;
    case PHRASE_CLASH:
        return village->seer[a] && village->seer[b] && results_clash(village, a, b);
    case PHRASE_REFUTED:
        return village->wolf_by[a][b] && village->murdered_ever[b];
    case PHRASE_CHANGED:
        return village->left[a][b] && village->vote[day][a] != b;
    case PHRASE_ALIKE:
        return before > 0 && village->vote[before][a] != NOBODY &&
               village->vote[before][a] == village->vote[before][b];
    case PHRASE_SPARED:
        return !against(village, a, b) && !against(village, b, a) && a != b;
    case PHRASE_AGREE:
        return village->said[day][b][a] && b != me;
    case PHRASE_SEER_SAYS:
        return village->seer[b] && village->wolf_by[b][a];
    case PHRASE_RIVALS:
        return village->seer[a] && village->seer[b];
    case PHRASE_VOTE:
        return village->said[day][me][a];
    case PHRASE_CHANGE:
        return village->said[day][me][a] && village->vote[day][me] == b;
    case PHRASE_WOLF_HELLO:
    case PHRASE_ATTACK:
    case PHRASE_ATTACK_TOO:
    case PHRASE_STORY:
    case PHRASE_COUNT:
        break;
    }
    return false;
}

static void check_hideout(const Village *village, SeatNo me, const PhraseRead *read)
{
    assert_true(village->night && village->roles[me] == ROLE_WEREWOLF);
    assert_in_range(read->wording.phrase, PHRASE_WOLF_HELLO, PHRASE_STORY);
    if (read->wording.phrase != PHRASE_WOLF_HELLO)
        assert_true(village->alive[read->a] && village->roles[read->a] != ROLE_WEREWOLF);
}

static void note_line(Watch *watch, SeatNo me, const PhraseRead *read)
{
    Village *village = &watch->village;
    Phrase phrase = read->wording.phrase;

    village->lines[me]++;
    if (phrase == PHRASE_ASK)
        village->asked[me][read->b] = true;
    if (phrase == PHRASE_SEER_WOLF || phrase == PHRASE_SEER_HUMAN) {
        bool wolf = phrase == PHRASE_SEER_WOLF;
        bool honest = wolf == (village->roles[read->a] == ROLE_WEREWOLF);
        village->seer[me] = true;
        village->wolf_by[me][read->a] |= wolf;
        village->human_by[me][read->a] |= !wolf;
        watch->true_claims += village->roles[me] == ROLE_SEER;
        watch->false_claims += village->roles[me] == ROLE_WEREWOLF;
        assert_int_not_equal(village->roles[me], ROLE_VILLAGER);
        assert_true(honest || village->roles[me] == ROLE_WEREWOLF);
    }
    if (phrase == PHRASE_SEER_HUMAN || phrase == PHRASE_BELIEVE || phrase == PHRASE_VOUCH)
        village->vouched[me][read->a] = true;
    if (!phrase_accuses(phrase))
        return;
    village->turned[me][read->a] |= village->vouched[me][read->a];
    village->said[village->day][me][read->a] = true;
    if (village->first == NOBODY)
        village->first = me;
}

static void check_line(Watch *watch, const json_t *event)
{
    Village *village = &watch->village;
    Str text = json_text(event, "text"), room = json_text(event, "room");
    SeatNo me = seat_called(village, json_text(event, "name"));
    uint32_t hash = str_hash(text);
    PhraseRead read = {0};

    if (me == NOBODY || str_eq(room, STR("Lobby")))
        return; /* the system's */
    for (unsigned i = 0; i < watch->lines; i++)
        assert_int_not_equal(watch->hashes[i], hash);
    assert_true(watch->lines < LINES_MAX);
    watch->hashes[watch->lines++] = hash;
    assert_true(village->alive[me]);
    assert_true(phrase_read(text, village->names, village->count, &read));
    watch->kinds[read.wording.phrase]++;
    if (str_eq(room, STR("Hideout"))) {
        check_hideout(village, me, &read);
        return;
    }
    if (!is_true(village, me, &read))
        fail_msg("day %u, %s: %.*s", village->day, village->texts[me], STR_ARG(text));
    note_line(watch, me, &read);
}

/* By day only who was spoken against today gets a vote. */
static void check_vote(Watch *watch, const json_t *event)
{
    Village *village = &watch->village;
    SeatNo who = seat_called(village, json_text(event, "name"));
    SeatNo whom = seat_called(village, json_text(event, "target"));

    if (village->night)
        return;
    if (!village->said[village->day][who][whom])
        fail_msg("day %u: %s votes for %s without a word", village->day, village->texts[who],
                 village->texts[whom]);
    assert_int_not_equal(village->vote[village->day][who], whom); /* none is repeated */
    if (village->vote[village->day][who] != NOBODY)
        village->left[who][village->vote[village->day][who]] = true;
    village->vote[village->day][who] = whom;
    village->voted[who][whom] = true;
    watch->votes++;
}

static void on_event(void *user, Str text)
{
    static const struct {
        const char *event;
        void (*take)(Village *village, const json_t *event);
    } rows[] = {{"start_game", start_round}, {"phase", start_phase}, {"phase_end", end_phase}};
    Watch *watch = user;
    json_t *event = NULL;

    assert_int_equal(json_read(text, 1 << 20, &event, NULL), 0);
    Str kind = json_text(event, "event");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (str_eq(kind, str_of(rows[i].event)))
            rows[i].take(&watch->village, event);
    if (str_eq(kind, STR("line")))
        check_line(watch, event);
    else if (str_eq(kind, STR("vote")))
        check_vote(watch, event);
    json_done(event);
}

/* ---- sessions ---- */

static MawTable *play_session(MawBot bot, uint32_t players, int seers, LlmLanguage language,
                              uint32_t rounds, uint64_t seed, Watch *watch)
{
    Ruleset rules;
    MawOptions options = maw_options_default();
    MawTable *table = NULL;

    print_message("players %u seers %d lang %d seed %d\n", players, seers, language, (int)seed);
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.seers = seers;
    options.players = players;
    options.rounds = rounds;
    options.language = language;
    const MawTableSetup setup = {.rules = &rules,
                                 .options = options,
                                 .id = STR("test"),
                                 .domain = STR("maw.test"),
                                 .chance = maw_chance_of_seed(seed),
                                 .pace = maw_pace(&rules, false),
                                 .event = watch ? on_event : NULL,
                                 .user = watch};
    assert_int_equal(maw_table_new(&setup, &table, NULL), 0);
    for (uint32_t i = 0; i < players; i++)
        assert_int_equal(maw_table_add_bot(table, bot, NULL), 0);
    assert_int_equal(maw_table_play(table, NULL), 0);
    return table;
}

static void every_line_is_true_and_none_comes_twice_in_six_rounds(void **state)
{
    static const uint32_t sizes[] = {6, 8, 10, 12};
    unsigned kinds[PHRASE_COUNT] = {0}, honest = 0, lying = 0;
    unsigned sessions = SANITIZED ? 4 : 32;

    (void)state;
    for (unsigned i = 0; i < sessions; i++) {
        Watch *watch = mem_new(sizeof(*watch));
        assert_non_null(watch);
        maw_table_free(play_session(MAW_BOT_TALKER, sizes[i % 4], i / 4 % 2,
                                    i / 8 % 2 ? LLM_JAPANESE : LLM_ENGLISH, ROUNDS, 100 + i,
                                    watch));
        assert_true(watch->lines > 100 && watch->votes > 30);
        for (int phrase = 0; phrase < PHRASE_COUNT; phrase++)
            kinds[phrase] += watch->kinds[phrase];
        honest += watch->true_claims;
        lying += watch->false_claims;
        mem_free(watch);
    }
    for (int phrase = 0; phrase < PHRASE_COUNT; phrase++) {
        print_message("kind %d: %u lines\n", phrase, kinds[phrase]);
        if (!SANITIZED && phrase != PHRASE_NO_VOTE && phrase != PHRASE_CONTRADICTS)
            assert_true(kinds[phrase] > 0); /* there is nothing that nobody ever says */
    }
    assert_true(SANITIZED || (honest > 10 && lying > 0));
}

static Interval village_wins(MawBot bot, uint32_t players, int seers, unsigned games)
{
    MawTable *table = play_session(bot, players, seers, LLM_ENGLISH, games, 7, NULL);
    uint32_t wins = maw_session_rounds_won(maw_table_session(table), SIDE_VILLAGER);

    maw_table_free(table);
    print_message("%u players, %d seers: villages win %u of %u\n", players, seers, wins, games);
    return wilson_interval(wins, games, 2.58);
}

/* The short form of bench/bench_talkers.c: where the interval of 99 % and the bounds have nothing
 * in common, a bound does not hold. */
static void both_sides_win_often_enough(void **state)
{
    static const uint32_t sizes[] = {6, 8, 10, 12};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        Interval wins =
            village_wins(MAW_BOT_TALKER, sizes[i / 2], (int)(i % 2), SANITIZED ? 4 : 200);
        assert_true(wins.low < 0.55 && wins.high > 0.35);
    }
}

static void talking_pays_for_both_sides(void **state)
{
    unsigned games = SANITIZED ? 4 : 200;
    Interval both = village_wins(MAW_BOT_TALKER, 8, 0, games);
    Interval villagers = village_wins(MAW_BOT_TALKING_VILLAGER, 8, 0, games);
    Interval wolves = village_wins(MAW_BOT_TALKING_WOLF, 8, 0, games);

    (void)state;
    assert_true(SANITIZED || villagers.rate > both.rate);
    assert_true(SANITIZED || wolves.high < both.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_true_and_none_comes_twice_in_six_rounds),
        cmocka_unit_test(both_sides_win_often_enough),
        cmocka_unit_test(talking_pays_for_both_sides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
