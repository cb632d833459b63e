#include "serve/nlp_replay.h"

#include "base/mem.h"
#include "nlp/hall.h"
#include "serve/serve_guests.h"

/* Texts on their way: one behind the other, each with a zero byte at its end. */
typedef struct Mail {
    Buf texts;
    size_t read;
} Mail;

typedef struct Line {
    struct Line *next;
    uint32_t number; /* of the connection, from 1 */
    uint32_t guest;  /* 0: an agent of others */
    NlpAgent *agent; /* NULL: closed */
    Mail to;         /* a guest that has not heard it yet */
    Mail from;
} Line;

typedef struct Replay {
    const NlpReplaySetup *setup;
    HallMoves *moves;
    NlpHall *hall;
    Guests *guests;
    ResultJournal *results;
    Line *lines; /* the latest first */
    TimeUs now;
    int64_t zero_ms;
} Replay;

/* ---- texts ---- */

static void mail_put(Mail *mail, Str text)
{
    buf_add(&mail->texts, text);
    buf_add_char(&mail->texts, '\0');
}

/* False when none is under way; borrowed until the next is put. */
static bool mail_take(Mail *mail, Str *ret_text)
{
    Str rest = str_part(buf_str(&mail->texts), mail->read, mail->texts.len);

    if (!rest.len || buf_failed(&mail->texts))
        return false;
    *ret_text = str_cut(&rest, '\0');
    mail->read += ret_text->len + 1;
    return true;
}

static void line_free(Line *line)
{
    buf_done(&line->to.texts);
    buf_done(&line->from.texts);
    mem_free(line);
}

static Line *line_of(const Replay *replay, uint32_t number)
{
    Line *line = replay->lines;

    while (line && line->number != number)
        line = line->next;
    return line;
}

static Line *line_of_guest(const Replay *replay, uint32_t guest)
{
    Line *line = replay->lines;

    while (line && line->guest != guest)
        line = line->next;
    return line;
}

/* ---- what the hall does ---- */

static void on_send(void *peer, Str text)
{
    Line *line = peer;

    if (line->guest)
        mail_put(&line->to, text);
}

static void on_close(void *peer, NlpClose code, const char *reason)
{
    Line *line = peer;

    (void)code, (void)reason;
    line->agent = NULL;
}

static void on_note(void *user, Str line)
{
    const Replay *replay = user;
    const DoorWords *words = &replay->setup->words;

    if (!replay->setup->quiet)
        words->say(words->user, line);
}

static void on_notice(void *user, ConfigNotice what, Str text)
{
    (void)user, (void)what, (void)text;
}

static void on_guests(void *user, Str team, SeatNo count)
{
    const Replay *replay = user;

    guests_call(replay->guests, team, count, replay->now);
}

static void on_seat(void *user, const NlpGame *game, SeatNo seat, SeatRecord *own)
{
    const Replay *replay = user;

    guests_record(replay->guests, game, seat, own);
}

static void on_says(void *user, uint32_t number, Str text)
{
    const Replay *replay = user;
    Line *line = line_of_guest(replay, number);

    if (line)
        mail_put(&line->from, text);
}

/* ---- moves ---- */

static int come_in(Replay *replay, const HallMove *move, Err *err)
{
    Line *line = mem_new(sizeof(*line));
    int rc = 0;

    if (!line)
        return err_set(err, ERR_MEMORY, "out of memory");
    line->number = move->of;
    line->guest = move->guest;
    line->next = replay->lines;
    replay->lines = line;
    if (move->guest) /* its connection has come */
        rc = guests_hear(replay->guests, move->guest, (Str){0}, move->at, err);
    if (rc == 0)
        rc = nlp_hall_opened(replay->hall, line, move->token,
                             move->address.len ? move->address.bytes : "", move->at, &line->agent,
                             err);
    if (rc == 0 && move->bids)
        nlp_hall_takes_bids(line->agent);
    return rc;
}

static int say_text(Replay *replay, const HallMove *move, Err *err)
{
    Line *line = line_of(replay, move->of);
    Str text = move->text;

    if (!line)
        return err_set(err, ERR_SYNTAX, "connection %u has not come", move->of);
    if (line->guest && !mail_take(&line->from, &text))
        return err_set(err, ERR_RULE,
                       "model %u said something then, and does not now: this is not the same game",
                       line->guest);
    NlpAgent *agent = line->agent;
    if (!agent)
        return 0;
    if (move->refused) {
        line->agent = NULL;
        nlp_hall_closed(replay->hall, agent, move->at);
    } else {
        nlp_hall_message(replay->hall, agent, text, move->at);
    }
    return 0;
}

static void hang_up(Replay *replay, const HallMove *move)
{
    Line *line = line_of(replay, move->of);
    NlpAgent *agent = line ? line->agent : NULL;

    if (!agent)
        return;
    line->agent = NULL;
    nlp_hall_closed(replay->hall, agent, move->at);
}

static int hear_packet(Replay *replay, const HallMove *move, Err *err)
{
    Line *line = line_of_guest(replay, move->guest);
    Str packet = {0};

    if (!line || !mail_take(&line->to, &packet))
        return err_set(
            err, ERR_RULE,
            "model %u was told something then, and is not now: this is not the same game",
            move->guest);
    return guests_hear(replay->guests, move->guest, packet, move->at, err);
}

static void set_clock(Replay *replay, int64_t zero_ms)
{
    replay->zero_ms = zero_ms;
    if (replay->hall)
        nlp_hall_set_clock(replay->hall, zero_ms);
}

static int make_move(Replay *replay, const HallMove *move, Err *err)
{
    replay->now = move->at;
    switch (move->kind) {
    case HALL_CLOCK:
        set_clock(replay, move->unix_ms);
        return 0;
    case HALL_CAME:
        return come_in(replay, move, err);
    case HALL_SAID:
        return say_text(replay, move, err);
    case HALL_GONE:
        hang_up(replay, move);
        return 0;
    case HALL_TICK:
        nlp_hall_tick(replay->hall, move->at);
        return 0;
    case HALL_DRAIN:
        nlp_hall_drain(replay->hall, move->at);
        return 0;
    case HALL_ABORT:
        nlp_hall_abort(replay->hall, move->at);
        return 0;
    case GUEST_HEARS:
        return hear_packet(replay, move, err);
    case GUEST_THINKS:
        return guests_move(replay->guests, move->guest, MODEL_THINKS, move->at, err);
    case GUEST_DECIDES:
        return guests_move(replay->guests, move->guest, MODEL_DECIDES, move->at, err);
    case GUEST_LEAVES:
        return guests_leave(replay->guests, move->guest, err);
    case HALL_GAME: /* the hall has its id already */
    case HALL_OTHER:
        return 0;
    }
    return 0;
}

/* An error that tells of a file tells of the models' own; any other is of this one. */
static int make_moves(Replay *replay, Err *err)
{
    HallMove move;

    while (hall_moves_next(replay->moves, &move)) {
        Err own = {0};
        int rc = make_move(replay, &move, &own);
        if (rc && str_starts(str_of(own.msg), str_of(replay->setup->answers)))
            return err_set(err, rc, "%s", own.msg);
        if (rc)
            return err_set(err, rc, "%s:%u: %s", hall_moves_name(replay->moves), move.line,
                           own.msg);
    }
    return guests_replayed(replay->guests, err);
}

/* ---- life ---- */

/* Of the journal: its dates are of a day on which nothing happens. */
static int64_t no_date(void)
{
    return 0;
}

static int open_hall(Replay *replay, Err *err)
{
    const NlpReplaySetup *setup = replay->setup;
    const Config *config = setup->config;
    const HallMovesHead *head = hall_moves_head(replay->moves);
    const ConfigLogger *logger = config->game_logger.enable   ? &config->game_logger
                                 : config->json_logger.enable ? &config->json_logger
                                                              : NULL;
    HallMove first = {0};
    int rc = logger ? result_journal_open(logger->output_dir, &config->rules, no_date,
                                          &replay->results, err)
                    : 0;

    if (rc)
        return rc;
    if (!hall_moves_next(replay->moves, &first) || first.kind != HALL_CLOCK)
        return err_set(err, ERR_SYNTAX, "%s:2: expected the date", hall_moves_name(replay->moves));
    set_clock(replay, first.unix_ms);
    const NlpHallSetup hall = {.config = config,
                               .out = {.send = on_send,
                                       .close = on_close,
                                       .note = on_note,
                                       .notice = on_notice,
                                       .guests = on_guests,
                                       .seat = on_seat,
                                       .user = replay},
                               .unix_ms_at_zero = replay->zero_ms,
                               .key = head->key,
                               .ids = {.told = hall_moves_ids(replay->moves)},
                               .fill = head->fill,
                               .fill_after = head->fill_after,
                               .games = head->games,
                               .results = replay->results};
    return nlp_hall_new(&hall, &replay->hall, err);
}

static int open_replay(Replay *replay, Err *err)
{
    const NlpReplaySetup *setup = replay->setup;
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/" NLP_MOVES_FILE, setup->answers);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "out of memory");
    int rc = hall_moves_load(buf_cstr(&path), &replay->moves, err);
    if (rc)
        return rc;
    if (hall_moves_others(replay->moves))
        return err_set(err, ERR_RULE,
                       "%s: an operator, speech output or characters of a model had a part in "
                       "these games, which is kept nowhere: they can't be played again",
                       buf_cstr(&path));
    const KeyRoot root = key_root(&hall_moves_head(replay->moves)->key);
    const GuestsSetup guests = {.spec = setup->spec,
                                .host = "",
                                .key = key_derive(&root, STR("guests")),
                                .answers = setup->answers,
                                .says = on_says,
                                .note = on_note,
                                .user = replay};
    rc = guests_new(NULL, &guests, &replay->guests, err);
    return rc ? rc : open_hall(replay, err);
}

static void replay_done(Replay *replay)
{
    nlp_hall_free(replay->hall);
    result_journal_free(replay->results);
    guests_free(replay->guests);
    hall_moves_free(replay->moves);
    while (replay->lines) {
        Line *line = replay->lines;
        replay->lines = line->next;
        line_free(line);
    }
}

/* What the server's last words were. */
static int tell_end(const Replay *replay)
{
    const DoorWords *words = &replay->setup->words;
    const NlpCounts counts = nlp_hall_counts(replay->hall);
    CLEANUP(buf_done) Buf text = {0};
    ModelCounts models = {0};

    guests_count(replay->guests, &models);
    buf_printf(&text, "played again: %llu games; guests: ", (unsigned long long)counts.games_begun);
    model_counts_write(&models, &text);
    if (!buf_failed(&text))
        words->say(words->user, str_trim(buf_str(&text)));
    return (int)model_counts_status(&models);
}

int nlp_replay(const NlpReplaySetup *setup, Err *err)
{
    CLEANUP(replay_done) Replay replay = {.setup = setup};

    setup->config->authentication = false; /* who was let in is in the file */
    setup->config->realtime.enable = false;
    int rc = open_replay(&replay, err);
    if (rc == 0)
        rc = make_moves(&replay, err);
    return rc ? rc : tell_end(&replay);
}
