#include "serve/serve_guests.h"

#include "base/digest.h"
#include "base/id_source.h"
#include "base/rng.h"
#include "seat/nlp_call.h"
#include "thinker/model_bots.h"
#include "wire/jwt.h"

#include <time.h>

#define GUESTS_MAX   1024
#define SWEEP_US     1000000
#define PATIENCE_US  5000000 /* of a guest without a game */
#define FIRST_NUMBER 901     /* behind a team's name: its own agents count from 1 */
#define LAST_NUMBER  9999

typedef struct Guest {
    Guests *all;
    uint32_t number; /* from 1, in the order in which they were called */
    NlpCall *call;   /* NULL when its game is played again */
    NlpBot *bot;     /* then */
    ModelAgent *agent;
    Buf name;
    Buf token;
    Buf url;
    TimeUs came;
    struct Guest *next;
} Guest;

struct Guests {
    GuestsSetup setup;
    Loop *loop;
    ModelBots models;
    Timer *timer;
    Buf url;
    char secret[ID_HEX_BYTES]; /* by which the server knows them, when their moves are kept */
    Guest *first;
    Guest *left; /* when games are played again: their answers were for those */
    uint32_t count;
    uint32_t number;    /* of the last who came */
    ModelCounts counts; /* of those who have gone */
};

static Guest *guest_free(Guest *guest)
{
    nlp_call_free(guest->call);
    nlp_bot_free(guest->bot);
    model_agent_free(guest->agent);
    buf_done(&guest->name);
    buf_done(&guest->token);
    buf_done(&guest->url);
    return mem_free(guest);
}

static void say_line(const Guests *guests, const char *what, const char *why)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "%s: %s", what, why);
    if (guests->setup.note && !buf_failed(&line))
        guests->setup.note(guests->setup.user, buf_str(&line));
}

/* ---- what they do when ---- */

static void note_move(const Guest *guest, HallMoveKind kind, TimeUs at)
{
    hall_moves_add(guest->all->setup.moves,
                   &(HallMove){.kind = kind, .guest = guest->number, .at = at});
}

static void on_hears(void *user, NlpCall *call, TimeUs at)
{
    (void)call;
    note_move(user, GUEST_HEARS, at);
}

static void on_moves(void *user, ModelMove move, TimeUs now)
{
    note_move(user, move == MODEL_THINKS ? GUEST_THINKS : GUEST_DECIDES, now);
}

uint32_t guests_number_of(const Guests *guests, Str words)
{
    uint64_t number = 0;
    const Str secret = str_of(guests->secret);

    if (!secret.len || words.len <= secret.len ||
        !digest_equal(str_part(words, 0, secret.len), secret) ||
        !str_to_uint(str_part(words, secret.len, words.len), guests->number, &number))
        return 0;
    return (uint32_t)number;
}

/* ---- who has gone ---- */

static bool in_game(const Guest *guest)
{
    NlpRequest last = nlp_bot_last(nlp_call_bot(guest->call));

    return last != NLP_REQUEST_COUNT && last != NLP_NAME;
}

static bool has_gone(const Guest *guest, TimeUs now)
{
    if (nlp_call_state(guest->call) == NLP_CALL_OVER)
        return true;
    return !in_game(guest) && now - guest->came > PATIENCE_US;
}

static void sweep_guests(Guests *guests, TimeUs now)
{
    for (Guest **at = &guests->first; *at;) {
        Guest *guest = *at;
        Err err = {0};
        if (!has_gone(guest, now)) {
            at = &guest->next;
            continue;
        }
        if (nlp_call_result(guest->call, &err))
            say_line(guests, buf_cstr(&guest->name), err.msg);
        if (nlp_call_state(guest->call) != NLP_CALL_OVER)
            nlp_call_hang_up(guest->call);
        model_agent_count(guest->agent, &guests->counts);
        note_move(guest, GUEST_LEAVES, now);
        *at = guest->next;
        guest_free(guest);
        guests->count--;
    }
}

static void on_timer(void *user, TimeUs now)
{
    Guests *guests = user;

    sweep_guests(guests, now);
    if (guests->first)
        timer_at(guests->timer, now + SWEEP_US, false);
}

/* ---- who comes ---- */

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    const Guest *guest = user;
    const GuestsSetup *setup = &guest->all->setup;

    if (guest->call)
        nlp_call_answer(guest->call, ask, answer);
    else
        setup->says(setup->user, guest->number, nlp_bot_reply(guest->bot, ask, answer));
}

/* "model-a", "model-b" ... "model-ba": a team of its own for each, none of which ends in a digit.
 */
static void name_guest(const Guests *guests, Str team, Buf *name)
{
    char letters[8];
    size_t count = 0;
    uint32_t number = guests->number;

    if (team.len) {
        buf_add(name, team);
        buf_add_uint(name, FIRST_NUMBER + number % (LAST_NUMBER - FIRST_NUMBER));
        return;
    }
    do {
        letters[count++] = (char)('a' + number % 26);
        number /= 26;
    } while (number && count < sizeof(letters));
    buf_add(name, STR("model-"));
    while (count)
        buf_add_char(name, letters[--count]);
    buf_add_char(name, '1');
}

static int sign_token(const Guests *guests, Str name, Buf *token, Err *err)
{
    JwtClaims claims = {.role = "PLAYER"};
    Str team = nlp_team_of(name);

    if (!guests->setup.secret_key.len)
        return 0;
    if (team.len >= sizeof(claims.team))
        return err_set(err, ERR_LIMIT, "the team's name is too long for a token");
    memcpy(claims.team, team.bytes, team.len);
    return jwt_make(&claims, guests->setup.date() / 1000, guests->setup.secret_key, token, err);
}

/* It connects; or its packets come from who plays its game again. */
static int connect_guest(Guests *guests, Guest *guest, uint64_t seed, Err *err)
{
    buf_add(&guest->url, buf_str(&guests->url));
    if (guests->secret[0])
        buf_printf(&guest->url, "&guest=%s%u", guests->secret, guest->number);
    const NlpCallPlan plan = {
        .bot = {.thinker = model_agent_thinker(),
                .thinker_user = guest->agent,
                .name = buf_cstr(&guest->name),
                .seed = seed},
        .url = buf_cstr(&guest->url),
        .token = guest->token.len ? buf_cstr(&guest->token) : NULL,
        .games = 1,
        .events = {.hears = on_hears},
        .user = guest,
    };

    if (buf_failed(&guest->url))
        return err_set(err, ERR_MEMORY, "out of memory");
    return guests->loop ? nlp_call_new(guests->loop, &plan, &guest->call, err)
                        : nlp_bot_new(&plan.bot, &guest->bot, err);
}

static int call_guest(Guests *guests, Str team, TimeUs now, Err *err)
{
    Guest *guest = mem_new(sizeof(*guest));
    const KeyRoot root = key_root(&guests->setup.key);
    const Key own = key_derive_number(&root, STR("guest"), guests->number);
    uint64_t seed = key_seed(&own);

    if (!guest)
        return err_set(err, ERR_MEMORY, "out of memory");
    guest->all = guests;
    guest->came = now;
    name_guest(guests, team, &guest->name);
    guest->number = ++guests->number;
    int rc = sign_token(guests, buf_str(&guest->name), &guest->token, err);
    if (rc == 0 && (buf_failed(&guest->name) || buf_failed(&guest->token)))
        rc = err_set(err, ERR_MEMORY, "out of memory");
    if (rc == 0)
        rc = model_bots_add(&guests->models, buf_cstr(&guest->name), seed, on_answer, guest,
                            &guest->agent, err);
    if (rc == 0)
        rc = connect_guest(guests, guest, seed, err);
    if (rc) {
        guest_free(guest);
        return rc;
    }
    guest->next = guests->first;
    guests->first = guest;
    guests->count++;
    return 0;
}

void guests_call(Guests *guests, Str team, uint32_t count, TimeUs now)
{
    Err err = {0};
    int rc = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = guests->count < GUESTS_MAX
                 ? call_guest(guests, team, now, &err)
                 : err_set(&err, ERR_LIMIT, "there are %d already", GUESTS_MAX);
    if (rc)
        say_line(guests, "no language model comes", err.msg);
    if (guests->timer)
        timer_at(guests->timer, now + SWEEP_US, true);
}

void guests_count(const Guests *guests, ModelCounts *counts)
{
    counts->decisions += guests->counts.decisions;
    counts->by_model += guests->counts.by_model;
    counts->by_demo += guests->counts.by_demo;
    counts->by_rule += guests->counts.by_rule;
    counts->hurried += guests->counts.hurried;
    if (guests->counts.trouble[0])
        memcpy(counts->trouble, guests->counts.trouble, sizeof(counts->trouble));
    for (const Guest *guest = guests->first; guest; guest = guest->next)
        model_agent_count(guest->agent, counts);
}

/* ---- the object ---- */

void guests_set_port(Guests *guests, uint16_t port)
{
    const char *host = guests->setup.host;
    bool any = strcmp(host, "*") == 0 || strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0 ||
               host[0] == '\0';
    bool six = !any && strchr(host, ':') != NULL;

    buf_clear(&guests->url);
    buf_printf(&guests->url, "ws://%s%s%s:%u/ws?bids=1", six ? "[" : "", any ? "127.0.0.1" : host,
               six ? "]" : "", port);
}

int guests_new(Loop *loop, const GuestsSetup *setup, Guests **ret_guests, Err *err)
{
    Guests *guests = mem_new(sizeof(*guests));

    if (!guests)
        return err_set(err, ERR_MEMORY, "guests: out of memory");
    guests->setup = *setup;
    guests->loop = loop;
    guests->models.setup.language = setup->language;
    guests->models.record = setup->record;
    guests->models.record_prompts = setup->record_prompts;
    guests->models.answers = setup->answers;
    guests->models.budget = setup->budget;
    guests->models.prices = setup->prices;
    guests->models.tell = setup->note;
    guests->models.tell_user = setup->user;
    if (setup->moves)
        guests->models.setup.moves = on_moves;
    guests->models.opinions = setup->opinions;
    int rc = model_bots_open(loop, setup->spec, &guests->models, err);
    if (rc == 0 && setup->moves)
        rc = id_source_hex(&(IdSource){0}, guests->secret, err);
    if (rc == 0 && loop)
        rc = timer_new(loop, on_timer, guests, &guests->timer, err);
    if (rc) {
        guests_free(guests);
        return rc;
    }
    *ret_guests = guests;
    return 0;
}

static void free_all(Guest **first)
{
    while (*first) {
        Guest *guest = *first;
        *first = guest->next;
        guest_free(guest);
    }
}

Guests *guests_free(Guests *guests)
{
    if (!guests)
        return NULL;
    free_all(&guests->first);
    free_all(&guests->left);
    timer_free(guests->timer);
    model_bots_done(&guests->models);
    buf_done(&guests->url);
    return mem_free(guests);
}

static bool is_wolf(const void *user, Str name)
{
    const NlpGame *game = user;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (str_eq(game->seats[seat].name, name))
            return game->seats[seat].role == ROLE_WEREWOLF;
    return false;
}

void guests_record(const Guests *guests, const NlpGame *game, SeatNo seat, SeatRecord *own)
{
    const Str name = game->seats[seat].original;
    const Guest *guest = guests->first;
    ModelCounts counts = {0};

    /* Agents of others may have any name: also that of one who plays elsewhere. */
    while (guest && !(str_eq(buf_str(&guest->name), name) &&
                      str_eq(model_agent_game(guest->agent), game->id)))
        guest = guest->next;
    if (!guest)
        return;
    model_agent_score(guest->agent, is_wolf, game); /* it may not have heard the end yet */
    model_agent_count(guest->agent, &counts);
    own->kind = SEAT_MODEL;
    own->model = counts.endpoint ? str_of(llm_endpoint_model(counts.endpoint)) : STR("demo");
    own->model = str_part(own->model, 0, MODEL_NAME_MAX);
    own->decisions = counts.decisions;
    own->own = counts.by_model + counts.by_demo;
    own->figures = counts.figures;
}

/* ---- games that are played again ---- */

static Guest *guest_of(const Guests *guests, uint32_t number, Err *err)
{
    Guest *guest = guests->first;

    while (guest && guest->number != number)
        guest = guest->next;
    if (!guest)
        err_set(err, ERR_RULE, "no model %u was called: this is not the same game", number);
    return guest;
}

int guests_hear(Guests *guests, uint32_t number, Str packet, TimeUs at, Err *err)
{
    Guest *guest = guest_of(guests, number, err);
    Str reply = {0};

    if (!guest)
        return ERR_RULE;
    if (!packet.len) {
        nlp_bot_connected(guest->bot);
        return 0;
    }
    int rc = nlp_bot_packet(guest->bot, packet, at, &reply, err);
    if (rc == 0 && reply.len)
        guests->setup.says(guests->setup.user, number, reply);
    return rc;
}

int guests_move(Guests *guests, uint32_t number, ModelMove move, TimeUs at, Err *err)
{
    Guest *guest = guest_of(guests, number, err);

    if (!guest)
        return ERR_RULE;
    model_agent_move(guest->agent, move, at);
    return model_agent_replayed(guest->agent, false, err);
}

int guests_leave(Guests *guests, uint32_t number, Err *err)
{
    Guest *guest = guest_of(guests, number, err);
    Guest **at = &guests->first;

    if (!guest)
        return ERR_RULE;
    while (*at != guest)
        at = &(*at)->next;
    *at = guest->next;
    guest->next = guests->left;
    guests->left = guest;
    guests->count--;
    model_agent_count(guest->agent, &guests->counts);
    return 0;
}

int guests_replayed(const Guests *guests, Err *err)
{
    const Guest *const lists[] = {guests->first, guests->left};
    int rc = 0;

    for (size_t i = 0; i < 2; i++)
        for (const Guest *guest = lists[i]; guest && rc == 0; guest = guest->next)
            rc = model_agent_replayed(guest->agent, true, err);
    return rc;
}
