/* test_live_maw.c - MAW as it is watched: what a live table has told in the end is what the record
 * of the session says, in each view, with faults of models and of players in it; and none of them
 * is told to others before the end. In simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "llm_script.h"
#include "maw/maw_table.h"
#include "prop.h"
#include "web/live_view.h"

#define PLAYERS 6
#define MODELS  4
#define ACTS    30 /* of an operator; the last one is nothing */
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Evening {
    Alarms alarms;
    LlmScript script;
    LlmEndpoint *endpoint;
    MawTable *table;
    MawPlayer *player; /* who fails at some time, and plays on by a rule */
    Alarm fails;
    Alarm acts; /* an operator's */
    LiveViews *views;
    LiveSink sink;
    Buf record;
    unsigned faults, kicks, acted;
    bool over;
} Evening;

/* ---- what models say ---- */

/* What can't be read, the same once more, what comes too late, an error: each now and then. */
static void stumble(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    const Str target = llm_script_target(script, body);

    ret->after = SECOND + rng_below(&script->rng, 2000) * 1000;
    switch (rng_below(&script->rng, 6)) {
    case 0:
        snprintf(ret->say, sizeof(ret->say), "I would rather not.");
        break;
    case 1:
        ret->status = 500;
        break;
    case 2:
        ret->after = 3600 * SECOND;
        break;
    case 3:
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"vote\",\"target\":\"%.*s\",\"reason\":\"number %zu\"}",
                 STR_ARG(target), number);
        break;
    default:
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"speak\",\"message\":\"I have nothing to hide from you at all.\"}");
    }
}

/* ---- who watches ---- */

static Str id_of(uint32_t round, char text[static 16])
{
    return (Str){text, (size_t)snprintf(text, 16, "r.%u", round)};
}

static void on_begins(void *user, uint32_t round, SeatNo count, const Str *jids, const Str *names,
                      TimeUs now)
{
    const Evening *evening = user;
    DocSeat seats[SEAT_MAX + 1] = {0};
    Ruleset rules;
    char id[16];

    (void)jids;
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    for (SeatNo seat = 1; seat <= count; seat++)
        seats[seat].name = names[seat];
    evening->sink.begins(evening->sink.user,
                         &(DocHead){.id = id_of(round, id),
                                    .division = DOC_MAW,
                                    .language = "en",
                                    .rules = &rules,
                                    .seat_count = count,
                                    .seats = seats,
                                    .form = "live",
                                    .began_unix_ms = 1,
                                    .source_name = STR("r")},
                         now);
}

static void on_heard(void *user, uint32_t round, const Event *event, TimeUs now)
{
    const Evening *evening = user;
    char id[16];

    evening->sink.heard(evening->sink.user, id_of(round, id), event, now);
}

static void on_said(void *user, uint32_t round, const DocSaid *said, TimeUs now)
{
    const Evening *evening = user;
    char id[16];

    evening->sink.said(evening->sink.user, id_of(round, id), said, now);
}

static json_t *live_of(const Evening *evening, uint32_t round, DocViewKind kind, SeatNo seat)
{
    char id[16];
    LiveTable *table = live_views_find(evening->views, id_of(round, id));

    assert_non_null(table);
    const Str text = live_list_doc(live_table_list(table, kind, seat));
    json_t *doc = json_loadb(text.bytes, text.len, 0, NULL);
    assert_non_null(doc);
    return doc;
}

/* How many faults of others a document has. */
static unsigned faults_of_others(const json_t *doc, SeatNo own)
{
    unsigned count = 0;
    size_t i;
    json_t *event;

    json_array_foreach (json_object_get(doc, "events"), i, event)
        count += !strcmp(json_string_value(json_object_get(event, "kind")), "fault") &&
                 json_integer_value(json_object_get(event, "seat")) != own;
    return count;
}

static void on_fault(void *user, uint32_t round, const Fault *fault, TimeUs now)
{
    Evening *evening = user;
    char id[16];

    evening->faults++;
    evening->sink.fault(evening->sink.user, id_of(round, id), fault, now);
    json_t *all = live_of(evening, round, DOC_VIEW_PUBLIC, 0);
    assert_int_equal(faults_of_others(all, 0), 0); /* who is a model is nobody's business */
    json_decref(all);
    json_t *one = live_of(evening, round, DOC_VIEW_SEAT, fault->seat);
    assert_int_equal(faults_of_others(one, fault->seat), 0);
    json_decref(one);
}

static void on_notice(void *user, uint32_t round, Str text, TimeUs now)
{
    const Evening *evening = user;
    char id[16];

    evening->sink.notice(evening->sink.user, id_of(round, id), text, now);
}

static void on_over(void *user, uint32_t round, TimeUs now)
{
    const Evening *evening = user;
    char id[16];

    evening->sink.ends(evening->sink.user, id_of(round, id), false, now);
}

/* ---- an evening ---- */

static void on_event(void *user, Str json)
{
    Evening *evening = user;

    buf_add(&evening->record, json);
    buf_add_char(&evening->record, '\n');
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    (void)user;
    (void)news;
    (void)now;
}

static void player_fails(void *user, TimeUs now)
{
    Evening *evening = user;

    (void)now;
    maw_table_record_fault(evening->table, evening->player, "timeout", "TALK");
}

/* Somebody is sent away, the clocks stand still and go on, a phase is longer or shorter. */
static void operator_acts(void *user, TimeUs now)
{
    Evening *evening = user;
    MawSession *session = maw_table_session(evening->table);
    Rng *rng = &evening->script.rng;
    MawStanding standing;

    maw_session_resume(session, now);
    switch (++evening->acted == ACTS ? ACTS : rng_below(rng, 6)) {
    case 0:
        if (maw_session_left(session) != TIME_NEVER && evening->kicks++ < 2 &&
            maw_session_standing(session, rng_below(rng, PLAYERS), &standing) && standing.seated)
            maw_session_kick(session, standing.name, now);
        break;
    case 1:
        maw_session_pause(session, now);
        break;
    case 2:
        maw_session_extend(session, 5000, now);
        break;
    case 3:
        maw_session_end_phase(session, now);
        break;
    default:
        break;
    }
    maw_table_stir(evening->table);
    if (evening->acted < ACTS)
        alarm_at(&evening->acts, now + (TimeUs)(1 + rng_below(rng, 40)) * SECOND, false);
}

static void open_evening(Evening *evening, uint64_t seed, uint32_t rounds)
{
    const LlmEndpointSetup endpoint = {
        .url = "http://nowhere.test/v1", .model = "m1", .temperature = -1, .parallel = PLAYERS};
    Ruleset rules;
    Err err = {0};

    *evening = (Evening){.script = {.answer = stumble, .rng = rng_new(seed)}};
    evening->script.alarms = &evening->alarms;
    assert_int_equal(live_views_new(&(LiveViewsSetup){0}, &evening->views, NULL), 0);
    evening->sink = live_views_sink(evening->views);
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("r"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(seed),
                           .pace = maw_pace(&rules, false),
                           .alarms = &evening->alarms,
                           .event = on_event,
                           .user = evening,
                           .watcher = {.begins = on_begins,
                                       .heard = on_heard,
                                       .learnt = on_heard,
                                       .said = on_said,
                                       .fault = on_fault,
                                       .notice = on_notice,
                                       .over = on_over,
                                       .user = evening}};
    setup.options.players = PLAYERS;
    setup.options.rounds = rounds;
    setup.options.fill = FILL_BOTS;
    setup.options.lobby_ms = 60000;
    setup.fill = MAW_BOT_TALKER;
    if (llm_endpoint_new(&evening->alarms, llm_script_carrier(&evening->script), &endpoint,
                         &evening->endpoint, &err) ||
        maw_table_new(&setup, &evening->table, &err))
        fail_msg("%s", err.msg);
    const MawModel model = {.endpoint = evening->endpoint, .language = LLM_ENGLISH};
    for (unsigned i = 0; i < PLAYERS - 1; i++)
        assert_int_equal(i < MODELS ? maw_table_add_model(evening->table, &model, NULL)
                                    : maw_table_add_bot(evening->table, MAW_BOT_TALKER, NULL),
                         0);
    assert_int_equal(
        maw_table_add_player(evening->table, STR("Zoe"), on_news, evening, &evening->player, NULL),
        0);
    alarm_init(&evening->acts, &evening->alarms, operator_acts, evening);
    alarm_at(&evening->acts, 60 * SECOND, false);
    alarm_init(&evening->fails, &evening->alarms, player_fails, evening);
    alarm_at(&evening->fails, (TimeUs)(1 + rng_below(&evening->script.rng, 600)) * SECOND, false);
}

static void close_evening(Evening *evening)
{
    alarm_stop(&evening->fails);
    alarm_stop(&evening->acts);
    maw_table_free(evening->table);
    llm_endpoint_free(evening->endpoint);
    live_views_free(evening->views);
    buf_done(&evening->record);
}

/* ---- both ---- */

static void same_part(const json_t *live, const json_t *record, const char *key)
{
    char *told = json_dumps(json_object_get(live, key), JSON_SORT_KEYS);
    char *kept = json_dumps(json_object_get(record, key), JSON_SORT_KEYS);

    assert_non_null(told);
    assert_non_null(kept);
    for (size_t at = 0; told[at] || kept[at]; at++)
        if (told[at] != kept[at]) {
            const size_t from = at > 300 ? at - 300 : 0;
            fail_msg("%s: live\n%.500s\nrecord\n%.500s", key, told + from, kept + from);
        }
    free(told);
    free(kept);
}

static void same_view(const Evening *evening, uint32_t round, const GameDoc *doc, DocViewKind kind,
                      SeatNo seat)
{
    CLEANUP(buf_done) Buf text = {0};
    const DocView view = {.kind = kind, .seat = seat};

    game_doc_write(doc, &view, &text);
    json_t *record = json_loadb(text.bytes, text.len, 0, NULL);
    json_t *live = live_of(evening, round, kind, seat);
    same_part(live, record, "events");
    same_part(live, record, "phases");
    json_decref(record);
    json_decref(live);
}

static void a_live_table_tells_what_the_record_says(void **state)
{
    const unsigned wanted = 1u << FAULT_FALLBACK | 1u << FAULT_SUPPRESSED;
    unsigned faults = 0, replaced = 0, kinds = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        Evening *evening = mem_new(sizeof(*evening));
        const uint32_t rounds = seed > 4 ? 1 : 2;
        Err err = {0};
        open_evening(evening, seed, rounds);
        if (maw_table_play(evening->table, &err))
            fail_msg("%s", err.msg);
        faults += evening->faults;
        replaced += rounds > 1 ? evening->kicks : 0; /* bots take their seats in the next round */
        for (uint32_t round = 1; round <= rounds; round++) {
            GameDoc *doc = NULL;
            if (game_doc_read(buf_str(&evening->record), STR("r"), round - 1, &doc, &err))
                fail_msg("%s", err.msg);
            same_view(evening, round, doc, DOC_VIEW_ALL, 0);
            same_view(evening, round, doc, DOC_VIEW_PUBLIC, 0);
            for (SeatNo seat = 1; seat <= PLAYERS; seat++)
                same_view(evening, round, doc, DOC_VIEW_SEAT, seat);
            game_doc_free(doc);
        }
        for (FaultKind kind = FAULT_FALLBACK; kind <= FAULT_SUPPRESSED; kind++) {
            char text[64];
            json_t *doc = live_of(evening, 1, DOC_VIEW_PUBLIC, 0);
            char *told = json_dumps(doc, JSON_COMPACT);
            snprintf(text, sizeof(text), "{\"kind\":\"%s\",\"detail\":\"day ",
                     fault_kind_name(kind));
            if (strstr(told, text)) /* at the end all are told */
                kinds |= 1u << kind;
            free(told);
            json_decref(doc);
        }
        close_evening(evening);
        mem_free(evening);
    }
    assert_int_equal(kinds & wanted, wanted);
    assert_true(faults > 50);
    assert_true(replaced > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_live_table_tells_what_the_record_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
