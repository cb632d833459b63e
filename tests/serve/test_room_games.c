/* test_room_games.c - rooms' games of all three divisions in simulated time: scripted people in
 *                     browsers among bots play to the end, are late, away and back.
 *
 * Source: docs/spec/web.md 6, 14. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/mem.h"
#include "serve/room_games.h"

#define SECOND  ((TimeUs)1000000)
#define PEOPLE  5
#define LETTERS 512

typedef struct Party Party;

typedef struct Letter {
    TimeUs at;
    uint32_t chair;
    Buf text;
} Letter;

struct Party {
    Alarms alarms;
    TimeUs now;
    Rng rng;
    RoomGames *games;
    RoomGame *game;
    RoomStage stage;
    char id[64];
    unsigned begun, over, seated[PEOPLE], asked[PEOPLE], taken[PEOPLE], refused[PEOPLE];
    unsigned stale, kinds[16], silent;
    SeatNo seats[PEOPLE];
    Letter letters[LETTERS];
    size_t letter_count;
    bool mute[PEOPLE]; /* says nothing */
    char why[200];
    Buf told; /* all messages */
};

static int64_t no_date(void)
{
    return 1795372145658;
}

static json_t *parse(Str text)
{
    json_t *json = NULL;
    Err err = {0};

    if (json_read(text, 1 << 20, &json, &err))
        fail_msg("%s: %.*s", err.msg, STR_ARG(text));
    return json;
}

/* ---- people ---- */

static const char *what_to_say(Party *party, uint32_t chair, bool protocol)
{
    static const char *const natural[] = {"I think it is 3.", "Who are you? @Mio", "Skip", "Over"};
    static const char *const sentences[] = {"ESTIMATE Agent[01] WEREWOLF", "VOTE Agent[02]", "Skip",
                                            "Over"};

    (void)chair;
    return protocol ? sentences[rng_below(&party->rng, 4)] : natural[rng_below(&party->rng, 4)];
}

static void send_letter(Party *party, uint32_t chair, Str text, TimeUs wait)
{
    Letter *letter = &party->letters[party->letter_count];

    if (party->letter_count == LETTERS)
        return;
    party->letter_count++;
    letter->at = party->now + wait;
    letter->chair = chair;
    buf_clear(&letter->text);
    buf_add(&letter->text, text);
}

static void answer_ask(Party *party, uint32_t chair, const json_t *ask)
{
    CLEANUP(buf_done) Buf text = {0};
    const json_t *targets = json_get(ask, "targets");
    int64_t target = 0;
    Json json = json_over(&text);
    char key[16];

    if (party->mute[chair])
        return;
    if (json_count(targets))
        json_as_int(json_at(targets, rng_below(&party->rng, (uint32_t)json_count(targets))),
                    &target);
    json_open(&json, '{');
    json_add_int(&json, "ask", json_number(ask, "ask"));
    json_add_str(&json, "kind", json_text(ask, "kind"));
    json_add_int(&json, "target", target);
    if (str_eq(json_text(ask, "kind"), STR("talk")) ||
        str_eq(json_text(ask, "kind"), STR("whisper")))
        json_add_str(
            &json, "text",
            str_of(what_to_say(party, chair, str_starts(str_of(party->id), STR("room-P")))));
    snprintf(key, sizeof(key), "%x", rng_below(&party->rng, UINT32_MAX));
    json_add_str(&json, "key", str_of(key));
    json_close(&json);
    TimeUs wait = SECOND + (TimeUs)rng_below(&party->rng, 8000) * 1000;
    send_letter(party, chair, buf_str(&text), wait);
    if (rng_below(&party->rng, 2) == 0) /* by another socket, something of its own */
        text.bytes[text.len - 3] = text.bytes[text.len - 3] == 'z' ? 'y' : 'z';
    if (rng_below(&party->rng, 3) == 0) /* once more, at another time */
        send_letter(party, chair, buf_str(&text),
                    wait + (TimeUs)rng_below(&party->rng, 20000) * 1000);
}

static void note_kind(Party *party, Str kind)
{
    static const char *const kinds[] = {"talk",  "whisper", "vote",       "divine",
                                        "guard", "attack",  "query_role", "whisper_to"};

    for (size_t i = 0; i < 8; i++)
        party->kinds[i] += str_eq(kind, str_of(kinds[i]));
}

static void on_tell(void *user, uint32_t chair, Str text)
{
    Party *party = user;
    json_t *json = parse(text);
    Str type = json_text(json, "type");

    assert_true(chair < PEOPLE);
    buf_add(&party->told, text);
    buf_add_char(&party->told, '\n');
    if (str_eq(type, STR("ask"))) {
        assert_true(str_eq(json_text(json, "game"), str_of(party->id)));
        party->asked[chair]++;
        note_kind(party, json_text(json, "kind"));
        answer_ask(party, chair, json);
    }
    party->taken[chair] += str_eq(type, STR("taken"));
    party->refused[chair] += str_eq(type, STR("refused"));
    json_done(json);
}

static void on_begun(void *user, Str game_id, TimeUs now)
{
    Party *party = user;

    (void)now;
    party->begun++;
    snprintf(party->id, sizeof(party->id), "%.*s", STR_ARG(game_id));
}

static void on_seated(void *user, uint32_t chair, SeatNo seat)
{
    Party *party = user;

    assert_true(party->begun > 0);
    assert_true(chair < PEOPLE && seat != SEAT_NONE);
    party->seated[chair]++;
    party->seats[chair] = seat;
}

static void on_silent(void *user, uint32_t chair, TimeUs now)
{
    Party *party = user;

    (void)now;
    party->silent++;
    party->stage.set_away(party->game, chair, true, party->now);
}

static void on_over(void *user, Str why, TimeUs now)
{
    Party *party = user;

    (void)now;
    party->over++;
    snprintf(party->why, sizeof(party->why), "%.*s", STR_ARG(why));
    party->game = party->stage.free(party->game);
}

/* ---- the course ---- */

static Party *party_new(uint64_t seed)
{
    Party *party = mem_new(sizeof(*party));
    const RoomGamesSetup setup = {
        .alarms = &party->alarms, .date = no_date, .unix_ms_at_zero = 1795372145658};

    party->rng = rng_new(seed);
    party->now = 1000 * SECOND;
    assert_int_equal(room_games_new(&setup, &party->games, NULL), 0);
    party->stage = room_games_stage(party->games);
    return party;
}

static void party_begin(Party *party, RoomOptions *options, const char *code, uint32_t people)
{
    const Str names[PEOPLE] = {STR("Ann"), STR("Guest 1"), STR("太郎"), STR("a,b"), STR("Guest 2")};
    Err err = {0};
    const RoomGamePlan plan = {.options = options,
                               .code = code,
                               .number = 1,
                               .people = people,
                               .names = names,
                               .events = {on_begun, on_seated, on_tell, on_silent, on_over, party}};

    if (room_options_check(options, &err) || party->stage.check(party->stage.user, options, &err) ||
        party->stage.begin(party->stage.user, &plan, party->now, &party->game, &err))
        fail_msg("%s", err.msg);
}

static void deliver(Party *party, size_t index)
{
    CLEANUP(buf_done) Buf reply = {0};
    Letter letter = party->letters[index];
    json_t *json = parse(buf_str(&letter.text));

    party->letters[index] = party->letters[--party->letter_count];
    party->letters[party->letter_count].text = (Buf){0};
    party->stage.hear(party->game, letter.chair, json, party->now, &reply);
    if (reply.len) {
        json_t *said = parse(buf_str(&reply));
        party->refused[letter.chair] += str_eq(json_text(said, "type"), STR("refused"));
        party->stale += str_eq(json_text(said, "code"), STR("stale"));
        json_done(said);
    }
    json_done(json);
    buf_done(&letter.text);
}

/* False when nothing more can happen. */
static bool party_step(Party *party)
{
    TimeUs next = alarms_next(&party->alarms);
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < party->letter_count; i++)
        if (party->letters[i].at < next) {
            next = party->letters[i].at;
            first = i;
        }
    if (next == TIME_US_NEVER)
        return false;
    party->now = next > party->now ? next : party->now;
    if (first != SIZE_MAX)
        deliver(party, first);
    else
        alarms_ring(&party->alarms, party->now);
    return true;
}

static void party_play(Party *party, TimeUs most)
{
    TimeUs end = party->now + most;

    while (party->game && party->now < end && party_step(party))
        ;
    if (party->game)
        fail_msg("%s is not over after %ld s", party->id, (long)(most / SECOND));
    assert_int_equal(party->over, 1);
    assert_int_equal(alarms_next(&party->alarms), TIME_US_NEVER);
}

static void party_free(Party *party)
{
    party->stage.free(party->game);
    room_games_free(party->games);
    for (size_t i = 0; i < LETTERS; i++)
        buf_done(&party->letters[i].text);
    buf_done(&party->told);
    mem_free(party);
}

static RoomOptions options_of(const char *words)
{
    RoomOptions options;
    Err err = {0};

    room_options_default(&options);
    if (room_options_read_words(str_of(words), &options, &err))
        fail_msg("%s", err.msg);
    return options;
}

static void play_many(const char *words, const char *code, unsigned games, unsigned rounds,
                      TimeUs most)
{
    unsigned kinds[16] = {0}, people_in_all = 0, first = 0, stale = 0;

    for (uint64_t seed = 1; seed <= games; seed++) {
        RoomOptions options = options_of(words);
        Party *party = party_new(seed);
        uint32_t people = (uint32_t)options.people;
        party_begin(party, &options, code, people);
        party_play(party, most);
        if (party->why[0])
            fail_msg("%s: %s", party->id, party->why);
        assert_int_equal(party->begun, rounds);
        for (uint32_t i = 0; i < people; i++) {
            assert_int_equal(party->seated[i], rounds);
            assert_true(party->asked[i] > 0);
            assert_true(party->taken[i] > 0);
            people_in_all++;
            first += party->seats[i] <= people;
        }
        for (size_t i = 0; i < 16; i++)
            kinds[i] += party->kinds[i];
        stale += party->stale;
        party_free(party);
    }
    assert_true(kinds[0] > games && kinds[2] > games);
    assert_true(stale > 0);
    /* Where people sit tells nothing of who they are. */
    assert_true(first < people_in_all);
}

static void people_play_the_natural_language_division_to_the_end(void **state)
{
    (void)state;
    play_many("division=nlp players=5 people=3", "NLPAAA", 30, 1, 100000 * SECOND);
    play_many("division=nlp players=5 people=2 rules=nlp-anytime talk_s=60", "NLPAAB", 10, 1,
              100000 * SECOND);
    play_many("division=nlp players=9 people=4 language=ja", "NLPAAC", 10, 1, 100000 * SECOND);
}

static void people_play_the_protocol_division_to_the_end(void **state)
{
    (void)state;
    play_many("division=protocol players=5 people=3", "PROTAA", 30, 1, 100000 * SECOND);
    play_many("division=protocol players=15 people=5", "PROTAB", 10, 1, 1000000 * SECOND);
}

static void people_play_maw_to_the_end(void **state)
{
    (void)state;
    play_many("division=maw players=6 people=3 talk_s=60", "MAWAAA", 20, 1, 100000 * SECOND);
    play_many("division=maw players=8 people=4 rounds=2 talk_s=40", "MAWAAB", 8, 2,
              100000 * SECOND);
}

/* ---- nobody is there ---- */

static void play_alone(const char *words, const char *code, bool away)
{
    unsigned silent = 0;

    for (uint64_t seed = 1; seed <= 5; seed++) {
        RoomOptions options = options_of(words);
        Party *party = party_new(seed);
        uint32_t people = (uint32_t)options.people;
        for (uint32_t i = 0; i < people; i++)
            party->mute[i] = true;
        party_begin(party, &options, code, people);
        for (uint32_t i = 0; i < people && away; i++)
            party->stage.set_away(party->game, i, true, party->now);
        party_play(party, 1000000 * SECOND);
        assert_string_equal(party->why, "");
        for (uint32_t i = 0; i < people; i++)
            assert_int_equal(party->taken[i], 0);
        silent += party->silent;
        party_free(party);
    }
    assert_int_equal(silent > 0, !away);
}

static void bots_decide_for_who_is_away(void **state)
{
    (void)state;
    play_alone("division=nlp people=3", "NLPBBB", true);
    play_alone("division=protocol people=3", "PROTBB", true);
    play_alone("division=maw people=3 talk_s=60", "MAWBBB", true);
}

static void who_sits_there_and_says_nothing_holds_nobody_up_for_ever(void **state)
{
    (void)state;
    play_alone("division=nlp people=2", "NLPCCC", false);
    play_alone("division=protocol people=2", "PROTCC", false);
    play_alone("division=maw people=2 talk_s=60", "MAWCCC", false);
}

/* ---- ends ---- */

static void an_operator_can_end_it_at_any_time(void **state)
{
    static const char *const words[] = {"division=nlp people=2", "division=protocol people=2",
                                        "division=maw people=2 talk_s=60"};
    static const char *const codes[] = {"NLPDDD", "PROTDD", "MAWDDD"};

    (void)state;
    for (unsigned steps = 0; steps < 60; steps++) {
        RoomOptions options = options_of(words[steps % 3]);
        Party *party = party_new(steps);
        party_begin(party, &options, codes[steps % 3], 2);
        for (unsigned i = 0; i < steps && party->game; i++)
            party_step(party);
        if (party->game)
            party->stage.stop(party->game, party->now);
        party_play(party, 1000 * SECOND);
        assert_string_equal(party->why, "the game was ended by the operator");
        party_free(party);
        /* And without an end. */
        party = party_new(steps);
        party_begin(party, &options, codes[steps % 3], 2);
        for (unsigned i = 0; i < steps && party->game; i++)
            party_step(party);
        party_free(party);
    }
}

static void what_can_not_be_played_makes_no_room(void **state)
{
    static const char *const words[] = {"division=nlp players=30 people=2",
                                        "division=protocol players=19 people=2 rules=aiwolf-2021",
                                        "division=nlp fill=llm:demo"};
    Party *party = party_new(1);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        RoomOptions options = options_of(words[i]);
        Err err = {0};
        int rc = room_options_check(&options, &err);
        if (rc == 0)
            rc = party->stage.check(party->stage.user, &options, &err);
        if (rc != ERR_RULE)
            fail_msg("%s: %d", words[i], rc);
    }
    party_free(party);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_play_the_natural_language_division_to_the_end),
        cmocka_unit_test(people_play_the_protocol_division_to_the_end),
        cmocka_unit_test(people_play_maw_to_the_end),
        cmocka_unit_test(bots_decide_for_who_is_away),
        cmocka_unit_test(who_sits_there_and_says_nothing_holds_nobody_up_for_ever),
        cmocka_unit_test(an_operator_can_end_it_at_any_time),
        cmocka_unit_test(what_can_not_be_played_makes_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
