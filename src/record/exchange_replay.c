#include "record/exchange_replay.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "lang/lang.h"
#include "record/aiwolf_log.h"
#include "wire/aiwolf_packet.h"

#define SENTENCE_BYTES ((size_t)4 << 20) /* for one; touched only as far as needed */
#define SHOWN_MAX      100               /* bytes of a line in a reason */

/* What a seat was sent, for a listener. */
typedef struct Sent {
    AiwolfCursor cursor;
    bool gone; /* or never there */
} Sent;

typedef struct Replay {
    const Ruleset *rules;
    const ExchangeListener *listener; /* NULL: nobody listens */
    ExchangeReader reader;
    ExchangeEntry entry; /* the next, while !reader.over */
    Game *game;
    AiwolfLogWriter writer;
    Buf *log;      /* what the game writes */
    bool compares; /* `log` is emptied again and again, and has to be the front of `left` */
    Str left;      /* of the log that is compared */
    unsigned log_line;
    Arena sentence;
    Buf storage;
    Buf request;
    Sent sent[SEAT_MAX + 1];
    bool told_game;
    EndReason reason; /* by which the game ended */
    ExchangeFinding *finding;
} Replay;

/* ---- what is wrong ---- */

static int differ(Replay *replay, ExchangeFile file, unsigned line, const Buf *reason)
{
    *replay->finding = (ExchangeFinding){.file = file, .line = line};
    snprintf(replay->finding->reason, sizeof(replay->finding->reason), "%s", buf_cstr(reason));
    return ERR_RULE;
}

static int differ_here(Replay *replay, const char *what)
{
    CLEANUP(buf_done) Buf reason = {0};

    buf_printf(&reason, "%s", what);
    return differ(replay, EXCHANGE_FILE_RECORD, replay->reader.line, &reason);
}

/* A text that can't be read is a finding; no memory is an error. */
static int judge_error(Replay *replay, const Err *found, Err *err)
{
    if (found->code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", found->msg);
    return differ_here(replay, found->msg);
}

/* ---- the log ---- */

static void add_shown(Buf *out, Str line)
{
    buf_add_char(out, '\'');
    utf8_add_printable(line, SHOWN_MAX, out);
    buf_add_char(out, '\'');
}

static int differ_in_log(Replay *replay, Str line)
{
    CLEANUP(buf_done) Buf reason = {0};
    Str there;

    if (aiwolf_log_cut_line(&replay->left, &there)) {
        add_shown(&reason, there);
        buf_add(&reason, STR(", but by key and exchange record, read up to its line "));
    } else {
        buf_add(&reason, STR("the log ends here, but by key and exchange record, read up to its "
                             "line "));
    }
    buf_printf(&reason, "%u, it is ", replay->reader.line);
    add_shown(&reason, line);
    return differ(replay, EXCHANGE_FILE_LOG, replay->log_line, &reason);
}

/* What the game has written must be what comes next. */
static int compare_log(Replay *replay, Err *err)
{
    Str written = buf_str(replay->log);

    if (buf_failed(replay->log))
        return err_set(err, ERR_MEMORY, "replay: out of memory");
    while (replay->compares && written.len) {
        const size_t end =
            (size_t)((const char *)memchr(written.bytes, '\n', written.len) - written.bytes);
        const Str line = str_part(written, 0, end + 1);
        if (!str_starts(replay->left, line))
            return differ_in_log(replay, str_part(line, 0, end));
        replay->left = str_part(replay->left, line.len, replay->left.len);
        replay->log_line++;
        written = str_part(written, line.len, written.len);
    }
    if (replay->compares)
        buf_clear(replay->log);
    return 0;
}

/* ---- what agents are sent ---- */

static bool is_heard(const Replay *replay, SeatNo seat)
{
    return !replay->sent[seat].gone &&
           (replay->listener->only == SEAT_NONE || replay->listener->only == seat);
}

static void send_tell(Replay *replay, AiwolfRequest request)
{
    for (SeatNo seat = 1; seat <= replay->reader.header.seat_count; seat++) {
        if (!is_heard(replay, seat))
            continue;
        buf_clear(&replay->request);
        aiwolf_packet_write(request, false, game_view(replay->game, seat),
                            &replay->sent[seat].cursor, &replay->request);
        if (replay->listener->told)
            replay->listener->told(replay->listener->user, seat,
                                   str_trim(buf_str(&replay->request)));
    }
}

/* As table/table.c tells it. */
static void send_of_event(Replay *replay, const Event *event)
{
    if (event->kind == EVENT_NIGHT)
        send_tell(replay, AIWOLF_DAILY_FINISH);
    if (event->kind != EVENT_DAY)
        return;
    if (!replay->told_game)
        send_tell(replay, AIWOLF_INITIALIZE);
    replay->told_game = true;
    send_tell(replay, AIWOLF_DAILY_INITIALIZE);
}

static void tell_entry(Replay *replay, const Ask *ask)
{
    const ExchangeEntry *entry = &replay->entry;
    Sent *sent = &replay->sent[ask->seat];

    buf_clear(&replay->request);
    if (entry->lapse == EXCHANGE_OUT)
        sent->gone = true;
    if (is_heard(replay, ask->seat))
        aiwolf_packet_write(aiwolf_request_of_ask(ask->kind), ask->revote,
                            game_view(replay->game, ask->seat), &sent->cursor, &replay->request);
    if (entry->fault != FAULT_COUNT) /* of a lapse, or what ended the game */
        sent->gone = true;
    replay->listener->entry(replay->listener->user,
                            &(ExchangeAsked){.header = &replay->reader.header,
                                             .entry = entry,
                                             .line = replay->reader.line,
                                             .day = game_day(replay->game),
                                             .request = str_trim(buf_str(&replay->request))});
}

/* ---- the game ---- */

static int next_entry(Replay *replay, Err *err)
{
    Err found = {0};
    int rc = exchange_next(&replay->reader, &replay->entry, &found);

    return rc < 0 ? judge_error(replay, &found, err) : 0;
}

static int drain_events(Replay *replay, Err *err)
{
    Event event;

    while (game_next_event(replay->game, &event)) {
        if (event.kind == EVENT_END)
            replay->reason = event.reason;
        aiwolf_log_event(&replay->writer, &event, replay->log);
        if (replay->listener)
            send_of_event(replay, &event);
    }
    return compare_log(replay, err);
}

static int differ_in_ask(Replay *replay, const Ask *ask)
{
    CLEANUP(buf_done) Buf reason = {0};

    if (replay->reader.over)
        buf_add(&reason, STR("the record ends, but "));
    else
        buf_printf(&reason, "ask %u, seat %u, %s stands here, but ", replay->entry.ask,
                   replay->entry.seat, exchange_kind_name(replay->entry.kind));
    buf_printf(&reason, "by key and answers so far the game asks seat %u: %s, ask %u", ask->seat,
               exchange_kind_name(ask->kind), ask->number);
    return differ(replay, EXCHANGE_FILE_RECORD, replay->reader.line, &reason);
}

static void parse_answer(Replay *replay, Answer *answer)
{
    const Sentence *sentence = NULL;
    const bool speaks = answer->kind == ASK_TALK || answer->kind == ASK_WHISPER;

    if (!speaks || answer->lapse || answer->text.len == 0 || !replay->rules->talk.validate)
        return;
    arena_clear(&replay->sentence);
    answer->in_language = str_eq(answer->text, STR("Over")) || str_eq(answer->text, STR("Skip")) ||
                          lang_parse(answer->text, &replay->sentence, &sentence, NULL) == 0;
}

static int give_answer(Replay *replay, const Ask *ask, Err *err)
{
    Answer answer;

    exchange_read_answer(&replay->entry, &replay->storage, &answer);
    if (buf_failed(&replay->storage))
        return err_set(err, ERR_MEMORY, "replay: out of memory");
    parse_answer(replay, &answer);
    return game_answer(replay->game, ask->seat, &answer, err);
}

/* The asks that are open together; *ret_ended: the game was over before all were answered. */
static int answer_asks(Replay *replay, bool *ret_ended, Err *err)
{
    Ask asks[2 * SEAT_MAX];
    const size_t count = game_asks(replay->game, asks);
    int rc = 0;

    *ret_ended = false;
    if (count == 0 || asks[0].standing)
        return err_set(err, ERR_RULE, "rules with timed rooms have no exchange record");
    for (size_t i = 0; i < count && rc == 0; i++) {
        const ExchangeEntry *entry = &replay->entry;
        if (replay->reader.over || entry->ask != asks[i].number || entry->seat != asks[i].seat ||
            entry->kind != asks[i].kind)
            return differ_in_ask(replay, &asks[i]);
        /* Of who takes no bids none was asked. */
        if (replay->listener && (entry->lapse != EXCHANGE_NOTHING || entry->kind != ASK_BID))
            tell_entry(replay, &asks[i]);
        if (entry->lapse == EXCHANGE_ENDED)
            *ret_ended = true;
        else
            rc = give_answer(replay, &asks[i], err);
        if (rc == 0)
            rc = next_entry(replay, err);
    }
    return rc;
}

/* Both must have ended, in the same way. */
static int check_end(Replay *replay)
{
    const EndReason reason = replay->reason;
    CLEANUP(buf_done) Buf text = {0};

    if (!replay->reader.over)
        return differ_here(replay, "the game is over, but here is one more ask");
    if (replay->reader.reason != reason) {
        buf_printf(&text,
                   "the record says that the game ended by '%s'; by key and answers it is '%s'",
                   end_reason_name(replay->reader.reason), end_reason_name(reason));
        return differ(replay, EXCHANGE_FILE_RECORD, replay->reader.line, &text);
    }
    if (replay->compares && replay->left.len) {
        buf_add(&text, STR("the log goes on, but by key and exchange record the game is over"));
        return differ(replay, EXCHANGE_FILE_LOG, replay->log_line, &text);
    }
    return 0;
}

/* A game that is given up before anybody is asked: its set was forfeited before. */
static bool is_forfeit(const Replay *replay)
{
    return replay->reader.over && replay->reader.asks == 0 && replay->reader.reason == END_ABORTED;
}

static int play_on(Replay *replay, Err *err)
{
    bool ended = is_forfeit(replay);
    int rc = 0;

    if (ended)
        game_abort(replay->game);
    while (rc == 0) {
        rc = drain_events(replay, err);
        if (rc || game_over(replay->game))
            break;
        rc = answer_asks(replay, &ended, err);
        if (rc == 0 && ended)
            game_abort(replay->game);
    }
    if (rc == 0 && replay->listener)
        send_tell(replay, AIWOLF_FINISH);
    return rc;
}

static int begin_game(Replay *replay, const GameKey *key, Err *err)
{
    const ExchangeHeader *header = &replay->reader.header;
    char digest[SHA256_HEX_BYTES];
    GameSetup setup = {0};
    Err found = {0};
    int rc = exchange_rules_digest(replay->rules, digest, err);

    if (rc == 0 && strcmp(digest, header->rules) != 0)
        return differ_here(replay, "its rules are others: their digest differs");
    memcpy(setup.fixed, header->fixed, sizeof(setup.fixed));
    if (rc == 0 && (game_new(replay->rules, header->seat_count, &replay->game, &found) ||
                    game_start(replay->game, &setup, game_key_chance(key), &found)))
        return judge_error(replay, &found, err);
    aiwolf_log_begin(&replay->writer, header->seat_count, header->names);
    for (SeatNo seat = 1; seat <= header->seat_count; seat++)
        replay->sent[seat] =
            (Sent){.cursor = {.told_seed = header->told_seed}, .gone = seat_in(header->bots, seat)};
    return rc;
}

static int play_record(Replay *replay, Str record, const GameKey *key, Err *err)
{
    Err found = {0};
    int rc = exchange_open(record, &replay->reader, &found);

    replay->log_line = 1;
    replay->sentence = arena_new(SENTENCE_BYTES);
    if (rc)
        return judge_error(replay, &found, err);
    if (!replay->sentence.block)
        return err_set(err, ERR_MEMORY, "replay: out of memory");
    rc = begin_game(replay, key, err);
    if (rc == 0)
        rc = next_entry(replay, err);
    if (rc == 0)
        rc = play_on(replay, err);
    return rc ? rc : check_end(replay);
}

static void replay_done(Replay *replay)
{
    exchange_close(&replay->reader);
    game_free(replay->game);
    arena_done(&replay->sentence);
    buf_done(&replay->storage);
    buf_done(&replay->request);
}

static int run_replay(Replay *replay, Str record, const GameKey *key, ExchangeFinding *ret,
                      Err *err)
{
    Err own = {0};

    *ret = (ExchangeFinding){0};
    replay->finding = ret;
    replay->reason = END_ABORTED;
    int rc = play_record(replay, record, key, &own);
    ret->ok = rc == 0;
    replay_done(replay);
    return rc == 0 || ret->line ? 0 : err_set(err, own.code, "%s", own.msg);
}

int exchange_replay(Str record, const Ruleset *rules, const GameKey *key,
                    const ExchangeListener *listener, Buf *log, ExchangeFinding *ret, Err *err)
{
    Replay replay = {.rules = rules, .listener = listener, .log = log};

    return run_replay(&replay, record, key, ret, err);
}

int exchange_check(Str record, Str log, const Ruleset *rules, const GameKey *key,
                   ExchangeFinding *ret, Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};
    Replay replay = {.rules = rules, .log = &lines, .compares = true, .left = log};

    return run_replay(&replay, record, key, ret, err);
}
