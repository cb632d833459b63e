#include "web/mind_doc.h"

#include "base/date_text.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/role.h"
#include "record/maw_rounds.h"
#include "wire/json_read.h"

#include <stdlib.h>

#define DOCUMENT_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define PROMPT_LINE_MAX    ((size_t)1024 * 1024)
#define DECISIONS_MAX      ((size_t)100 * 1000) /* opinions among them */
#define SURE_MAX           100                  /* percent */
#define PLAYER_BYTES       64 /* of "p07": what stands in front of @ in its address */

/* What is known of a seat, and the sums of its decisions. */
typedef struct MindSeat {
    Str name;
    Buf model;
    char player[PLAYER_BYTES];
    uint32_t decisions, by_model, repaired, by_rule, by_demo, leaks, suppressed;
    uint64_t prompt_tokens, cached_tokens, answer_tokens;
    uint32_t *latencies; /* milliseconds, one for each decision that was answered */
    size_t latency_count;
    size_t told; /* events of the document up to here are spoken for by its decisions */
    /* Of a file of its own. */
    SeatNo file; /* whose: a seat of the game's record; SEAT_NONE = none */
    int64_t first_prompt, last_prompt;
    size_t seen;    /* events of the document up to here were before its last opinion */
    uint64_t heard; /* lines of talk among these, where no times are known; the last of them */
    Str last_line;
} MindSeat;

/* A document that is being written. */
typedef struct MindWriter {
    const MindSource *source;
    json_t *document;
    const json_t *events;
    MindSeat seats[SEAT_MAX + 1];
    SeatNo seat_count;
    int64_t session_ms; /* when the session began; -1 = not told */
    uint32_t round;     /* that is read, from 0 */
    bool in_round;
    size_t decisions;
    Json json;
    Buf opinions; /* the list of them, behind its bracket */
} MindWriter;

/* ---- seats ---- */

static MindSeat *seat_named(MindWriter *writer, Str name)
{
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++)
        if (str_eq(writer->seats[seat].name, name))
            return &writer->seats[seat];
    return NULL;
}

static SeatNo number_of(const MindWriter *writer, const MindSeat *seat)
{
    return (SeatNo)(seat - writer->seats);
}

static int read_document(MindWriter *writer, Err *err)
{
    int rc = json_read(writer->source->document, DOCUMENT_BYTES_MAX, &writer->document, err);
    const json_t *seats = rc ? NULL : json_get(writer->document, "seats");

    writer->events = rc ? NULL : json_get(writer->document, "events");
    for (size_t i = 0; i < json_count(seats); i++) {
        const json_t *seat = json_at(seats, i);
        int64_t number = json_number(seat, "seat");
        if (number < 1 || number > SEAT_MAX)
            return err_set(err, ERR_SYNTAX, "a document whose seats are none");
        writer->seats[number].name = json_text(seat, "name");
        if (number > writer->seat_count)
            writer->seat_count = (SeatNo)number;
    }
    return rc;
}

/* "seat" of the record: who decides for a name. */
static void take_player(MindWriter *writer, const json_t *event)
{
    MindSeat *seat = seat_named(writer, json_text(event, "name"));
    Str jid = json_text(event, "jid"), model = json_text(event, "model");
    Str player = str_cut(&jid, '@');

    if (!seat || player.len >= sizeof(seat->player))
        return;
    memset(seat->player, 0, sizeof(seat->player));
    memcpy(seat->player, player.bytes, player.len);
    buf_clear(&seat->model);
    buf_add(&seat->model, model.len ? model : json_text(event, "kind"));
}

/* ---- what came of a decision ---- */

static bool is_said(const json_t *event, Str message)
{
    Str kind = json_text(event, "kind");

    return (str_eq(kind, STR("talk")) || str_eq(kind, STR("whisper"))) &&
           str_eq(json_text(event, "text"), message);
}

static bool is_voted(const MindWriter *writer, const json_t *event, Str target)
{
    Str kind = json_text(event, "kind");
    int64_t number = json_number(event, "target");

    return (str_eq(kind, STR("standing")) || str_eq(kind, STR("vote")) ||
            str_eq(kind, STR("attack_vote")) || str_eq(kind, STR("divine")) ||
            str_eq(kind, STR("guard"))) &&
           number >= 1 && number <= writer->seat_count &&
           str_eq(writer->seats[number].name, target);
}

/* The anchor of the next event of this seat that is what was decided; empty when nothing came. */
static Str anchor_of(const MindWriter *writer, MindSeat *seat, const json_t *decision)
{
    Str action = json_text(decision, "action");
    const bool speaks = str_eq(action, STR("speak")), votes = str_eq(action, STR("vote"));

    for (size_t i = seat->told; (speaks || votes) && i < json_count(writer->events); i++) {
        const json_t *event = json_at(writer->events, i);
        if (json_number(event, "seat") != number_of(writer, seat))
            continue;
        if (speaks ? is_said(event, json_text(decision, "message"))
                   : is_voted(writer, event, json_text(decision, "target"))) {
            seat->told = i + 1;
            return json_text(event, "a");
        }
    }
    return (Str){0};
}

/* ---- decisions ---- */

static int keep_latency(MindSeat *seat, const json_t *decision, Err *err)
{
    int64_t latency = json_number(decision, "latency_ms");

    if (latency <= 0 || latency > UINT32_MAX)
        return 0;
    if ((seat->latency_count & (seat->latency_count - 1)) == 0) { /* a power of two: full */
        size_t room = seat->latency_count ? 2 * seat->latency_count : 1;
        uint32_t *grown = mem_resize(seat->latencies, room, sizeof(*grown));
        if (!grown)
            return err_set(err, ERR_MEMORY, "decisions of models: out of memory");
        seat->latencies = grown;
    }
    seat->latencies[seat->latency_count++] = (uint32_t)latency;
    return 0;
}

static uint64_t amount_of(const json_t *decision, const char *key)
{
    int64_t value = json_number(decision, key);

    return value > 0 && value < INT32_MAX ? (uint64_t)value : 0;
}

/* Records of older versions have them beside the other figures. */
static uint64_t tokens_of(const json_t *decision, const char *key, const char *old_key)
{
    const json_t *tokens = json_get(decision, "tokens");

    return json_is_map(tokens) ? amount_of(tokens, key)
           : old_key           ? amount_of(decision, old_key)
                               : 0;
}

static int count_decision(MindSeat *seat, const json_t *decision, Err *err)
{
    Str source = json_text(decision, "source"), suppressed = json_text(decision, "suppressed");

    seat->decisions++;
    seat->by_model += str_eq(source, STR("model")) || str_eq(source, STR("repaired"));
    seat->repaired += str_eq(source, STR("repaired"));
    seat->by_rule += str_eq(source, STR("fallback"));
    seat->by_demo += str_eq(source, STR("demo"));
    seat->leaks += str_eq(suppressed, STR("leak"));
    seat->suppressed += suppressed.len > 0;
    seat->prompt_tokens += tokens_of(decision, "prompt", "prompt_tokens");
    seat->cached_tokens += tokens_of(decision, "cached", NULL);
    seat->answer_tokens += tokens_of(decision, "answer", "answer_tokens");
    return keep_latency(seat, decision, err);
}

static void put_tokens(Json *json, const json_t *decision)
{
    static const char *const names[][3] = {{"prompt_tokens", "prompt", "prompt_tokens"},
                                           {"cached_tokens", "cached", NULL},
                                           {"reasoning_tokens", "reasoning", NULL},
                                           {"answer_tokens", "answer", "answer_tokens"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint64_t tokens = tokens_of(decision, names[i][1], names[i][2]);
        if (tokens)
            json_add_uint(json, names[i][0], tokens);
    }
}

static void put_text(Json *json, const char *key, Str text)
{
    if (text.len)
        json_add_str(json, key, text);
}

/* The answer that a model was asked to mend; its other members are for those who play it again. */
static void put_first(Json *json, const json_t *decision)
{
    const json_t *first = json_get(decision, "first");

    if (!json_is_map(first))
        return;
    put_text(json, "first_raw", json_text(first, "answer"));
    put_text(json, "first_wrong", json_text(first, "wrong"));
}

static void put_members(Json *json, const json_t *decision)
{
    static const char *const texts[] = {"task",    "source",  "action",  "message", "target",
                                        "reason",  "thought", "outcome", "why",     "suppressed",
                                        "flagged", "line",    "trouble", "finish",  "reasoning"};
    static const char *const numbers[] = {"took_ms",    "requests", "retries",
                                          "latency_ms", "tries",    "prompt"};
    Str answer = json_text(decision, "answer");
    int64_t value;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        put_text(json, texts[i], json_text(decision, texts[i]));
    put_text(json, "raw", answer.len ? answer : json_text(decision, "raw"));
    put_first(json, decision);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (json_as_int(json_get(decision, numbers[i]), &value))
            json_add_int(json, numbers[i], value);
    put_tokens(json, decision);
}

/* Since the beginning of the game, as the document counts; -1 = not known. */
static int64_t moment_of(const MindWriter *writer, const json_t *event)
{
    int64_t began = json_number(writer->document, "began_ms");
    int64_t at = writer->session_ms + json_number(event, "t_ms") - began;

    return writer->session_ms >= 0 && json_get(writer->document, "began_ms") && at >= 0 ? at : -1;
}

/* `at`: as moment_of has it. */
static int put_one(MindWriter *writer, MindSeat *seat, int64_t at, Str anchor,
                   const json_t *decision, Err *err)
{
    Json *json = &writer->json;

    if (writer->decisions++ == DECISIONS_MAX)
        return err_set(err, ERR_LIMIT, "more than %zu decisions in a game", DECISIONS_MAX);
    json_open(json, '{');
    json_add_uint(json, "seat", number_of(writer, seat));
    if (at >= 0)
        json_add_int(json, "t_ms", at);
    if (anchor.len)
        json_add_str(json, "a", anchor);
    put_members(json, decision);
    json_close(json);
    return count_decision(seat, decision, err);
}

static int put_decision(MindWriter *writer, const json_t *event, Err *err)
{
    const json_t *decision = json_get(event, "decision");
    MindSeat *seat = seat_named(writer, json_text(event, "name"));

    if (!seat || !json_is_map(decision))
        return 0;
    return put_one(writer, seat, moment_of(writer, event), anchor_of(writer, seat, decision),
                   decision, err);
}

/* ---- opinions ---- */

/* Skip and Over, which nobody counts as lines. */
static bool is_silence(const json_t *event)
{
    return json_get(event, "quiet") != NULL;
}

/* The last event that was there when the model was asked; empty: none was, or it is not known. */
static Str anchor_before(const MindWriter *writer, MindSeat *seat, int64_t at)
{
    const size_t count = json_count(writer->events);

    while (seat->seen < count && json_number(json_at(writer->events, seat->seen), "t_ms") <= at)
        seat->seen++;
    return seat->seen ? json_text(json_at(writer->events, seat->seen - 1), "a") : (Str){0};
}

/* The last line of talk that it had heard, of so many. */
static Str anchor_of_line(const MindWriter *writer, MindSeat *seat, uint64_t lines)
{
    for (; seat->heard < lines && seat->seen < json_count(writer->events); seat->seen++) {
        const json_t *event = json_at(writer->events, seat->seen);
        const bool line = str_eq(json_text(event, "kind"), STR("talk")) && !is_silence(event);
        seat->heard += line;
        if (line)
            seat->last_line = json_text(event, "a");
    }
    return lines ? seat->last_line : (Str){0};
}

/* `at`: -1: only how many lines it had heard is known. One of which nothing could be read says
 * nothing here. */
static int add_opinion(MindWriter *writer, MindSeat *seat, int64_t at, const json_t *opinion,
                       Err *err)
{
    const MindSeat *target = seat_named(writer, json_text(opinion, "target"));
    const int64_t sure = json_number(opinion, "sure");
    const uint64_t lines = amount_of(opinion, "lines_said");
    Json json = json_over(&writer->opinions);

    if (!seat || !target || !json_get(opinion, "sure") || sure < 0 || sure > SURE_MAX)
        return 0;
    if (writer->decisions++ == DECISIONS_MAX)
        return err_set(err, ERR_LIMIT, "more than %zu decisions in a game", DECISIONS_MAX);
    const Str anchor =
        at >= 0 ? anchor_before(writer, seat, at) : anchor_of_line(writer, seat, lines);
    buf_add(&writer->opinions, writer->opinions.len ? STR(",") : STR(""));
    json_open(&json, '{');
    json_add_uint(&json, "seat", number_of(writer, seat));
    if (at >= 0)
        json_add_int(&json, "t_ms", at);
    if (anchor.len)
        json_add_str(&json, "a", anchor);
    json_add_uint(&json, "target", number_of(writer, target));
    json_add_int(&json, "sure", sure);
    json_add_uint(&json, "lines", lines);
    json_close(&json);
    return 0;
}

static int put_opinion(MindWriter *writer, const json_t *event, Err *err)
{
    const json_t *opinion = json_get(event, "decision");
    const int64_t told = moment_of(writer, event);
    const int64_t asked = told - (int64_t)amount_of(opinion, "took_ms");

    return add_opinion(writer, seat_named(writer, json_text(event, "name")),
                       told < 0    ? -1
                       : asked < 0 ? 0
                                   : asked,
                       opinion, err);
}

/* ---- the record ---- */

static int on_event(MindWriter *writer, const json_t *event, Err *err)
{
    Str what = json_text(event, "event");

    if (str_eq(what, STR("session"))) {
        if (!date_text_read(json_text(event, "began"), &writer->session_ms))
            writer->session_ms = -1;
    } else if (str_eq(what, STR("seat"))) {
        take_player(writer, event);
    } else if (str_eq(what, STR("start_game"))) {
        writer->in_round = true;
    } else if (str_eq(what, STR("end_game"))) {
        writer->in_round = false;
        writer->round++;
    } else if (str_eq(what, STR("decision")) && writer->in_round &&
               writer->round == writer->source->round) {
        return put_decision(writer, event, err);
    } else if (str_eq(what, STR("opinion")) && writer->in_round &&
               writer->round == writer->source->round) {
        return put_opinion(writer, event, err);
    }
    return 0;
}

/* Most lines are messages, and those say nothing here. */
static bool is_message(Str line)
{
    const Str key = STR("\"event\":\"message\"");

    for (size_t at = 0; at + key.len < line.len && at < 100; at++)
        if (str_starts(str_part(line, at, line.len), key))
            return true;
    return false;
}

static int read_record(MindWriter *writer, Err *err)
{
    Str rest = writer->source->record;
    unsigned number = 0;
    int rc = 0;

    while (rc == 0 && rest.len) {
        const bool whole = memchr(rest.bytes, '\n', rest.len) != NULL;
        Str line = str_cut(&rest, '\n');
        json_t *event = NULL;
        Err wrong = {0};
        number++;
        if (is_message(line) || !whole) /* half a line: its writer was stopped, or is at it */
            continue;
        rc = json_read(line, MAW_RECORD_LINE_MAX, &event, &wrong);
        if (rc == 0)
            rc = on_event(writer, event, &wrong);
        json_done(event);
        if (rc)
            rc = err_set_at(err, (ErrCode)rc, number, 0, "line %u: %s", number, wrong.msg);
    }
    return rc;
}

/* ---- files of agents ---- */

/* A decision of a file; where in the game it came from what came of it. */
typedef struct FileDecision {
    json_t *json;
    MindSeat *seat;
    Str anchor;
    size_t at, order;
} FileDecision;

typedef struct FileDecisions {
    FileDecision *items;
    size_t count, room;
} FileDecisions;

static int keep_decision(MindWriter *writer, json_t *take_json, SeatNo file, FileDecisions *all,
                         Err *err)
{
    MindSeat *seat = seat_named(writer, json_text(take_json, "name"));
    const int64_t prompt = json_number(take_json, "prompt");

    if (seat && all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 64;
        FileDecision *grown = mem_resize(all->items, room, sizeof(*grown));
        if (grown) {
            all->items = grown;
            all->room = room;
        }
    }
    if (!seat || all->count == all->room) {
        json_done(take_json);
        return seat ? err_set(err, ERR_MEMORY, "decisions of models: out of memory") : 0;
    }
    const Str anchor = anchor_of(writer, seat, take_json);
    if (json_get(take_json, "prompt")) {
        seat->first_prompt = seat->file ? seat->first_prompt : prompt;
        seat->last_prompt = prompt;
        seat->file = file;
    }
    all->items[all->count] = (FileDecision){take_json, seat, anchor, seat->told, all->count};
    all->count++;
    return 0;
}

/* Of a file; lines of other games, and answers of servers, are passed over. */
static int read_file(MindWriter *writer, SeatNo file, FileDecisions *all, Buf *model, Err *err)
{
    const MindSource *source = writer->source;
    const int64_t part = source->game.len ? 0 : (int64_t)source->part(source->user, file);
    bool here = !source->game.len;
    CLEANUP(buf_done) Buf text = {0};
    int rc = 0;

    source->file(source->user, file, false, &text);
    for (Str rest = buf_str(&text); rest.len && rc == 0;) {
        const bool whole = memchr(rest.bytes, '\n', rest.len) != NULL;
        json_t *json = NULL;
        const Str line = str_cut(&rest, '\n');
        if (!whole || json_read(line, MAW_RECORD_LINE_MAX, &json, NULL)) {
            json_done(json);
            continue;
        }
        const Str type = json_text(json, "type");
        if (str_eq(type, STR("seat"))) {
            here = !source->game.len; /* its program was started anew */
            buf_clear(model);
            buf_add(model, json_text(json, "model").len ? json_text(json, "model") : STR("demo"));
        }
        if (str_eq(type, STR("game")) && source->game.len)
            here = str_eq(json_text(json, "id"), source->game);
        const bool opinion = str_eq(json_text(json, "task"), STR("opinion"));
        if (!str_eq(type, STR("decision")) || !here ||
            (!source->game.len && json_number(json, "round") != part))
            rc = 0;
        else if (opinion)
            rc = add_opinion(writer, seat_named(writer, json_text(json, "name")), -1, json, err);
        else
            rc = keep_decision(writer, TAKE(json), file, all, err);
        json_done(json);
    }
    return rc;
}

static int by_place(const void *a, const void *b)
{
    const FileDecision *left = a, *right = b;

    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

static int read_files(MindWriter *writer, Err *err)
{
    FileDecisions all = {0};
    int rc = 0;

    for (SeatNo file = 1; file <= writer->seat_count && rc == 0; file++) {
        CLEANUP(buf_done) Buf model = {0};
        const size_t before = all.count;
        rc = read_file(writer, file, &all, &model, err);
        if (all.count == before)
            continue;
        buf_clear(&all.items[before].seat->model);
        buf_add(&all.items[before].seat->model, buf_str(&model));
    }
    if (all.count)
        qsort(all.items, all.count, sizeof(all.items[0]), by_place);
    for (size_t i = 0; i < all.count; i++) {
        const FileDecision *one = &all.items[i];
        if (rc == 0)
            rc = put_one(writer, one->seat, -1, one->anchor, one->json, err);
        json_done(one->json);
    }
    mem_free(all.items);
    return rc;
}

/* ---- sums ---- */

static int by_size(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* The smallest that at least so many thousandths are no larger than. */
static uint32_t quantile_of(const MindSeat *seat, size_t thousandths)
{
    size_t rank = (seat->latency_count * thousandths + 999) / 1000;

    return seat->latencies[rank ? rank - 1 : 0];
}

static void put_seat(MindWriter *writer, SeatNo number)
{
    MindSeat *seat = &writer->seats[number];
    const MindSource *source = writer->source;
    Json *json = &writer->json;
    LlmPrice price;

    json_open(json, '{');
    json_add_uint(json, "seat", number);
    json_add_str(json, "name", seat->name);
    if (seat->model.len)
        json_add_str(json, "model", buf_str(&seat->model));
    json_add_uint(json, "decisions", seat->decisions);
    json_add_uint(json, "by_model", seat->by_model);
    json_add_uint(json, "repaired", seat->repaired);
    json_add_uint(json, "by_rule", seat->by_rule);
    json_add_uint(json, "by_demo", seat->by_demo);
    json_add_uint(json, "leaks", seat->leaks);
    json_add_uint(json, "suppressed", seat->suppressed);
    json_add_uint(json, "prompt_tokens", seat->prompt_tokens);
    json_add_uint(json, "answer_tokens", seat->answer_tokens);
    if (source->prices && llm_price_find(source->prices, buf_str(&seat->model), &price))
        json_add_real(
            json, "cost",
            llm_price_cost(&price, seat->prompt_tokens, seat->cached_tokens, seat->answer_tokens),
            6);
    if (seat->latency_count) {
        qsort(seat->latencies, seat->latency_count, sizeof(seat->latencies[0]), by_size);
        json_add_uint(json, "latency_p50_ms", quantile_of(seat, 500));
        json_add_uint(json, "latency_p95_ms", quantile_of(seat, 950));
    }
    json_close(json);
}

static void put_seats(MindWriter *writer)
{
    json_key(&writer->json, STR("seats"));
    json_open(&writer->json, '[');
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++)
        if (writer->seats[seat].decisions)
            put_seat(writer, seat);
    json_close(&writer->json);
}

/* ---- prompts ---- */

/* What of a text is shown: requests `first` to `last`, and those from which they are made. */
typedef struct PromptRange {
    int64_t first, last;
} PromptRange;

/* The request at which the chain of references of `first` begins. */
static int64_t chain_begin(Str text, int64_t first)
{
    int64_t begin = 0;

    while (text.len) {
        json_t *prompt = NULL;
        if (json_read(str_cut(&text, '\n'), PROMPT_LINE_MAX, &prompt, NULL) == 0 &&
            json_get(prompt, "messages") && !json_get(prompt, "as") &&
            json_number(prompt, "prompt") <= first)
            begin = json_number(prompt, "prompt");
        json_done(prompt);
    }
    return begin;
}

static bool is_shown(const json_t *prompt, const PromptRange *range)
{
    const int64_t number = json_number(prompt, "prompt");

    if (!json_is_map(prompt))
        return false;
    return !range ||
           (json_get(prompt, "messages") && number >= range->first && number <= range->last);
}

/* Whole lines that are objects: a damaged one shows nothing, and harms nobody. */
static void put_prompt_lines(Json *json, Str text, const PromptRange *range)
{
    json_open(json, '[');
    while (text.len) {
        const bool whole = memchr(text.bytes, '\n', text.len) != NULL;
        Str line = str_cut(&text, '\n');
        json_t *prompt = NULL;
        if (whole && json_read(line, PROMPT_LINE_MAX, &prompt, NULL) == 0 &&
            is_shown(prompt, range))
            json_put_raw(json, line);
        json_done(prompt);
    }
    json_close(json);
}

static void put_prompts_of(MindWriter *writer, SeatNo seat, Str lines, const PromptRange *range)
{
    Json *json = &writer->json;

    if (!lines.len || !writer->seats[seat].decisions)
        return;
    json_open(json, '{');
    json_add_uint(json, "seat", seat);
    json_key(json, STR("lines"));
    put_prompt_lines(json, lines, range);
    json_close(json);
}

/* Of a file of its own; or they stand among its decisions. */
static void put_file_prompts(MindWriter *writer, SeatNo number)
{
    const MindSource *source = writer->source;
    const MindSeat *seat = &writer->seats[number];
    CLEANUP(buf_done) Buf text = {0};

    if (!seat->file)
        return;
    source->file(source->user, seat->file, true, &text);
    if (!text.len)
        source->file(source->user, seat->file, false, &text);
    const PromptRange range = {chain_begin(buf_str(&text), seat->first_prompt), seat->last_prompt};
    if (!buf_failed(&text))
        put_prompts_of(writer, number, buf_str(&text), &range);
}

static void put_prompts(MindWriter *writer)
{
    const MindSource *source = writer->source;

    json_key(&writer->json, STR("prompts"));
    json_open(&writer->json, '[');
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++) {
        Str player = str_of(writer->seats[seat].player);
        if (source->file)
            put_file_prompts(writer, seat);
        else if (source->prompts && player.len)
            put_prompts_of(writer, seat, source->prompts(source->user, player), NULL);
    }
    json_close(&writer->json);
}

/* ---- the document ---- */

static int write_mind(MindWriter *writer, Err *err)
{
    Json *json = &writer->json;

    json_open(json, '{');
    json_add_str(json, "format", STR("warg-mind"));
    json_add_uint(json, "version", 1);
    json_add_str(json, "game", json_text(writer->document, "id"));
    json_add_uint(json, "players",
                  writer->seat_count); /* seats that decided nothing are not told */
    if (writer->source->prices)
        json_add_str(json, "currency", llm_prices_currency(writer->source->prices));
    json_key(json, STR("decisions"));
    json_open(json, '[');
    int rc = writer->source->file ? read_files(writer, err) : read_record(writer, err);
    if (rc)
        return rc;
    json_close(json);
    put_seats(writer);
    put_prompts(writer);
    if (writer->opinions.len) {
        json_key(json, STR("opinions"));
        json_open(json, '[');
        json_put_raw(json, buf_str(&writer->opinions));
        json_close(json);
    }
    json_close(json);
    return buf_failed(json->out) || buf_failed(&writer->opinions)
               ? err_set(err, ERR_MEMORY, "decisions of models: out of memory")
               : 0;
}

int mind_doc_write(const MindSource *source, Buf *out, Err *err)
{
    CLEANUP(mem_freep) MindWriter *writer = mem_new(sizeof(*writer));
    CLEANUP(buf_done) Buf text = {0};

    if (!writer)
        return err_set(err, ERR_MEMORY, "decisions of models: out of memory");
    writer->source = source;
    writer->session_ms = -1;
    writer->json = json_over(&text);
    int rc = read_document(writer, err);
    if (rc == 0)
        rc = write_mind(writer, err);
    if (rc == 0)
        buf_add(out, buf_str(&text));
    json_done(writer->document);
    buf_done(&writer->opinions);
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        buf_done(&writer->seats[seat].model);
        mem_free(writer->seats[seat].latencies);
    }
    return rc;
}
