/* An utterance:
 *
 *   WAITING --> WORKING --> OVER --> gone
 *
 *   WAITING -> WORKING [pump]     the one before it in its game was made
 *   WORKING -> OVER    [on_work]  its segments are in the playlist, or it failed
 *   OVER    -> gone    [on_over]  its sound has ended; `done` is called
 *
 * Without `done` it goes as soon as it is OVER. A game is freed when it is ending and none of its
 * utterances waits or works. */
#include "nlp/speech.h"

#include "nlp/hls.h"
#include "nlp/speech_files.h"
#include "nlp/speech_work.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#define GAME_ID_MAX 64

typedef enum UtteranceState { WAITING, WORKING, OVER } UtteranceState;

typedef struct SpokenGame SpokenGame;

typedef struct Utterance {
    struct Utterance *next; /* in the game, as they were said */
    SpokenGame *game;
    UtteranceState state;
    Buf text;
    int32_t voice;
    Timer *over; /* NULL without `done` */
    void (*done)(void *user, TimeUs now);
    void *user;
} Utterance;

struct SpokenGame {
    SpokenGame *next;
    Speech *speech;
    Buf id;
    Buf folder;
    Buf playlist;
    Utterance *utterances;
    SpeechWork *work;
    uint32_t number;   /* of the next utterance */
    TimeUs sound_over; /* of what is in the playlist, if it is heard at once */
    bool ending;
};

struct Speech {
    Loop *loop;
    HttpClient *http;
    const ConfigSpeech *config;
    void (*note)(void *user, Str line);
    void *user;
    SpokenGame *games;
    Buf temp; /* a folder of ours; empty = speech is off */
    uint32_t failures;
    TimeUs silent_until;
};

/* ---- trouble ---- */

static void note_failure(Speech *speech, Str game_id, const Err *err, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};

    speech->failures++;
    if (speech->failures >= SPEECH_FAILURES_MAX)
        speech->silent_until = now + (TimeUs)SPEECH_SILENCE_MS * 1000;
    if (!speech->note || speech->failures != 1)
        return;
    buf_printf(&line, "no sound in game %.*s: %s", STR_ARG(game_id), err->msg);
    speech->note(speech->user, buf_str(&line));
}

static bool is_silent(const Speech *speech, TimeUs now)
{
    return now < speech->silent_until;
}

/* ---- playlists ---- */

static void write_playlist(SpokenGame *game, TimeUs now)
{
    CLEANUP(buf_done) Buf path = {0};
    Err err = {0};

    buf_printf(&path, "%s/%s", buf_cstr(&game->folder), SPEECH_PLAYLIST);
    if (buf_failed(&path) || buf_failed(&game->playlist))
        err_set(&err, ERR_MEMORY, "playlist: out of memory");
    else
        speech_file_replace(buf_cstr(&path), buf_str(&game->playlist), &err);
    if (err.code)
        note_failure(game->speech, buf_str(&game->id), &err, now);
}

static void publish_sound(SpokenGame *game, const SpeechSound *sound, TimeUs now)
{
    for (uint32_t i = 0; i < sound->count; i++)
        hls_add(&game->playlist, str_of(sound->segments[i].name), sound->segments[i].length_us);
    write_playlist(game, now);
    game->sound_over = (game->sound_over > now ? game->sound_over : now) + sound->length_us;
}

/* ---- utterances ---- */

static Utterance *find_state(const SpokenGame *game, UtteranceState state)
{
    for (Utterance *each = game->utterances; each; each = each->next) {
        if (each->state == state)
            return each;
    }
    return NULL;
}

static uint32_t waiting_count(const SpokenGame *game)
{
    uint32_t count = 0;

    for (const Utterance *each = game->utterances; each; each = each->next)
        count += each->state == WAITING;
    return count;
}

static void utterance_free(Utterance *utterance)
{
    Utterance **at = &utterance->game->utterances;

    while (*at != utterance)
        at = &(*at)->next;
    *at = utterance->next;
    timer_free(utterance->over);
    buf_done(&utterance->text);
    mem_free(utterance);
}

static void on_over(void *user, TimeUs now)
{
    Utterance *utterance = user;
    void (*done)(void *user, TimeUs now) = utterance->done;
    void *done_user = utterance->user;

    utterance_free(utterance);
    done(done_user, now); /* may free all */
}

/* It was made, or not; its sound ends at `when`. */
static void utterance_over(Utterance *utterance, TimeUs when)
{
    utterance->state = OVER;
    if (utterance->done)
        timer_at(utterance->over, when, false);
    else
        utterance_free(utterance);
}

/* ---- games ---- */

static void on_work(void *user, const SpeechSound *sound, const Err *err, TimeUs now);

static int start_utterance(SpokenGame *game, Utterance *utterance, Err *err)
{
    Speech *speech = game->speech;
    CLEANUP(buf_done) Buf temp = {0};
    SpeechOrder order = {
        .folder = buf_cstr(&game->folder),
        .number = game->number,
        .text = buf_str(&utterance->text),
        .voice = utterance->voice,
    };

    buf_printf(&temp, "%s/%s-%u", buf_cstr(&speech->temp), buf_cstr(&game->id), game->number);
    if (buf_failed(&temp))
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    order.temp = buf_cstr(&temp);
    int rc = speech_work_begin(speech->loop, speech->http, speech->config, &order, on_work, game,
                               &game->work, err);
    if (!rc) {
        utterance->state = WORKING;
        game->number++;
    }
    return rc;
}

static void game_free(SpokenGame *game)
{
    SpokenGame **at = &game->speech->games;

    while (*at != game)
        at = &(*at)->next;
    *at = game->next;
    game->work = speech_work_free(game->work);
    while (game->utterances)
        utterance_free(game->utterances);
    buf_done(&game->id);
    buf_done(&game->folder);
    buf_done(&game->playlist);
    mem_free(game);
}

static void end_playlist(SpokenGame *game, TimeUs now)
{
    hls_end(&game->playlist);
    write_playlist(game, now);
}

/* Begins what waits; frees the game when all of it is over. */
static void pump_queue(SpokenGame *game, TimeUs now)
{
    Utterance *next;

    while (!game->work && (next = find_state(game, WAITING))) {
        Err err = {0};

        if (is_silent(game->speech, now)) {
            utterance_over(next, 0);
        } else if (start_utterance(game, next, &err)) {
            note_failure(game->speech, buf_str(&game->id), &err, now);
            utterance_over(next, 0);
        }
    }
    if (game->ending && !game->work) {
        end_playlist(game, now);
        game_free(game);
    }
}

static void on_work(void *user, const SpeechSound *sound, const Err *err, TimeUs now)
{
    SpokenGame *game = user;
    Utterance *utterance = find_state(game, WORKING);

    assert(utterance); /* work is begun for one, and it stays until here */
    if (sound) {
        game->speech->failures = 0;
        publish_sound(game, sound, now);
    } else {
        note_failure(game->speech, buf_str(&game->id), err, now);
    }
    game->work = speech_work_free(game->work);
    utterance_over(utterance, sound ? game->sound_over : 0);
    pump_queue(game, now);
}

static SpokenGame *find_game(const Speech *speech, Str id)
{
    for (SpokenGame *game = speech->games; game; game = game->next) {
        if (str_eq(buf_str(&game->id), id))
            return game;
    }
    return NULL;
}

static bool is_folder_name(Str id)
{
    for (size_t i = 0; i < id.len; i++) {
        char c = id.bytes[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return id.len > 0 && id.len <= GAME_ID_MAX;
}

/* ---- from outside ---- */

static Utterance *utterance_new(SpokenGame *game, Str text, int32_t voice)
{
    Utterance *utterance = mem_new(sizeof(*utterance));
    Utterance **at = &game->utterances;

    if (!utterance)
        return NULL;
    utterance->game = game;
    utterance->voice = voice >= 0 ? voice : SPEECH_NOTICE_VOICE;
    buf_add(&utterance->text, text);
    while (*at)
        at = &(*at)->next;
    *at = utterance;
    return utterance;
}

static bool say_utterance(SpokenGame *game, Str text, int32_t voice, TimeUs now,
                          void (*done)(void *user, TimeUs now), void *user)
{
    Utterance *utterance = utterance_new(game, text, voice);
    Err err = {0};

    if (!utterance)
        return false;
    int rc = buf_failed(&utterance->text) ? err_set(&err, ERR_MEMORY, "speech: out of memory") : 0;
    if (!rc && done)
        rc = timer_new(game->speech->loop, on_over, utterance, &utterance->over, &err);
    if (!rc && !game->work)
        rc = start_utterance(game, utterance, &err);
    if (rc) {
        note_failure(game->speech, buf_str(&game->id), &err, now);
        utterance_free(utterance);
        return false;
    }
    utterance->done = done;
    utterance->user = user;
    return done;
}

bool speech_say(Speech *speech, Str game_id, Str text, int32_t voice, TimeUs now,
                void (*done)(void *user, TimeUs now), void *user)
{
    SpokenGame *game = find_game(speech, game_id);

    if (!game || game->ending || !str_trim(text).len || is_silent(speech, now) ||
        waiting_count(game) >= SPEECH_QUEUE_MAX)
        return false;
    return say_utterance(game, text, voice, now, speech->config->async ? NULL : done, user);
}

void speech_game_begin(Speech *speech, Str game_id, TimeUs now)
{
    Err err = {0};

    if (!speech->temp.len || find_game(speech, game_id))
        return;
    if (!is_folder_name(game_id)) {
        err_set(&err, ERR_RULE, "its id can't be a folder's name");
        note_failure(speech, STR("?"), &err, now);
        return;
    }
    SpokenGame *game = mem_new(sizeof(*game));
    if (!game)
        return;
    game->speech = speech;
    game->next = speech->games;
    speech->games = game;
    buf_add(&game->id, game_id);
    buf_printf(&game->folder, "%s/%.*s", speech->config->segment_dir, STR_ARG(game_id));
    if (buf_failed(&game->id) || buf_failed(&game->folder) ||
        speech_folder_make(buf_cstr(&game->folder), &err)) {
        note_failure(speech, game_id, &err, now);
        game_free(game);
        return;
    }
    hls_begin(&game->playlist, speech->config->target_ms);
    write_playlist(game, now); /* a viewer may be there before the first sound */
    if (!is_silent(speech, now))
        say_utterance(game, STR("ゲームを開始します。"), SPEECH_NOTICE_VOICE, now, NULL, NULL);
}

void speech_game_end(Speech *speech, Str game_id, TimeUs now)
{
    SpokenGame *game = find_game(speech, game_id);

    if (!game || game->ending)
        return;
    for (Utterance *each = game->utterances; each;) {
        Utterance *next = each->next;

        each->done = NULL;
        if (each->state == OVER)
            utterance_free(each);
        each = next;
    }
    if (!is_silent(speech, now))
        say_utterance(game, STR("ゲームが終了しました。"), SPEECH_NOTICE_VOICE, now, NULL, NULL);
    game->ending = true;
    pump_queue(game, now);
}

bool speech_idle(const Speech *speech)
{
    for (const SpokenGame *game = speech->games; game; game = game->next) {
        if (game->work)
            return false;
    }
    return true;
}

/* ---- beginning and end ---- */

static int make_temp(Speech *speech, Err *err)
{
    const char *parent = speech->config->temp_dir;

    if (!parent || !parent[0])
        parent = getenv("TMPDIR");
    if (!parent || !parent[0])
        parent = "/tmp";
    int rc = speech_folder_make(parent, err);
    if (rc)
        return rc;
    buf_printf(&speech->temp, "%s/warg-speech-XXXXXX", parent);
    if (buf_failed(&speech->temp))
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    if (mkdtemp(speech->temp.bytes))
        return 0;
    buf_done(&speech->temp);
    return err_set(err, ERR_IO, "temporary folder in '%s': %s", parent, strerror(errno));
}

int speech_new(Loop *loop, HttpClient *http, const ConfigSpeech *config,
               void (*note)(void *user, Str line), void *user, Speech **ret_speech, Err *err)
{
    Speech *speech = mem_new(sizeof(*speech));
    int rc = 0;

    if (!speech)
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    speech->loop = loop;
    speech->http = http;
    speech->config = config;
    speech->note = note;
    speech->user = user;
    if (config->enable) {
        rc = speech_folder_make(config->segment_dir, err);
        if (!rc)
            rc = speech_folder_empty(config->segment_dir, err);
        if (!rc)
            rc = make_temp(speech, err);
    }
    if (rc) {
        speech_free(speech);
        return rc;
    }
    *ret_speech = speech;
    return 0;
}

Speech *speech_free(Speech *speech)
{
    if (!speech)
        return NULL;
    while (speech->games) {
        end_playlist(speech->games, 0); /* nothing is spoken any more */
        game_free(speech->games);
    }
    if (speech->temp.len)
        rmdir(buf_cstr(&speech->temp));
    buf_done(&speech->temp);
    return mem_free(speech);
}
