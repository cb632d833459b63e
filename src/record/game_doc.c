/* Entries of a game document, and its views. docs/spec/web.md 4. */
#include "record/game_doc_own.h"

#include "base/utf8.h"
#include "lang/lang.h"

#include <assert.h>

#define NAME_MAX_SHOWN 256 /* characters of a name: game.schema.json */
#define ID_MAX         200

/* ---- the object ---- */

static size_t head_bytes(const DocHead *head)
{
    size_t bytes = head->source_name.len + 1;

    for (SeatNo seat = 1; seat <= head->seat_count; seat++) {
        const DocSeat *who = &head->seats[seat];
        bytes += who->name.len + who->agent.len + who->team.len + who->kind.len + who->profile.len;
    }
    return bytes;
}

/* Room was made before, so that no text moves. */
static Str keep_text(Buf *names, Str text)
{
    size_t start = names->len;

    buf_add(names, text);
    return str_part(buf_str(names), start, text.len);
}

/* The first characters of a name; its bytes are not looked at. */
static Str cut_name(Str name)
{
    Str rest = name;

    for (size_t i = 0; i < NAME_MAX_SHOWN && rest.len > 0; i++)
        utf8_next(&rest);
    return str_part(name, 0, name.len - rest.len);
}

static const char *talk_word(const Ruleset *rules)
{
    if (rules->day.count > 0 && rules->day.phases[0].actions[0] == ACTION_VILLAGE)
        return "room";
    switch ((Exchange)rules->talk.exchange) {
    case EXCHANGE_TURN:
        return "together";
    case EXCHANGE_ANYTIME:
        return "anytime";
    case EXCHANGE_SEQUENTIAL:
        break;
    }
    return "turns";
}

/* Whether the wolves talk to each other by night only, by the rules. */
static bool whispers_by_night(const Ruleset *rules)
{
    if (rules->talk.whisper_after_turn)
        return false;
    for (uint32_t i = 0; i < rules->day.count; i++)
        for (uint8_t k = 0; k < rules->day.phases[i].action_count; k++)
            if (rules->day.phases[i].actions[k] == ACTION_WHISPER ||
                rules->day.phases[i].actions[k] == ACTION_HIDEOUT)
                return false;
    return true;
}

static void take_rules(GameDoc *doc, const Ruleset *rules)
{
    snprintf(doc->rules_name, sizeof(doc->rules_name), "%s", rules->name);
    doc->talk = talk_word(rules);
    doc->votes_public = rules->vote.visible;
    doc->night_whispers = whispers_by_night(rules);
    doc->ghosts_see = rules->secrecy.ghosts_see == GHOSTS_ALL;
    doc->max_day = rules->end.max_day;
}

static void take_seats(GameDoc *doc, const DocHead *head)
{
    doc->source_name = keep_text(&doc->names, head->source_name);
    for (SeatNo seat = 1; seat <= head->seat_count; seat++) {
        const DocSeat *who = &head->seats[seat];
        doc->seats[seat] = (DocSeat){.name = keep_text(&doc->names, cut_name(who->name)),
                                     .agent = keep_text(&doc->names, who->agent),
                                     .team = keep_text(&doc->names, who->team),
                                     .kind = keep_text(&doc->names, who->kind),
                                     .profile = keep_text(&doc->names, who->profile)};
    }
}

int game_doc_new(const DocHead *head, GameDoc **ret_doc, Err *err)
{
    GameDoc *doc = mem_new(sizeof(*doc));

    if (!doc || !buf_reserve(&doc->names, head_bytes(head))) {
        mem_free(doc);
        return err_set(err, ERR_MEMORY, "no memory for a game's document");
    }
    doc->division = head->division;
    doc->seat_count = head->seat_count;
    doc->began_unix_ms = head->began_unix_ms;
    doc->timed = head->began_unix_ms != 0;
    doc->ended = DOC_NO_TIME;
    doc->follow.told = DOC_NO_TIME;
    snprintf(doc->language, sizeof(doc->language), "%s", head->language);
    snprintf(doc->form, sizeof(doc->form), "%s", head->form);
    take_rules(doc, head->rules);
    take_seats(doc, head);
    game_doc_set_id(doc, head->id);
    if (head->division == DOC_PROTOCOL)
        doc->sentences = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    if (buf_failed(&doc->id) || (head->division == DOC_PROTOCOL && !doc->sentences.block)) {
        game_doc_free(doc);
        return err_set(err, ERR_MEMORY, "no memory for a game's document");
    }
    *ret_doc = doc;
    return 0;
}

GameDoc *game_doc_free(GameDoc *doc)
{
    if (!doc)
        return NULL;
    buf_done(&doc->bodies);
    buf_done(&doc->id);
    buf_done(&doc->names);
    buf_done(&doc->why);
    buf_done(&doc->contest_id);
    buf_done(&doc->session);
    buf_done(&doc->details);
    belief_facts_done(&doc->facts);
    mem_free(doc->entries);
    mem_free(doc->slots);
    mem_free(doc->hidden);
    arena_done(&doc->sentences);
    return mem_free(doc);
}

void game_doc_freep(GameDoc **doc)
{
    *doc = game_doc_free(*doc);
}

bool game_doc_failed(const GameDoc *doc)
{
    return doc->failed || buf_failed(&doc->bodies);
}

Str game_doc_id(const GameDoc *doc)
{
    return buf_str(&doc->id);
}

void game_doc_set_id(GameDoc *doc, Str id)
{
    buf_clear(&doc->id);
    buf_add(&doc->id, str_part(id, 0, ID_MAX));
}

void game_doc_set_contest(GameDoc *doc, const DocContest *contest)
{
    buf_clear(&doc->contest_id);
    buf_add(&doc->contest_id, contest->id);
    doc->contest = *contest;
    doc->has_contest = true;
    doc->failed = doc->failed || buf_failed(&doc->contest_id);
}

SeatNo game_doc_seats(const GameDoc *doc)
{
    return doc->seat_count;
}

DocStatus game_doc_status(const GameDoc *doc)
{
    return doc->status;
}

size_t game_doc_count(const GameDoc *doc)
{
    return doc->count;
}

/* What is no letter, digit, '.', '_' or '-' becomes %XX, as in the files of the natural-language
 * division; so does a dot in front. */
void doc_id_of(Str name, Buf *out)
{
    static const char *const endings[] = {".gz", ".json", ".jsonl", ".log"};
    size_t slash, start = out->len;

    if (str_find_last(name, '/', &slash))
        name = str_part(name, slash + 1, name.len);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        Str end = str_of(endings[i]);
        if (name.len > end.len && str_eq(str_part(name, name.len - end.len, end.len), end))
            name.len -= end.len;
    }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     c == '_' || c == '-' || (c == '.' && i > 0);
        if (out->len - start + (plain ? 1 : 3) > ID_MAX)
            break;
        if (plain)
            buf_add_char(out, c);
        else
            buf_printf(out, "%%%02X", (unsigned char)c);
    }
    if (out->len == start)
        buf_add(out, STR("game"));
}

/* ---- anchors ---- */

static Str body_of(const GameDoc *doc, const DocEntry *entry)
{
    return str_part(buf_str(&doc->bodies), entry->at, entry->len);
}

/* A body begins with "a":"d1t0". */
static Str anchor_of(const GameDoc *doc, const DocEntry *entry)
{
    return str_part(buf_str(&doc->bodies), entry->at + strlen("\"a\":\""), entry->anchor);
}

/* The slot in which this anchor stands, or would. */
static size_t anchor_slot(const GameDoc *doc, Str anchor)
{
    size_t slot = str_hash(anchor) & (doc->slot_count - 1);

    while (doc->slots[slot] && !str_eq(anchor_of(doc, &doc->entries[doc->slots[slot] - 1]), anchor))
        slot = (slot + 1) & (doc->slot_count - 1);
    return slot;
}

bool doc_anchor_taken(const GameDoc *doc, Str anchor)
{
    return doc->slot_count > 0 && doc->slots[anchor_slot(doc, anchor)] != 0;
}

static void fill_slots(GameDoc *doc)
{
    memset(doc->slots, 0, doc->slot_count * sizeof(*doc->slots));
    for (size_t i = 0; i < doc->count; i++)
        doc->slots[anchor_slot(doc, anchor_of(doc, &doc->entries[i]))] = (uint32_t)i + 1;
}

/* Room for one entry more. */
static bool make_room(GameDoc *doc)
{
    if (doc->count < doc->room)
        return true;
    size_t room = doc->room ? 2 * doc->room : 256;
    DocEntry *entries = mem_resize(doc->entries, room, sizeof(*entries));
    if (entries)
        doc->entries = entries;
    uint32_t *slots = entries ? mem_resize(doc->slots, 2 * room, sizeof(*slots)) : NULL;
    if (!slots) {
        doc->failed = true;
        return false;
    }
    doc->slots = slots;
    doc->slot_count = 2 * room;
    doc->room = room;
    fill_slots(doc);
    return true;
}

/* ---- entries ---- */

/* The anchor, with a number behind it when there is one like it: in a log that no game wrote. */
static uint32_t add_anchor(GameDoc *doc, const char *anchor)
{
    char unique[DOC_ANCHOR_MAX + 1];

    snprintf(unique, sizeof(unique), "%s", anchor);
    while (doc_anchor_taken(doc, str_of(unique)))
        snprintf(unique, sizeof(unique), "%.24s.%u", anchor, ++doc->twins);
    buf_add(&doc->bodies, STR("\"a\":\""));
    buf_add(&doc->bodies, str_of(unique));
    buf_add_char(&doc->bodies, '"');
    return (uint32_t)strlen(unique);
}

/* The phase in which everybody is, as far as all know, behind the first `count` entries. What has
 * no phase of its own comes there: in that of few it would tell of it. */
static void take_phase(const GameDoc *doc, size_t count, DocEntry *entry)
{
    entry->action = DOC_DAWN;
    while (count > 0) {
        const DocEntry *before = &doc->entries[--count];
        if (!before->open)
            continue;
        entry->day = before->day;
        entry->night = before->night;
        entry->action = before->action;
        return;
    }
}

void doc_entry_open(GameDoc *doc, const DocPlace *place, const char *kind, const char *anchor,
                    Json *ret_json)
{
    *ret_json = json_over(&doc->bodies);
    if (!make_room(doc))
        buf_fail(&doc->bodies); /* nothing more is told */
    size_t at = doc->bodies.len;
    uint32_t length = add_anchor(doc, anchor);
    if (doc->count < doc->room)
        doc->entries[doc->count] = (DocEntry){.at = at,
                                              .anchor = length,
                                              .day = place->day,
                                              .night = place->night,
                                              .action = (uint8_t)place->action};
    if (doc->count < doc->room && place->action == DOC_ANY) {
        doc->entries[doc->count].aside = true;
        take_phase(doc, doc->count, &doc->entries[doc->count]);
    }
    /* The writer is inside an object with something in it: the brace and `n` come later. */
    ret_json->depth = 1;
    ret_json->object = ret_json->filled = 1u << 1;
    json_add_str(ret_json, "kind", str_of(kind));
    json_add_uint(ret_json, "day", place->day);
    if (doc->timed && place->time >= 0)
        json_add_int(ret_json, "t_ms", place->time);
}

void doc_entry_close(GameDoc *doc, Json *json, bool open, SeatSet to)
{
    assert(json->depth == 1);
    if (game_doc_failed(doc))
        return;
    DocEntry *entry = &doc->entries[doc->count];
    entry->len = (uint32_t)(doc->bodies.len - entry->at);
    entry->open = open || to == seat_all(doc->seat_count);
    entry->to = to;
    doc->slots[anchor_slot(doc, anchor_of(doc, entry))] = (uint32_t)++doc->count;
}

void doc_entry_move(GameDoc *doc, size_t from, size_t to)
{
    if (from >= doc->count || to >= from)
        return;
    DocEntry entry = doc->entries[from];
    if (entry.aside)
        take_phase(doc, to, &entry);
    memmove(&doc->entries[to + 1], &doc->entries[to], (from - to) * sizeof(entry));
    doc->entries[to] = entry;
    fill_slots(doc);
}

/* ---- views ---- */

bool game_doc_view_of(Str text, DocView *ret_view)
{
    const Str seat = STR("seat:");
    uint64_t number;

    if (str_eq(text, STR("public"))) {
        *ret_view = (DocView){.kind = DOC_VIEW_PUBLIC};
        return true;
    }
    if (str_eq(text, STR("all"))) {
        *ret_view = (DocView){.kind = DOC_VIEW_ALL};
        return true;
    }
    if (!str_starts(text, seat) || text.len > seat.len + 2 ||
        !str_to_uint(str_part(text, seat.len, text.len), SEAT_MAX, &number) || number == 0)
        return false;
    *ret_view = (DocView){.kind = DOC_VIEW_SEAT, .seat = (SeatNo)number};
    return true;
}

static bool entry_visible(const DocEntry *entry, const DocView *view)
{
    if (view->sealed && entry->after)
        return false;
    switch (view->kind) {
    case DOC_VIEW_ALL:
        return true;
    case DOC_VIEW_PUBLIC:
        return entry->open;
    case DOC_VIEW_SEAT:
        return entry->open || seat_in(entry->to, view->seat);
    }
    return false;
}

static void put_seats(Json *json, SeatSet seats)
{
    json_open(json, '[');
    for (SeatSet left = seats; left; left &= left - 1)
        json_put_uint(json, seat_first(left));
    json_close(json);
}

/* One event of a view: its number, what all views show of it, and to whom it was told. */
static void put_event(const GameDoc *doc, const DocEntry *entry, const DocWriter *writer, Buf *out)
{
    buf_add(out, STR("{\"n\":"));
    buf_add_uint(out, writer->n);
    buf_add_char(out, ',');
    buf_add(out, body_of(doc, entry));
    if (writer->view.kind == DOC_VIEW_ALL && !entry->open) {
        Json json = json_over(out);
        buf_add(out, STR(",\"to\":"));
        put_seats(&json, entry->to);
    }
    buf_add_char(out, '}');
}

static const char *action_word(DocAction action)
{
    static const char *const actions[] = {
        [DOC_ANY] = "",        [DOC_DAWN] = "dawn",
        [DOC_TALK] = "talk",   [DOC_WHISPER] = "whisper",
        [DOC_VOTE] = "vote",   [DOC_DIVINE] = "divine",
        [DOC_GUARD] = "guard", [DOC_ATTACK] = "attack",
        [DOC_NIGHT] = "night", [DOC_ROOM] = "room",
        [DOC_END] = "end",
    };

    return actions[action];
}

static void put_phase(const DocEntry *entry, const DocWriter *writer, Json *json)
{
    json_open(json, '{');
    json_add_uint(json, "day", entry->day);
    json_add_bool(json, "night", entry->night);
    json_add_str(json, "action", str_of(action_word((DocAction)entry->action)));
    json_add_uint(json, "first", writer->n);
    json_close(json);
}

static bool phase_begins(const DocEntry *entry, const DocWriter *writer)
{
    return !writer->begun || entry->day != writer->day || entry->night != (bool)writer->night ||
           entry->action != writer->action;
}

/* The phase that an entry begins becomes the one that is told; true when it begins one. */
static bool step_phase(const DocEntry *entry, DocWriter *writer)
{
    if (!phase_begins(entry, writer))
        return false;
    writer->begun = true;
    writer->day = entry->day;
    writer->night = entry->night;
    writer->action = entry->action;
    return true;
}

bool doc_writer_event(DocWriter *writer, const GameDoc *doc, size_t index, Json *events,
                      Json *phases)
{
    const DocEntry *entry = index < doc->count ? &doc->entries[index] : NULL;

    if (!entry || !entry_visible(entry, &writer->view))
        return false;
    if (step_phase(entry, writer))
        put_phase(entry, writer, phases);
    CLEANUP(buf_done) Buf event = {0};
    put_event(doc, entry, writer, &event);
    if (buf_failed(&event))
        buf_fail(events->out);
    json_put_raw(events, buf_str(&event));
    writer->n++;
    return true;
}

/* ---- the document around the events ---- */

static void put_role(const GameDoc *doc, const DocView *view, SeatNo seat, Json *json)
{
    SeatSet to = doc->role_to[seat];
    Role role = (Role)doc->roles[seat];
    bool all = view->kind == DOC_VIEW_ALL;

    if (role == ROLE_NONE || !(all || (view->kind == DOC_VIEW_SEAT && seat_in(to, view->seat))))
        return;
    json_add_str(json, "role", str_of(role_name(role)));
    if (!all)
        return;
    json_key(json, STR("role_to"));
    put_seats(json, to);
}

static bool errored_known(const GameDoc *doc, const DocView *view, SeatNo seat)
{
    bool now = view->kind == DOC_VIEW_ALL || (view->kind == DOC_VIEW_SEAT && view->seat == seat) ||
               doc->closed;

    return seat_in(now ? doc->errored | doc->errored_told : doc->errored_told, seat);
}

static void add_name(Json *json, const char *key, Str name)
{
    if (name.len > 0)
        json_add_str(json, key, name);
}

static void put_seat(const GameDoc *doc, const DocView *view, SeatNo seat, Json *json)
{
    const DocSeat *who = &doc->seats[seat];

    json_open(json, '{');
    json_add_uint(json, "seat", seat);
    json_add_str(json, "name", who->name);
    if (view->names) {
        add_name(json, "agent", who->agent);
        add_name(json, "team", who->team);
        add_name(json, "kind", who->kind);
    }
    add_name(json, "profile", who->profile);
    put_role(doc, view, seat, json);
    if (errored_known(doc, view, seat))
        json_add_bool(json, "errored", true);
    json_close(json);
}

void game_doc_write_seats(const GameDoc *doc, const DocView *view, Json *json)
{
    json_open(json, '[');
    for (SeatNo seat = 1; seat <= doc->seat_count; seat++)
        put_seat(doc, view, seat, json);
    json_close(json);
}

static void put_view(const DocView *view, Json *json)
{
    static const char *const kinds[] = {
        [DOC_VIEW_PUBLIC] = "public", [DOC_VIEW_SEAT] = "seat", [DOC_VIEW_ALL] = "all"};

    json_key(json, STR("view"));
    json_open(json, '{');
    json_add_str(json, "kind", str_of(kinds[view->kind]));
    if (view->kind == DOC_VIEW_SEAT)
        json_add_uint(json, "seat", view->seat);
    if (!view->names)
        json_add_bool(json, "blind", true);
    json_close(json);
}

/* A file may be called by those who play: {timestamp}_{teams}. */
static void put_source(const GameDoc *doc, const DocView *view, Json *json)
{
    json_key(json, STR("source"));
    json_open(json, '{');
    json_add_str(json, "form", str_of(doc->form));
    json_add_str(json, "name", view->names ? doc->source_name : STR(""));
    if (doc->check)
        json_add_str(json, "check", str_of(doc->check));
    if (doc->why.len > 0)
        json_add_str(json, "why", buf_str(&doc->why));
    json_close(json);
}

static void put_rules(const GameDoc *doc, Json *json)
{
    json_key(json, STR("rules"));
    json_open(json, '{');
    json_add_str(json, "name", str_of(doc->rules_name));
    json_add_uint(json, "players", doc->seat_count);
    json_add_str(json, "talk", str_of(doc->talk));
    json_add_bool(json, "votes_public", doc->votes_public);
    if (doc->max_day != LIMIT_NONE)
        json_add_int(json, "max_day", doc->max_day);
    json_close(json);
}

static void put_origin(const GameDoc *doc, Json *json)
{
    if (doc->session.len > 0) {
        json_key(json, STR("session"));
        json_open(json, '{');
        json_add_str(json, "id", buf_str(&doc->session));
        json_add_uint(json, "round", doc->round);
        json_add_uint(json, "rounds", doc->rounds);
        json_close(json);
    }
    if (doc->has_contest) {
        json_key(json, STR("contest"));
        json_open(json, '{');
        json_add_str(json, "id", buf_str(&doc->contest_id));
        json_add_uint(json, "stage", doc->contest.stage);
        json_add_uint(json, "set", doc->contest.set);
        json_add_uint(json, "game", doc->contest.game);
        if (doc->contest.minds)
            json_add_bool(json, "minds", true);
        json_close(json);
    }
}

static void put_times(const GameDoc *doc, Json *json)
{
    if (!doc->began_unix_ms)
        return;
    json_add_int(json, "began_ms", doc->began_unix_ms);
    if (doc->closed && doc->ended >= 0)
        json_add_int(json, "ended_ms", doc->began_unix_ms + doc->ended);
}

static const char *winner_word(Side side)
{
    return side == SIDE_OTHERS ? "FOX" : side_name(side);
}

static void put_head(const GameDoc *doc, const DocView *view, Json *json)
{
    static const char *const divisions[] = {
        [DOC_PROTOCOL] = "protocol", [DOC_NLP] = "nlp", [DOC_MAW] = "maw"};
    static const char *const states[] = {[DOC_RUNNING] = "running",
                                         [DOC_FINISHED] = "finished",
                                         [DOC_ABORTED] = "aborted",
                                         [DOC_TRUNCATED] = "truncated"};

    json_add_str(json, "format", STR("warg-game"));
    json_add_uint(json, "version", 1);
    json_add_str(json, "id", buf_str(&doc->id));
    json_add_str(json, "division", str_of(divisions[doc->division]));
    json_add_str(json, "lang", str_of(doc->language));
    json_add_str(json, "status", str_of(states[doc->status]));
    put_view(view, json);
    put_source(doc, view, json);
    put_rules(doc, json);
    put_origin(doc, json);
    put_times(doc, json);
    if (doc->over)
        json_add_str(json, "winner", str_of(winner_word(doc->winner)));
}

/* The events, with the phases on the side. */
static void put_events(const GameDoc *doc, const DocView *view, Json *json, Buf *phases)
{
    DocWriter writer = {.view = *view};
    Json list = json_over(phases);
    bool first = true;

    json_open(&list, '[');
    json_open(json, '[');
    for (size_t i = 0; i < doc->count; i++) {
        const DocEntry *entry = &doc->entries[i];
        if (!entry_visible(entry, view))
            continue;
        if (step_phase(entry, &writer))
            put_phase(entry, &writer, &list);
        buf_add(json->out, first ? STR("\n") : STR(",\n"));
        put_event(doc, entry, &writer, json->out);
        writer.n++;
        first = false;
    }
    json_close(json);
    json_close(&list);
}

/* Of a game that is over: counting deals takes too long for one that is played. */
static void put_belief(const GameDoc *doc, Json *json)
{
    uint8_t counts[ROLE_COUNT] = {0};

    for (SeatNo seat = 1; seat <= doc->seat_count; seat++)
        counts[doc->roles[seat]]++;
    if (doc->closed && counts[ROLE_NONE] == 0)
        belief_put(&doc->facts, doc->seat_count, counts, json);
}

void game_doc_write(const GameDoc *doc, const DocView *view, Buf *out)
{
    CLEANUP(buf_done) Buf phases = {0};
    Json json = json_over(out);

    json_open(&json, '{');
    put_head(doc, view, &json);
    json_key(&json, STR("seats"));
    game_doc_write_seats(doc, view, &json);
    json_key(&json, STR("events"));
    put_events(doc, view, &json, &phases);
    json_key(&json, STR("phases"));
    json_put_raw(&json, buf_str(&phases));
    put_belief(doc, &json);
    json_close(&json);
    if (buf_failed(&phases) || game_doc_failed(doc))
        buf_fail(out);
}
