/* Every recorded game is played again: the same roles, order and replies must give the same packets
 * and the same logs. The games of the later server (next-*) have to agree in every key and value,
 * ids and times aside; the older server's differ on the wire in points that the specification marks
 * [V] or [Q], which are the rows of `differences` below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/golden.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nlp/table.h"
#include "record/log_text.h"
#include "record/nlp_files.h"
#include "wire/nlp_packet.h"

/* ---- what differs, and why ---- */

typedef enum Difference {
    /* [V] 3.3: A had taken the utterance asked for off remain_count already. */
    REMAIN_COUNT = 1 << 0,
    /* [V] 3.4: A's talk indices begin anew with every session; it has no `time` in a talk. */
    TALK_INDEX = 1 << 1,
    /* [Q] 4.5: an errored werewolf is none to A, so there is no attack; to ours it lives and
     * attacks nobody: `attack,-1,true`. */
    ERRORED_WOLF = 1 << 2,
} Difference;

/* ---- a table whose peers are queues ---- */

typedef struct Queue {
    json_t *packets; /* an array: sent, not compared yet */
    size_t next;
} Queue;

typedef struct Replay {
    Recording *recording;
    Config *config;
    NlpTable *table;
    TableScratch scratch;
    Queue queues[SEAT_MAX + 1];
    ConfigProfile profiles[SEAT_MAX + 1];
    char folder[64];
    Buf realtime;
    bool in_session[SEAT_MAX + 1];
    size_t said[SEAT_MAX + 1][64]; /* records: utterances that the server has not read yet */
    size_t said_count[SEAT_MAX + 1];
    SeatSet closed; /* connections that are gone, which the server has not noticed yet */
    SeatSet gone;   /* no FINISH of theirs was recorded: they left, or read no more */
    bool *given;    /* by record: a reply that was handed in before its place */
    TimeUs now;
} Replay;

static void on_send(void *peer, Str text)
{
    Queue *queue = peer;
    json_error_t error;
    json_t *packet = json_loadb(text.bytes, text.len, 0, &error);

    if (!packet)
        fail_msg("a packet is no JSON: %s", error.text);
    json_array_append_new(queue->packets, packet);
}

static void on_drop(void *peer, NlpClose code, const char *reason)
{
    (void)peer;
    (void)code;
    (void)reason;
}

static void on_note(void *user, Str line)
{
    (void)user;
    if (getenv("GOLDEN_VERBOSE"))
        print_message("note %.*s\n", STR_ARG(line));
}

static void on_broadcast(void *user, NlpTable *table, Str packet, Str masked)
{
    Replay *replay = user;

    (void)table;
    (void)masked;
    if (packet.len == 0)
        return;
    buf_add(&replay->realtime, packet);
    buf_add_char(&replay->realtime, '\n');
}

/* ---- chance, as it was ---- */

/* The line of a seat's first utterance in the session that begins: the order is drawn once for a
 * session. The evening's whispers of day 0 come behind that day's talk. */
static size_t first_line(const Replay *replay, const char *kind, uint32_t day, SeatNo seat,
                         bool behind_talk)
{
    Str rest = buf_str(&replay->recording->game_log);
    bool talked = false;
    char start[48];
    char talk[48];

    snprintf(start, sizeof(start), "%u,%s,", day, kind);
    snprintf(talk, sizeof(talk), "%u,talk,", day);
    for (size_t i = 0; rest.len; i++) {
        Str line = str_cut(&rest, '\n');
        uint64_t speaker = 0;
        talked |= str_starts(line, str_of(talk));
        if (!str_starts(line, str_of(start)) || (behind_talk && !talked))
            continue;
        line = str_part(line, strlen(start), SIZE_MAX);
        str_cut(&line, ','); /* idx, turn */
        str_cut(&line, ',');
        str_to_uint(str_cut(&line, ','), SEAT_MAX, &speaker);
        if (speaker == seat)
            return i;
    }
    return SIZE_MAX;
}

/* The seat that a line `day,kind,seat,...` of the game log names. */
static SeatNo logged_seat(const Replay *replay, uint32_t day, const char *kind)
{
    char start[48];
    Str rest = buf_str(&replay->recording->game_log);

    snprintf(start, sizeof(start), "%u,%s,", day, kind);
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        uint64_t seat = 0;
        if (!str_starts(line, str_of(start)))
            continue;
        line = str_part(line, strlen(start), SIZE_MAX);
        str_to_uint(str_cut(&line, ','), SEAT_MAX, &seat);
        return (SeatNo)seat;
    }
    return SEAT_NONE;
}

static uint32_t index_of(const ChanceQuestion *question, uint8_t value)
{
    for (uint32_t i = 0; i < question->count; i++)
        if (question->candidates[i] == value)
            return i;
    return UINT32_MAX;
}

static uint32_t script(void *user, const ChanceQuestion *question)
{
    Replay *replay = user;
    bool whisper = question->kind == CHANCE_WHISPER_NEXT;
    uint32_t best = 0;
    size_t first = SIZE_MAX;

    switch (question->kind) {
    case CHANCE_TALK_NEXT:
    case CHANCE_WHISPER_NEXT:
        for (uint32_t i = 0; i < question->count; i++) {
            bool evening = whisper && question->day == 0 &&
                           game_view(nlp_table_game(replay->table), 1)->talk->count > 0;
            size_t at = first_line(replay, whisper ? "whisper" : "talk", question->day,
                                   question->candidates[i], evening);
            if (at < first) {
                first = at;
                best = i;
            }
        }
        return best;
    case CHANCE_EXECUTE:
        return index_of(question, logged_seat(replay, question->day, "execute"));
    case CHANCE_ATTACK:
        return index_of(question, logged_seat(replay, question->day, "attack"));
    case CHANCE_DEAL:
    case CHANCE_WISHER:
    case CHANCE_VOTE:
        break;
    }
    return 0; /* roles are fixed */
}

/* ---- comparing ---- */

static void drop_times(json_t *json)
{
    const char *key;
    json_t *value;
    size_t i;
    void *next;

    json_array_foreach (json, i, value)
        drop_times(value);
    if (!json_is_object(json))
        return;
    json_object_del(json, "game_id");
    json_object_del(json, "time");
    json_object_foreach_safe(json, next, key, value) drop_times(value);
}

/* Takes out of a copy what may differ. */
static json_t *comparable(const json_t *packet, unsigned differences)
{
    json_t *copy = json_deep_copy(packet);
    json_t *info = json_object_get(copy, "info");
    static const char *const lists[] = {"talk_history", "whisper_history"};

    drop_times(copy);
    if (differences & REMAIN_COUNT) {
        json_object_del(info, "remain_count");
        json_object_del(info, "remain_length");
    }
    for (size_t k = 0; k < 2; k++) {
        const json_t *list = json_object_get(copy, lists[k]);
        size_t i;
        json_t *talk;
        if (differences & TALK_INDEX)
            json_array_foreach (list, i, talk)
                json_object_del(talk, "idx");
    }
    return copy;
}

static void compare_packets(const Replay *replay, size_t at, const json_t *expected,
                            const json_t *got, unsigned differences)
{
    json_t *a = comparable(expected, differences);
    json_t *b = comparable(got, differences);

    if (!json_equal(a, b)) {
        char *one = json_dumps(a, JSON_SORT_KEYS);
        char *two = json_dumps(b, JSON_SORT_KEYS);
        printf("expected %s\ngot      %s\n", one, two);
        free(one);
        free(two);
        fail_msg("%s, record %zu: the packets differ", replay->recording->name, at);
    }
    json_decref(a);
    json_decref(b);
}

/* The reference notices a lost connection at its next request, and asks for votes one by one: votes
 * of lower seats for who has gone still count. */
static void notice_closed(Replay *replay, SeatNo below)
{
    for (SeatSet left = replay->closed; left; left &= left - 1)
        if (seat_first(left) < below) {
            replay->closed &= ~seat_bit(seat_first(left));
            nlp_table_gone(replay->table, seat_first(left), replay->now);
        }
}

/* In a session between the connections the order is that of the broadcasts, not that in which the
 * recorder read them: an utterance is handed in when its broadcast is due. */
static void give_utterance(Replay *replay, SeatNo seat)
{
    size_t at = replay->said[seat][0];

    replay->said_count[seat]--;
    memmove(replay->said[seat], replay->said[seat] + 1,
            replay->said_count[seat] * sizeof(replay->said[seat][0]));
    nlp_table_message(replay->table, seat, str_of(replay->recording->records[at].text),
                      replay->now);
}

static void queue_utterance(Replay *replay, SeatNo seat, size_t at)
{
    assert_true(replay->said_count[seat] < 64);
    replay->said[seat][replay->said_count[seat]++] = at;
}

static bool is_empty(const Queue *queue)
{
    return queue->next == json_array_size(queue->packets);
}

static SeatNo seat_of_name(const Replay *replay, const char *name)
{
    for (SeatNo seat = 1; seat <= replay->recording->seat_count; seat++)
        if (strcmp(replay->recording->names[seat], name) == 0)
            return seat;
    return SEAT_NONE;
}

/* What is said and not read when the session's time is up comes from who has nothing left. */
static void give_ignored(Replay *replay, const Queue *queue)
{
    for (SeatNo seat = 1; seat <= replay->recording->seat_count; seat++)
        while (replay->said_count[seat] && is_empty(queue)) {
            const View *view = game_view(nlp_table_game(replay->table), seat);
            if (view->talk_left[seat] > 0) {
                replay->said_count[seat] = 0; /* it came too late */
                break;
            }
            give_utterance(replay, seat);
        }
}

static bool is_ballot(const json_t *packet)
{
    const char *request = text_of(packet, "request");

    return strcmp(request, "VOTE") == 0 || strcmp(request, "ATTACK") == 0;
}

/* The reference asks for votes one by one, ours side by side: who has been asked answers before
 * time goes on. */
static void give_votes(Replay *replay, size_t at)
{
    const Recording *recording = replay->recording;

    for (SeatNo seat = 1; seat <= recording->seat_count; seat++) {
        size_t i = at;
        const Queue *queue = &replay->queues[seat];
        size_t sent = json_array_size(queue->packets);
        if (!sent || !is_ballot(json_array_get(queue->packets, sent - 1)))
            continue;
        if (!is_empty(queue)) { /* its request is still to be compared: find it */
            while (i < recording->count && (recording->records[i].seat != seat ||
                                            recording->records[i].kind != RECORDED_SENT ||
                                            !is_ballot(recording->records[i].packet)))
                i++;
            i++;
        }
        while (i < recording->count && recording->records[i].seat != seat)
            i++;
        if (i >= recording->count || recording->records[i].kind != RECORDED_REPLY ||
            replay->given[i])
            continue;
        replay->given[i] = true;
        nlp_table_message(replay->table, seat, str_of(recording->records[i].text), replay->now);
    }
}

/* The next packet to this seat; time goes on when none has come yet. */
static const json_t *next_packet(Replay *replay, size_t at)
{
    const Recorded *record = &replay->recording->records[at];
    Queue *queue = &replay->queues[record->seat];
    const json_t *talk = json_object_get(record->packet, "new_talk");

    if (!talk)
        talk = json_object_get(record->packet, "new_whisper");
    SeatNo speaker = talk ? seat_of_name(replay, text_of(talk, "agent")) : SEAT_NONE;
    while (speaker && is_empty(queue) && replay->said_count[speaker])
        give_utterance(replay, speaker);
    if (strstr(text_of(record->packet, "request"), "PHASE_END"))
        give_ignored(replay, queue);
    if (is_empty(queue))
        give_votes(replay, at);
    if (is_empty(queue))
        notice_closed(replay, SEAT_MAX + 1);
    for (int tries = 0; tries < 1000 && is_empty(queue); tries++) {
        TimeUs deadline = nlp_table_deadline(replay->table);
        if (deadline == TIME_US_NEVER)
            return NULL;
        if (deadline > replay->now)
            replay->now = deadline;
        nlp_table_tick(replay->table, replay->now);
    }
    return is_empty(queue) ? NULL : json_array_get(queue->packets, queue->next++);
}

/* A log line without what may differ: the time behind an utterance, an index, escapes. */
static void add_comparable_line(Str line, unsigned differences, Buf *out)
{
    Str rest = line;
    Str day = str_cut(&rest, ',');
    Str kind = str_cut(&rest, ',');

    if (str_eq(kind, STR("talk")) || str_eq(kind, STR("whisper"))) {
        Str idx = str_cut(&rest, ',');
        size_t comma = rest.len;
        while (comma > 0 && rest.bytes[comma - 1] != ',')
            comma--;
        uint64_t time;
        if (comma > 0 && rest.len - comma == 10 &&
            str_to_uint(str_part(rest, comma, 10), UINT64_MAX, &time))
            rest.len = comma - 1;
        buf_printf(out, "%.*s,%.*s,%.*s,", STR_ARG(day), STR_ARG(kind),
                   STR_ARG(differences & TALK_INDEX ? STR("") : idx));
        log_text_read(out, rest); /* the reference escapes nothing */
        buf_add_char(out, '\n');
        return;
    }
    if (differences & ERRORED_WOLF && str_eq(kind, STR("attack")) && str_eq(rest, STR("-1,true")))
        return;
    buf_add(out, line);
    buf_add_char(out, '\n');
}

/* Continuation lines (an utterance with a line end inside) are joined by a blank. */
static void comparable_log(Str log, unsigned differences, Buf *out)
{
    CLEANUP(buf_done) Buf joined = {0};

    while (log.len) {
        Str line = str_cut(&log, '\n');
        bool begins = line.len > 2 && line.bytes[0] >= '0' && line.bytes[0] <= '9' &&
                      (line.bytes[1] == ',' || line.bytes[2] == ',');
        if (joined.len)
            buf_add_char(&joined, begins ? '\n' : ' ');
        for (size_t i = 0; i < line.len; i++) /* CR stays in the reference's lines */
            buf_add_char(&joined, line.bytes[i] == '\r' ? ' ' : line.bytes[i]);
    }
    Str rest = buf_str(&joined);
    while (rest.len)
        add_comparable_line(str_cut(&rest, '\n'), differences, out);
}

static void compare_texts(const char *name, const char *what, Str expected, Str got)
{
    unsigned line = 1;

    while (expected.len || got.len) {
        Str a = str_cut(&expected, '\n');
        Str b = str_cut(&got, '\n');
        if (!str_eq(a, b))
            fail_msg("%s, %s, line %u:\nexpected %.*s\ngot      %.*s", name, what, line, STR_ARG(a),
                     STR_ARG(b));
        line++;
    }
}

static void read_file(const char *path, Buf *out)
{
    FILE *file = fopen(path, "re");
    char bytes[65536];
    size_t n;

    assert_non_null(file);
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        buf_add(out, (Str){bytes, n});
    fclose(file);
}

static void compare_game_log(const Replay *replay, unsigned differences)
{
    CLEANUP(buf_done) Buf ours = {0};
    CLEANUP(buf_done) Buf a = {0};
    CLEANUP(buf_done) Buf b = {0};
    char path[256];
    NlpGame game;

    nlp_table_look(replay->table, &game);
    snprintf(path, sizeof(path), "%s/%.*s.log", replay->folder, STR_ARG(game.stem));
    read_file(path, &ours);
    comparable_log(buf_str(&replay->recording->game_log), differences, &a);
    comparable_log(buf_str(&ours), differences, &b);
    compare_texts(replay->recording->name, "game log", buf_str(&a), buf_str(&b));
}

/* One entry, as text: who, what, the reply, whether it failed. The packet inside is compared as
 * JSON by its sorted dump. */
static void add_entry(const json_t *entry, unsigned differences, Buf *out)
{
    json_t *request = json_loads(text_of(entry, "request"), JSON_DECODE_ANY, NULL);
    json_t *packet = json_is_object(request) ? comparable(request, differences) : request;
    char *text = json_dumps(packet, JSON_SORT_KEYS | JSON_ENCODE_ANY);

    buf_printf(out, "%s|%s|%s|%s\n", text_of(entry, "agent"), text, text_of(entry, "response"),
               json_object_get(entry, "error") ? "failed" : "");
    free(text);
    if (packet != request)
        json_decref(packet);
    json_decref(request);
}

/* The entries of one agent, in order: between agents the order of completion may differ, because
 * votes are asked side by side. */
static void entries_of(const json_t *log, const char *agent, unsigned differences, Buf *out)
{
    const json_t *entries = json_object_get(log, "entries");
    size_t i;
    const json_t *entry;

    for (i = 0; i < json_array_size(entries); i++) {
        entry = json_array_get(entries, i);
        if (strcmp(text_of(entry, "agent"), agent) == 0)
            add_entry(entry, differences, out);
    }
}

static void compare_json_log(const Replay *replay, unsigned differences)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[256];
    NlpGame game;

    nlp_table_look(replay->table, &game);
    snprintf(path, sizeof(path), "%s/%.*s.json", replay->folder, STR_ARG(game.stem));
    read_file(path, &text);
    json_t *ours = json_loadb(text.bytes, text.len, 0, NULL);
    assert_non_null(ours);
    assert_string_equal(text_of(ours, "win_side"), text_of(replay->recording->log, "win_side"));
    assert_true(json_equal(json_object_get(ours, "agents"),
                           json_object_get(replay->recording->log, "agents")));
    for (SeatNo seat = 0; seat <= replay->recording->seat_count; seat++) {
        CLEANUP(buf_done) Buf a = {0};
        CLEANUP(buf_done) Buf b = {0};
        const char *agent = seat ? replay->recording->names[seat] : "";
        entries_of(replay->recording->log, agent, differences, &a);
        entries_of(ours, agent, differences, &b);
        compare_texts(replay->recording->name, "JSON log", buf_str(&a), buf_str(&b));
    }
    json_decref(ours);
}

/* Profile lines are in random order in the reference, and avatars are of the configuration. */
static json_t *comparable_broadcast(const Replay *replay, Str line)
{
    json_t *json = json_loadb(line.bytes, line.len, 0, NULL);
    size_t i;
    json_t *agent;

    assert_non_null(json);
    json_object_del(json, "id");
    json_object_del(json, "timestamp");
    json_array_foreach (json_object_get(json, "agents"), i, agent) {
        json_object_del(agent, "profile");
        json_object_del(agent, "avatar");
        if (seat_in(replay->gone, (SeatNo)(i + 1))) /* false from when it is noticed on */
            json_object_del(agent, "is_alive");
    }
    if (strcmp(text_of(json, "event"), "開始") == 0)
        json_object_del(json, "message");
    return json;
}

static void compare_realtime(const Replay *replay)
{
    Str expected = buf_str(&replay->recording->realtime);
    Str got = buf_str(&replay->realtime);
    unsigned line = 1;

    for (; expected.len || got.len; line++) {
        Str a = str_cut(&expected, '\n');
        Str b = str_cut(&got, '\n');
        if (!a.len || !b.len)
            fail_msg("%s, realtime, line %u:\nexpected %.*s\ngot      %.*s",
                     replay->recording->name, line, STR_ARG(a), STR_ARG(b));
        json_t *one = comparable_broadcast(replay, a);
        json_t *two = comparable_broadcast(replay, b);
        if (!json_equal(one, two))
            fail_msg("%s, realtime, line %u:\nexpected %.*s\ngot      %.*s",
                     replay->recording->name, line, STR_ARG(a), STR_ARG(b));
        json_decref(one);
        json_decref(two);
    }
}

/* ---- replaying ---- */

static void read_config(Replay *replay, const char *set, int64_t rejoin_ms)
{
    char path[512];
    Err err = {0};

    snprintf(path, sizeof(path), "%s/nlp-wire/%s.config.yml", getenv("WARG_TEST_DATA"), set);
    if (config_load(path, NULL, NULL, NULL, &replay->config, &err))
        fail_msg("%s: %s", path, err.msg);
    snprintf(replay->folder, sizeof(replay->folder), "/tmp/warg-golden-XXXXXX");
    assert_non_null(mkdtemp(replay->folder));
    Config *config = replay->config;
    config->game_logger = config->json_logger = (ConfigLogger){true, replay->folder, "{game_id}"};
    config->realtime.enable = false;
    config->rejoin_ms = rejoin_ms;
    config->strict = true; /* the reference's ways, where they are called quirks */
    bool older = strncmp(set, "next-", 5) != 0;
    for (int kind = 0; kind < 2; kind++) {
        TalkRules *talk = kind ? &config->rules.whisper : &config->rules.talk;
        talk->empty_is_final = older;                                 /* [V] 5.2 */
        talk->force_skip_is_free = true;                              /* [Q] 10.3 */
        talk->length.mention = older ? MENTION_LOWEST : MENTION_SEAT; /* [V], [Q] 5.3 */
    }
}

static void begin(Replay *replay, Buf *setting)
{
    TableSeat seats[SEAT_MAX + 1] = {0};
    const Recording *recording = replay->recording;
    const Config *config = replay->config;
    Err err = {0};

    nlp_setting_write(&config->rules, config->agent_count, config->role_named, config->action_ms,
                      config->response_ms, setting);
    for (SeatNo seat = 1; seat <= recording->seat_count; seat++) {
        replay->queues[seat].packets = json_array();
        replay->profiles[seat] = (ConfigProfile){.name = str_of(recording->names[seat]),
                                                 .text = str_of(recording->profiles[seat])};
        seats[seat] = (TableSeat){.peer = &replay->queues[seat],
                                  .original = str_of(recording->originals[seat]),
                                  .role = recording->roles[seat],
                                  .profile = &replay->profiles[seat]};
    }
    TableSetup setup = {.config = config,
                        .setting = buf_str(setting),
                        .seats = seats,
                        .count = recording->seat_count,
                        .id = STR("01JZ0000000000000000000000"),
                        .chance = chance_from_script(script, replay),
                        .unix_ms = 1795296000000,
                        .out = {.send = on_send,
                                .drop = on_drop,
                                .note = on_note,
                                .broadcast = on_broadcast,
                                .user = replay},
                        .scratch = &replay->scratch};
    if (nlp_table_new(&setup, &replay->table, &err))
        fail_msg("%s: %s", recording->name, err.msg);
    nlp_table_begin(replay->table, 0);
}

static void play_record(Replay *replay, size_t at, unsigned differences)
{
    const Recorded *record = &replay->recording->records[at];

    switch (record->kind) {
    case RECORDED_SENT: {
        const json_t *packet = next_packet(replay, at);
        const char *request = text_of(record->packet, "request");
        if (!packet)
            fail_msg("%s, record %zu: %s to %s was never sent", replay->recording->name, at,
                     text_of(record->packet, "request"),
                     replay->recording->originals[record->seat]);
        compare_packets(replay, at, record->packet, packet, differences);
        if (is_ballot(record->packet))
            notice_closed(replay, record->seat);
        if (strstr(request, "PHASE_"))
            replay->said_count[record->seat] = 0;
        if (strstr(request, "PHASE_"))
            replay->in_session[record->seat] = strstr(request, "START") != NULL;
        break;
    }
    case RECORDED_REPLY:
        if (replay->given[at])
            break;
        if (replay->in_session[record->seat])
            queue_utterance(replay, record->seat, at);
        else
            nlp_table_message(replay->table, record->seat, str_of(record->text), replay->now);
        break;
    case RECORDED_CLOSE:
        replay->closed |= seat_bit(record->seat);
        break;
    case RECORDED_OPEN:
        break;
    }
}

/* The exchange of names at the connection is the hall's. */
static bool is_greeting(const Recording *recording, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (recording->records[i].kind == RECORDED_SENT &&
            json_object_get(recording->records[i].packet, "info"))
            return false;
    const Recorded *record = &recording->records[at];
    return record->kind != RECORDED_SENT || !json_object_get(record->packet, "info");
}

static void replay_free(Replay *replay)
{
    for (SeatNo seat = 1; seat <= replay->recording->seat_count; seat++)
        json_decref(replay->queues[seat].packets);
    nlp_table_free(replay->table);
    nlp_table_scratch_done(&replay->scratch);
    DIR *dir = opendir(replay->folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", replay->folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(replay->folder);
    config_free(replay->config);
    recording_free(replay->recording);
    buf_done(&replay->realtime);
    mem_free(replay->given);
}

static SeatSet seats_without_finish(const Recording *recording)
{
    SeatSet seats = seat_all(recording->seat_count);

    for (size_t i = 0; i < recording->count; i++)
        if (recording->records[i].kind == RECORDED_SENT &&
            strcmp(text_of(recording->records[i].packet, "request"), "FINISH") == 0)
            seats &= ~seat_bit(recording->records[i].seat);
    return seats;
}

/* Begins the game and plays its records while `go_on` says so (NULL: all). */
static void play_kept(Replay *replay, const char *set, unsigned number, unsigned differences,
                      Buf *setting, bool (*go_on)(const Replay *replay, const Recorded *record),
                      int64_t rejoin_ms)
{
    char name[64];
    bool greeting = true;

    *replay = (Replay){0};
    snprintf(name, sizeof(name), "%s-%02u", set, number);
    replay->recording = recording_read(name);
    replay->given = mem_new(replay->recording->count * sizeof(*replay->given));
    assert_non_null(replay->given);
    replay->gone = seats_without_finish(replay->recording);
    read_config(replay, set, rejoin_ms);
    begin(replay, setting);
    for (size_t i = 0; i < replay->recording->count; i++) {
        greeting = greeting && is_greeting(replay->recording, i);
        if (greeting)
            continue;
        if (go_on && !go_on(replay, &replay->recording->records[i]))
            return;
        play_record(replay, i, differences);
    }
}

/* The same, where nobody comes back, as in the recordings. */
static void play(Replay *replay, const char *set, unsigned number, unsigned differences,
                 Buf *setting, bool (*go_on)(const Replay *replay, const Recorded *record))
{
    play_kept(replay, set, number, differences, setting, go_on, 0);
}

static void replay_game(const char *set, unsigned number, unsigned differences)
{
    CLEANUP(buf_done) Buf setting = {0};
    Replay replay;

    play(&replay, set, number, differences, &setting, NULL);
    notice_closed(&replay, SEAT_MAX + 1);
    if (!nlp_table_over(replay.table))
        fail_msg("%s-%02u: the game is not over", set, number);
    for (SeatNo seat = 1; seat <= replay.recording->seat_count; seat++)
        if (!seat_in(replay.gone, seat) &&
            replay.queues[seat].next != json_array_size(replay.queues[seat].packets))
            fail_msg("%s-%02u: seat %u was sent more than was recorded", set, number, seat);
    compare_game_log(&replay, differences);
    compare_json_log(&replay, differences);
    if (!(differences & ERRORED_WOLF))
        compare_realtime(&replay);
    replay_free(&replay);
}

typedef struct GoldenSet {
    const char *name;
    unsigned games;
    unsigned differences;
} GoldenSet;

static void replay_sets(const GoldenSet *sets)
{
    const char *only = getenv("GOLDEN_ONLY");

    for (; sets->name; sets++)
        for (unsigned game = 1; game <= sets->games; game++)
            if (!only || strcmp(only, sets->name) == 0)
                replay_game(sets->name, game, sets->differences);
}

static void games_of_the_later_server_are_played_again_packet_by_packet(void **state)
{
    static const GoldenSet sets[] = {
        {"next-05p-turn", 2, 0},
        {"next-09p-turn", 1, 0},
        {"next-13p-turn", 1, 0},
        {"next-05p-pertalk", 1, 0},
        {"next-05p-free", 4, 0},
        {"next-09p-free", 2, 0},
        {"next-13p-free", 1, 0},
        {"next-05p-free-limits", 2, 0},
        {"next-05p-free-leave", 1, 0},
        {"next-05p-free-cut", 1, 0},
        {0},
    };

    (void)state;
    replay_sets(sets);
}

static void games_of_the_older_server_are_played_again_but_for_known_differences(void **state)
{
    enum { OLD = REMAIN_COUNT | TALK_INDEX };
    static const GoldenSet sets[] = {
        {"05p-plain", 6, OLD},    {"09p-plain", 4, OLD},  {"13p-plain", 3, OLD},
        {"13p-teams", 2, OLD},    {"05p-limits", 4, OLD}, {"05p-words", 3, OLD},
        {"05p-peragent", 3, OLD}, {"09p-strict", 3, OLD}, {"05p-badvotes", 3, OLD},
        {"05p-recover", 2, OLD},  {"05p-novote", 2, OLD}, {"05p-silent", 2, OLD | ERRORED_WOLF},
        {"05p-leave", 2, OLD},    {"05p-cut", 2, OLD},    {0},
    };

    (void)state;
    replay_sets(sets);
}

/* The first NAME after the greetings. */
static size_t health_check(const Recording *recording)
{
    for (size_t i = 0; i < recording->count; i++)
        if (!is_greeting(recording, i) && recording->records[i].kind == RECORDED_SENT &&
            !json_object_get(recording->records[i].packet, "info"))
            return i;
    fail_msg("%s: no health check", recording->name);
    return 0;
}

/* [Q] 6.2: the reference takes a late reply for the answer to NAME, and the seat is lost. Plays
 * until the request was sent that is answered late. */
static bool until_late_request(const Replay *replay, const Recorded *record)
{
    size_t check = health_check(replay->recording);
    size_t at = check - 1;

    while (replay->recording->records[at].seat != replay->recording->records[check].seat ||
           replay->recording->records[at].kind != RECORDED_SENT)
        at--;
    return record <= &replay->recording->records[at];
}

static void a_late_reply_does_not_cost_the_seat(void **state)
{
    (void)state;
    for (unsigned game = 1; game <= 2; game++) {
        CLEANUP(buf_done) Buf setting = {0};
        Replay replay;

        play(&replay, "05p-late", game, REMAIN_COUNT | TALK_INDEX, &setting, until_late_request);
        SeatNo seat = replay.recording->records[health_check(replay.recording)].seat;
        nlp_table_tick(replay.table, nlp_table_deadline(replay.table)); /* the logs are written */
        nlp_table_tick(replay.table, nlp_table_deadline(replay.table));
        TimeUs now = nlp_table_deadline(replay.table) - 1;
        nlp_table_message(replay.table, seat, STR("far too late"), now);
        assert_int_equal(nlp_table_chair(replay.table, seat)->counts.strays, 1);
        nlp_table_message(replay.table, seat, str_of(replay.recording->originals[seat]), now);
        assert_false(nlp_table_chair(replay.table, seat)->state == CHAIR_OUT);
        assert_int_equal(nlp_table_chair(replay.table, seat)->counts.failures, 1);
        replay_free(&replay);
    }
}

static void a_table_that_everybody_has_left_waits_for_them(void **state)
{
    (void)state;
    CLEANUP(buf_done) Buf setting = {0};
    Replay replay;
    NlpGame look;

    play_kept(&replay, "05p-late", 1, REMAIN_COUNT | TALK_INDEX, &setting, until_late_request,
              60000);
    replay.config->abort_at = 5;
    nlp_table_look(replay.table, &look);
    uint16_t day = look.day;
    for (SeatNo seat = 1; seat <= 5; seat++)
        nlp_table_gone(replay.table, seat, replay.now);
    assert_false(nlp_table_over(replay.table));
    for (int times = 0; times < 5; times++) { /* its program breaks and starts anew */
        assert_true(nlp_table_rejoin(replay.table, 1, &replay.queues[1], replay.now));
        assert_false(nlp_table_over(replay.table));
        nlp_table_gone(replay.table, 1, replay.now);
    }
    nlp_table_look(replay.table, &look);
    assert_in_range(look.day, day, day + 5);
    assert_true(nlp_table_chair(replay.table, 1)->state == CHAIR_OUT);
    assert_false(nlp_table_rejoin(replay.table, 1, &replay.queues[1], replay.now));
    assert_true(nlp_table_rejoin(replay.table, 2, &replay.queues[2], replay.now));
    nlp_table_gone(replay.table, 2, replay.now);
    while (!nlp_table_over(replay.table)) {
        TimeUs next = nlp_table_deadline(replay.table);
        assert_true(next > replay.now && next != TIME_US_NEVER);
        replay.now = next;
        nlp_table_tick(replay.table, next);
    }
    assert_true(nlp_table_aborted(replay.table));
    replay_free(&replay);
}

/* [Q] 4.2: when the day has decided the end, the reference runs one more phase of the night. */
static bool until_over(const Replay *replay, const Recorded *record)
{
    return !nlp_table_over(replay->table) || record->kind != RECORDED_SENT ||
           strcmp(text_of(record->packet, "request"), "DAILY_FINISH") == 0;
}

static void an_abort_ends_the_game_before_the_night(void **state)
{
    (void)state;
    for (unsigned game = 1; game <= 2; game++) {
        CLEANUP(buf_done) Buf setting = {0};
        Replay replay;

        play(&replay, "05p-abort", game, REMAIN_COUNT | TALK_INDEX, &setting, until_over);
        notice_closed(&replay, SEAT_MAX + 1);
        assert_true(nlp_table_over(replay.table));
        assert_true(nlp_table_aborted(replay.table));
        assert_string_equal(text_of(replay.recording->log, "win_side"), "NONE");
        replay_free(&replay);
    }
}

/* [V] 5.3: A makes Over of every text when only per_talk is limited. */
static bool until_first_talk_is_heard(const Replay *replay, const Recorded *record)
{
    (void)replay;
    return record->kind != RECORDED_SENT ||
           json_array_size(json_object_get(record->packet, "talk_history")) == 0;
}

static void a_text_is_not_lost_when_only_its_own_length_is_limited(void **state)
{
    (void)state;
    for (unsigned game = 1; game <= 3; game++) {
        CLEANUP(buf_done) Buf setting = {0};
        Replay replay;

        play(&replay, "05p-pertalk", game, REMAIN_COUNT | TALK_INDEX, &setting,
             until_first_talk_is_heard);
        const TalkLog *talk = game_view(nlp_table_game(replay.table), 1)->talk;
        assert_true(talk->count > 0);
        assert_false(talk->items[0].over);
        replay_free(&replay);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_the_later_server_are_played_again_packet_by_packet),
        cmocka_unit_test(games_of_the_older_server_are_played_again_but_for_known_differences),
        cmocka_unit_test(a_late_reply_does_not_cost_the_seat),
        cmocka_unit_test(a_table_that_everybody_has_left_waits_for_them),
        cmocka_unit_test(an_abort_ends_the_game_before_the_night),
        cmocka_unit_test(a_text_is_not_lost_when_only_its_own_length_is_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
