/* test_game_doc.c - documents of every log in the test data, in every view.
 *
 * Where a change of the documents is meant: WARG_GOLDEN=write, and read the difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/game_doc.h"
#include "record/game_schema.h"
#include "record/logs.h"
#include "sanitized.h"

#include <zlib.h>

/* Folders of logs, and files that a folder's list leaves out. */
static const char *const sources[] = {"aiwolf-logs",
                                      "nlp-logs",
                                      "nlp-wire",
                                      "maw/session-shown.jsonl",
                                      "nlp-wire/05p-plain-01.realtime.jsonl.gz",
                                      "nlp-wire/05p-cut-01.realtime.jsonl.gz",
                                      "nlp-wire/13p-teams-01.realtime.jsonl.gz",
                                      "nlp-wire/next-05p-free-02.realtime.jsonl.gz",
                                      "maw/record-before-keys.jsonl.gz"};

/* ---- the logs ---- */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Calls `check` for each game in each log of the test data; returns how many there were. */
static size_t each_game(void (*check)(const char *name, const GameDoc *doc, void *user), void *user)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t games = 0;

    for (size_t f = 0; f < sizeof(sources) / sizeof(sources[0]); f++) {
        CLEANUP(log_list_done) LogList list = {.json = true};
        assert_int_equal(logs_list(&list, sources[f], NULL), 0);
        for (size_t i = 0; i < list.count; i++) {
            Err err = {0};
            if (strstr(list.paths[i], ".schema."))
                continue;
            buf_clear(&text);
            if (log_file_read(list.paths[i], (size_t)256 << 20, &text, &err))
                fail_msg("%s", err.msg);
            uint32_t rounds = game_doc_rounds(buf_str(&text));
            for (uint32_t round = 0; round < rounds; round++) {
                CLEANUP(game_doc_freep) GameDoc *doc = NULL;
                if (game_doc_read(buf_str(&text), str_of(list.paths[i]), round, &doc, &err))
                    fail_msg("%s: %s", list.paths[i], err.msg);
                check(name_of(list.paths[i]), doc, user);
                games++;
            }
        }
    }
    return games;
}

/* ---- views ---- */

/* With `check`, held against the schema. */
static json_t *view_of(const char *name, const GameDoc *doc, DocView view, bool check)
{
    CLEANUP(buf_done) Buf out = {0};
    SchemaError error = {0};

    game_doc_write(doc, &view, &out);
    assert_false(buf_failed(&out));
    json_t *json = check ? schema_check(buf_str(&out), &error)
                         : json_loadb(out.bytes, out.len, JSON_ALLOW_NUL, NULL);
    if (!json)
        fail_msg("%s, view %d seat %u: %s", name, (int)view.kind, view.seat, error.text);
    return json;
}

/* ---- a seat's view of the whole ---- */

static bool told(const json_t *to, SeatNo seat)
{
    const json_t *item;
    size_t i;

    if (!to)
        return true;
    json_array_foreach (to, i, item) {
        if (json_integer_value(item) == seat)
            return true;
    }
    return false;
}

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool same_phase(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "day"), json_object_get(b, "day")) &&
           json_equal(json_object_get(a, "night"), json_object_get(b, "night")) &&
           json_equal(json_object_get(a, "action"), json_object_get(b, "action"));
}

/* The seats as this one sees them. */
static json_t *filter_seats(const json_t *seats, SeatNo seat)
{
    json_t *list = json_array(), *who;
    size_t i;

    json_array_foreach (seats, i, who) {
        json_t *mine = json_copy(who);
        if (!seat || !told(json_object_get(who, "role_to"), seat))
            json_object_del(mine, "role");
        json_object_del(mine, "role_to");
        json_array_append_new(list, mine);
    }
    return list;
}

static void filter_events(const json_t *all, SeatNo seat, json_t *events, json_t *phases)
{
    const json_t *steps = json_object_get(all, "phases");
    json_t *step = NULL, *last = NULL, *event;
    size_t i, next = 0;

    json_array_foreach (json_object_get(all, "events"), i, event) {
        json_t *ahead = json_array_get(steps, next);
        if (ahead && number_of(ahead, "first") == (json_int_t)i) {
            step = ahead;
            next++;
        }
        if (!told(json_object_get(event, "to"), seat))
            continue;
        json_t *number = json_integer((json_int_t)json_array_size(events));
        if (step && !(last && same_phase(last, step))) {
            last = json_copy(step);
            json_object_set(last, "first", number);
            json_array_append_new(phases, last);
        }
        json_t *mine = json_copy(event);
        json_object_del(mine, "to");
        json_object_set_new(mine, "n", number);
        json_array_append_new(events, mine);
    }
}

/* As the page does it; seat 0 is the public. */
static json_t *filter(json_t *all, SeatNo seat)
{
    json_t *doc = json_object(), *events = json_array(), *phases = json_array(), *value;
    json_t *view = json_pack("{s:s}", "kind", seat ? "seat" : "public");
    const char *key;

    json_object_foreach (all, key, value) {
        json_object_set(doc, key, value);
    }
    if (seat)
        json_object_set_new(view, "seat", json_integer(seat));
    filter_events(all, seat, events, phases);
    json_object_set_new(doc, "view", view);
    json_object_set_new(doc, "seats", filter_seats(json_object_get(all, "seats"), seat));
    json_object_set_new(doc, "events", events);
    json_object_set_new(doc, "phases", phases);
    return doc;
}

static void same_document(const char *name, const char *what, SeatNo seat, json_t *wanted,
                          json_t *got)
{
    if (json_equal(wanted, got))
        return;
    json_dump_file(wanted, "wanted.json", JSON_INDENT(1));
    json_dump_file(got, "got.json", JSON_INDENT(1));
    fail_msg("%s, seat %u: %s is another one: wanted.json, got.json", name, seat, what);
}

/* Whether the text of the document has these events, but for its line ends. */
static bool holds_list(Str document, Str list)
{
    CLEANUP(buf_done) Buf lines = {0};
    size_t at;

    for (size_t i = 0; i < document.len; i++)
        if (document.bytes[i] != '\n')
            buf_add_char(&lines, document.bytes[i]);
    return str_find(buf_str(&lines), list, &at);
}

/* Entry by entry, as a live table is told, it is the same as at once. */
static void check_growth(const char *name, const GameDoc *doc, DocView view)
{
    CLEANUP(buf_done) Buf document = {0};
    CLEANUP(buf_done) Buf events = {0};
    CLEANUP(buf_done) Buf phases = {0};
    Json event_list = json_over(&events), phase_list = json_over(&phases);
    DocWriter writer = {.view = view};

    game_doc_write(doc, &view, &document);
    json_open(&event_list, '[');
    json_open(&phase_list, '[');
    for (size_t i = 0; i < game_doc_count(doc); i++)
        doc_writer_event(&writer, doc, i, &event_list, &phase_list);
    json_close(&event_list);
    json_close(&phase_list);
    if (!holds_list(buf_str(&document), buf_str(&events)) ||
        !holds_list(buf_str(&document), buf_str(&phases)))
        fail_msg("%s, seat %u: entry by entry it is another document", name, view.seat);
}

static void check_game(const char *name, const GameDoc *doc, void *user)
{
    size_t *games = user;

    if (games && SANITIZED && ++*games % 10) /* which is slow */
        return;
    json_t *all = view_of(name, doc, (DocView){.kind = DOC_VIEW_ALL, .names = true}, true);

    json_decref(view_of(name, doc, (DocView){.kind = DOC_VIEW_PUBLIC, .sealed = true}, true));
    for (SeatNo seat = 0; seat <= game_doc_seats(doc); seat++) {
        const DocView view = {
            .kind = seat ? DOC_VIEW_SEAT : DOC_VIEW_PUBLIC, .seat = seat, .names = true};
        json_t *mine = view_of(name, doc, view, seat == 0), *filtered = filter(all, seat);
        same_document(name, "what the page makes of the whole", seat, mine, filtered);
        json_decref(mine);
        json_decref(filtered);
        if (seat <= 2)
            check_growth(name, doc, view);
    }
    json_decref(all);
}

/* Valid by the schema in every view; a page that filters the whole by `to` and `role_to` has the
 * view; and so has one that is told of it entry by entry. */
static void every_log_is_a_document_in_every_view(void **state)
{
    size_t games = 0;

    (void)state;
    assert_true(each_game(check_game, &games) > 250);
}

/* ---- faults ---- */

static GameDoc *doc_of(const char *name)
{
    CLEANUP(buf_done) Buf text = {0};
    GameDoc *doc = NULL;

    assert_int_equal(logs_read(name, &text, NULL), 0);
    assert_int_equal(game_doc_read(buf_str(&text), str_of(name), 0, &doc, NULL), 0);
    return doc;
}

/* Where the event with this anchor stands in a view; SIZE_MAX = it does not. */
static size_t place_of(const json_t *doc, const char *anchor)
{
    json_t *event;
    size_t i;

    json_array_foreach (json_object_get(doc, "events"), i, event) {
        if (strcmp(json_string_value(json_object_get(event, "a")), anchor) == 0)
            return i;
    }
    return SIZE_MAX;
}

static void each_fault_is_told_to_whom_it_concerns(void **state)
{
    /* the seer is seat 8 */
    CLEANUP(game_doc_freep) GameDoc *doc = doc_of("aiwolf-logs/contests/anac2019_15p_0004.log.gz");
    const Fault talk = {.kind = FAULT_TIMEOUT,
                        .fatal = true,
                        .seat = 3,
                        .day = 2,
                        .request = "TALK",
                        .elapsed_us = 203400};
    const Fault divine = {.kind = FAULT_MALFORMED,
                          .seat = 8,
                          .day = 1,
                          .request = "DIVINE",
                          .bytes = STR("Agent\x1b[09]")};
    const Fault nobodys = {.kind = FAULT_EARLY, .seat = 16, .day = 1, .request = ""};

    (void)state;
    game_doc_fault(doc, &talk, -1);
    game_doc_fault(doc, &divine, -1);
    game_doc_fault(doc, &divine, -1);
    game_doc_fault(doc, &nobodys, -1);
    check_game("with faults", doc, NULL);
    json_t *all = view_of("", doc, (DocView){.kind = DOC_VIEW_ALL}, true);
    json_t *village = view_of("", doc, (DocView){.kind = DOC_VIEW_PUBLIC, .sealed = true}, true);
    json_t *open = view_of("", doc, (DocView){.kind = DOC_VIEW_PUBLIC}, true);
    json_t *seer = view_of("", doc, (DocView){.kind = DOC_VIEW_SEAT, .seat = 8}, true);
    json_t *fault = json_array_get(json_object_get(village, "events"), place_of(village, "d2f1"));

    assert_true(place_of(village, "d2f1") > place_of(village, "d2t10"));
    assert_true(place_of(village, "d2f1") < place_of(village, "d2v0.3"));
    char *text = json_dumps(json_object_get(fault, "fault"), JSON_COMPACT | JSON_REAL_PRECISION(6));
    assert_string_equal(text, "{\"kind\":\"timeout\",\"at\":\"TALK\",\"after_ms\":203.4}");
    free(text);
    assert_true(json_is_true(
        json_object_get(json_array_get(json_object_get(village, "seats"), 2), "errored")));
    assert_true(place_of(village, "d1f.8.1") == SIZE_MAX);
    assert_true(place_of(village, "f1") == SIZE_MAX);
    assert_true(place_of(open, "f2") > place_of(open, "end"));
    assert_true(place_of(open, "f2") < SIZE_MAX);
    assert_true(place_of(seer, "d1f.8.2") == place_of(seer, "d1f.8.1") + 1);
    assert_true(place_of(seer, "d1f.8.1") > place_of(seer, "d1div"));
    assert_true(place_of(seer, "d1f.8.1") < place_of(seer, "d2"));
    assert_true(place_of(all, "d1f.8.1") < place_of(all, "d1g"));
    json_decref(all);
    json_decref(village);
    json_decref(open);
    json_decref(seer);
}

/* ---- packets of a viewer ---- */

/* What both a log and the packets have; line ends are blanks in one of them. */
static json_t *bare_events(GameDoc *doc)
{
    json_t *json = view_of("", doc, (DocView){.kind = DOC_VIEW_ALL}, true);
    json_t *events = json_incref(json_object_get(json, "events")), *event;
    static const char *const dropped[] = {"a", "t_ms", "turn", "idx", "text"};
    size_t i;

    json_array_foreach (events, i, event) {
        for (size_t k = 0; k < sizeof(dropped) / sizeof(dropped[0]); k++)
            json_object_del(event, dropped[k]);
    }
    json_decref(json);
    return events;
}

static void packets_of_a_viewer_give_the_game_of_the_log(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    size_t games = 0;

    (void)state;
    assert_int_equal(logs_list(&list, "nlp-wire", NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        CLEANUP(buf_done) Buf name = {0};
        const char *base = name_of(list.paths[i]);
        const char *end = strstr(base, ".game.log.gz");
        if (!end)
            continue;
        buf_printf(&name, "nlp-wire/%s", base);
        CLEANUP(game_doc_freep) GameDoc *log = doc_of(buf_cstr(&name));
        buf_clear(&name);
        buf_printf(&name, "nlp-wire/%.*s.realtime.jsonl.gz", (int)(end - base), base);
        CLEANUP(game_doc_freep) GameDoc *packets = doc_of(buf_cstr(&name));
        json_t *wanted = bare_events(log), *got = bare_events(packets);
        same_document(base, "what the packets tell", 0, wanted, got);
        json_decref(wanted);
        json_decref(got);
        games++;
    }
    assert_true(games > 60);
}

/* ---- examples ---- */

static void the_examples_of_the_specification_are_ours(void **state)
{
    static const DocView views[] = {{.kind = DOC_VIEW_ALL, .names = true},
                                    {.kind = DOC_VIEW_PUBLIC, .names = true}};
    static const char *const names[] = {"all", "public"};
    CLEANUP(game_doc_freep) GameDoc *doc = doc_of("nlp-logs/jsai2026_truck5_game1.log");
    const char *source = getenv("WARG_SOURCE");

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf path = {0};
        CLEANUP(buf_done) Buf wanted = {0};
        CLEANUP(buf_done) Buf got = {0};
        buf_printf(&path, "%s/docs/spec/web/game-%s.json", source ? source : ".", names[i]);
        assert_int_equal(log_file_read(buf_cstr(&path), LOG_TEXT_BYTES_MAX, &wanted, NULL), 0);
        game_doc_write(doc, &views[i], &got);
        buf_add_char(&got, '\n');
        assert_string_equal(buf_cstr(&got), buf_cstr(&wanted));
    }
}

/* ---- golden ---- */

static uLong add_view(uLong sum, const GameDoc *doc, DocView view)
{
    CLEANUP(buf_done) Buf out = {0};

    game_doc_write(doc, &view, &out);
    return crc32(sum, (const Bytef *)out.bytes, (uInt)out.len);
}

/* A line for a game: its id, entries, a sum of the whole, and one of all other views. */
static void add_digest(const char *name, const GameDoc *doc, void *user)
{
    Buf *lines = user;
    uLong all = add_view(0, doc, (DocView){.kind = DOC_VIEW_ALL, .names = true});
    uLong others = add_view(0, doc, (DocView){.kind = DOC_VIEW_PUBLIC});

    (void)name;
    for (SeatNo seat = 1; seat <= game_doc_seats(doc); seat++)
        others = add_view(others, doc, (DocView){.kind = DOC_VIEW_SEAT, .seat = seat});
    buf_printf(lines, "%.*s %zu %08lx %08lx\n", STR_ARG(game_doc_id(doc)), game_doc_count(doc), all,
               others);
}

static void golden_path(Buf *out)
{
    const char *source = getenv("WARG_SOURCE");

    buf_printf(out, "%s/tests/golden/game-docs.txt", source ? source : ".");
}

static void documents_are_what_they_were(void **state)
{
    CLEANUP(buf_done) Buf lines = {0};
    CLEANUP(buf_done) Buf golden = {0};
    CLEANUP(buf_done) Buf path = {0};
    const char *write = getenv("WARG_GOLDEN");

    (void)state;
    each_game(add_digest, &lines);
    golden_path(&path);
    if (write && strcmp(write, "write") == 0) {
        FILE *file = fopen(buf_cstr(&path), "w");
        assert_non_null(file);
        assert_int_equal(fwrite(lines.bytes, 1, lines.len, file), lines.len);
        fclose(file);
        return;
    }
    assert_int_equal(log_file_read(buf_cstr(&path), LOG_TEXT_BYTES_MAX, &golden, NULL), 0);
    Str want = buf_str(&golden), got = buf_str(&lines), line, other;
    while (aiwolf_log_cut_line(&want, &line)) {
        if (!aiwolf_log_cut_line(&got, &other) || !str_eq(line, other))
            fail_msg("'%.*s' became '%.*s'", STR_ARG(line), STR_ARG(other));
    }
    assert_int_equal(got.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_log_is_a_document_in_every_view),
        cmocka_unit_test(each_fault_is_told_to_whom_it_concerns),
        cmocka_unit_test(packets_of_a_viewer_give_the_game_of_the_log),
        cmocka_unit_test(the_examples_of_the_specification_are_ours),
        cmocka_unit_test(documents_are_what_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
