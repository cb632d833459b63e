#include "serve/server_extras.h"

#include "base/key.h"
#include "base/mem.h"
#include "nlp/dynamic_profiles.h"
#include "nlp/notice_text.h"
#include "nlp/notifier.h"
#include "nlp/speech.h"
#include "serve/server.h"

#define FLUSH_MS 3000

/* Characters that are asked for, and then those of a running game. */
typedef struct Cast {
    struct Cast *next;
    Extras *extras;
    uint32_t number; /* of the match, while they are asked for */
    char id[27];     /* of the game, then */
    DynamicProfiles *profiles;
} Cast;

/* An utterance whose sound a game waits for. */
typedef struct Sound {
    struct Sound *next;
    Extras *extras;
    char id[27];
} Sound;

struct Extras {
    Server *server;
    Loop *loop;
    const Config *config;
    KeyRoot root; /* of the hall's key */
    HttpClient *http;
    Notifier *notifier;
    Speech *speech;
    Cast *casts;
    Sound *sounds;
    bool ended;
};

static void note_line(void *user, Str line)
{
    const Extras *extras = user;

    server_say(extras->server, line);
}

int extras_new(Server *server, Loop *loop, const Config *config, const Key *key, TimeUs now,
               Extras **ret_extras, Err *err)
{
    Extras *extras = mem_new(sizeof(*extras));
    int rc = 0;

    if (!extras)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    *extras = (Extras){.server = server, .loop = loop, .config = config, .root = key_root(key)};
    if (config->notifier.enable || config->speech.enable || config->dynamic.enable)
        rc = http_client_new(loop, &extras->http, err);
    if (rc == 0 && config->notifier.enable)
        rc = notifier_new(loop_alarms(loop), extras->http, &config->notifier, note_line, extras,
                          &extras->notifier, err);
    if (rc == 0 && config->speech.enable)
        rc = speech_new(loop, extras->http, &config->speech, note_line, extras, &extras->speech,
                        err);
    if (rc) {
        extras_free(extras);
        return rc;
    }
    if (extras->notifier)
        notifier_say(extras->notifier, NOTICE_MILESTONE, STR("the server has started"), now);
    *ret_extras = extras;
    return 0;
}

Extras *extras_free(Extras *extras)
{
    if (!extras)
        return NULL;
    while (extras->casts) {
        Cast *cast = extras->casts;
        extras->casts = cast->next;
        dynamic_profiles_free(cast->profiles);
        mem_free(cast);
    }
    notifier_free(extras->notifier);
    speech_free(extras->speech);
    http_client_free(extras->http);
    while (extras->sounds) {
        Sound *sound = extras->sounds;
        extras->sounds = sound->next;
        mem_free(sound);
    }
    return mem_free(extras);
}

/* ---- speech ---- */

static void on_spoken(void *user, TimeUs now)
{
    Sound *sound = user;
    Extras *extras = sound->extras;
    Sound **at = &extras->sounds;
    NlpHall *hall = server_hall(extras->server);

    while (*at != sound)
        at = &(*at)->next;
    *at = sound->next;
    nlp_hall_go_on(hall, str_of(sound->id), server_time(extras->server, now));
    mem_free(sound);
    server_heard(extras->server);
}

bool extras_utterance(Extras *extras, Str game_id, const ConfigProfile *speaker, Str text,
                      TimeUs now)
{
    Sound *sound = extras->speech ? mem_new(sizeof(*sound)) : NULL;

    if (!sound)
        return false;
    *sound = (Sound){.next = extras->sounds, .extras = extras};
    snprintf(sound->id, sizeof(sound->id), "%.*s", STR_ARG(game_id));
    if (!speech_say(extras->speech, game_id, text, speaker ? speaker->voice_id : -1, now, on_spoken,
                    sound)) {
        mem_free(sound);
        return false;
    }
    extras->sounds = sound;
    return true;
}

/* ---- characters ---- */

static void drop_cast(Extras *extras, Cast *cast)
{
    Cast **at = &extras->casts;

    while (*at != cast)
        at = &(*at)->next;
    *at = cast->next;
    dynamic_profiles_free(cast->profiles);
    mem_free(cast);
}

static void on_characters(void *user, const ConfigProfile *profiles, const Err *err, TimeUs now)
{
    Cast *cast = user;
    Extras *extras = cast->extras;

    if (!profiles) {
        CLEANUP(buf_done) Buf line = {0};
        buf_printf(&line, "characters of the configuration are taken: %s", err->msg);
        note_line(extras, buf_str(&line));
    }
    nlp_hall_characters(server_hall(extras->server), cast->number, profiles,
                        server_time(extras->server, now), cast->id);
    if (!profiles || !cast->id[0])
        drop_cast(extras, cast);
    server_heard(extras->server);
}

bool extras_characters(Extras *extras, uint32_t number, SeatNo count)
{
    Cast *cast = extras->http ? mem_new(sizeof(*cast)) : NULL;
    Err err = {0};
    Key avatars = key_derive_number(&extras->root, STR("avatars"), number);
    DynamicPlan plan = {.config = &extras->config->dynamic,
                        .encoding = extras->config->encoding,
                        .encoding_count = extras->config->encoding_count,
                        .agent_count = count,
                        .seed = key_seed(&avatars)};

    if (!cast)
        return false;
    *cast = (Cast){.next = extras->casts, .extras = extras, .number = number};
    if (dynamic_profiles_begin(extras->loop, extras->http, &plan, on_characters, cast,
                               &cast->profiles, &err)) {
        note_line(extras, str_of(err.msg));
        mem_free(cast);
        return false;
    }
    extras->casts = cast;
    return true;
}

void extras_game(Extras *extras, Str game_id, bool over, TimeUs now)
{
    if (extras->speech && !over)
        speech_game_begin(extras->speech, game_id, now);
    if (extras->speech && over) {
        speech_game_end(extras->speech, game_id, now);
        for (Sound **at = &extras->sounds; *at;) { /* their `done` is not called any more */
            Sound *sound = *at;
            if (!str_eq(str_of(sound->id), game_id)) {
                at = &sound->next;
                continue;
            }
            *at = sound->next;
            mem_free(sound);
        }
    }
    for (Cast *cast = extras->casts; over && cast; cast = cast->next)
        if (str_eq(str_of(cast->id), game_id)) {
            drop_cast(extras, cast);
            return;
        }
}

/* ---- notices ---- */

void extras_notice(Extras *extras, ConfigNotice what, Str text, TimeUs now)
{
    if (extras->notifier)
        notifier_say(extras->notifier, what, text, now);
}

void extras_progress(Extras *extras, TimeUs now)
{
    CLEANUP(buf_done) Buf waiting = {0};
    CLEANUP(buf_done) Buf totals = {0};
    const NlpHall *hall = server_hall(extras->server);

    if (!extras->notifier)
        return;
    NlpCounts counts = nlp_hall_counts(hall);
    notice_waiting(hall, &waiting);
    notice_totals(hall, &totals);
    notifier_progress(extras->notifier, counts.games_begun - counts.games_aborted - counts.games,
                      counts.games, buf_str(&totals), buf_str(&waiting), now);
}

static void on_flushed(void *user)
{
    Extras *extras = user;

    extras->ended = true;
}

void extras_end(Extras *extras, Str text, TimeUs now)
{
    if (!extras->notifier) {
        extras->ended = true;
        return;
    }
    CLEANUP(buf_done) Buf all = {0};
    buf_printf(&all, "%.*s", STR_ARG(text));
    notice_totals(server_hall(extras->server), &all);
    notice_unknown(server_hall(extras->server), &all);
    notifier_say(extras->notifier, NOTICE_MILESTONE, buf_str(&all), now);
    notifier_flush(extras->notifier, FLUSH_MS, on_flushed, extras, now);
}

bool extras_ended(const Extras *extras)
{
    return extras->ended;
}
