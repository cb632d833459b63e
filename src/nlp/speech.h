/* speech.h - speaks a game: utterances become a live playlist of sound per game.
 *
 * For:    serve/server.c; the web server gives the files out at /tts/GAME/playlist.m3u8.
 * Memory: a Speech owns its games; free it before its loop and its HttpClient.
 * Thread: the loop's. Nothing waits: engine and ffmpeg run beside the game, and every failure costs
 *         sound only.
 * Source: docs/spec/nlp-division.md 9.4: VOICEVOX-compatible engine, HLS version 3.
 *
 * In a game one utterance after the other is made into segments, in the order in which they were
 * said; its playlist lists them and is never shortened. After SPEECH_FAILURES_MAX failures in a row
 * nothing is spoken for SPEECH_SILENCE_MS, so that an engine that hangs does not delay a game again
 * and again.
 */
#ifndef WARG_NLP_SPEECH_H
#define WARG_NLP_SPEECH_H

#include "net/http_client.h"
#include "nlp/config.h"

#define SPEECH_QUEUE_MAX    32 /* utterances of a game that wait */
#define SPEECH_FAILURES_MAX 3
#define SPEECH_SILENCE_MS   60000
#define SPEECH_NOTICE_VOICE 23 /* speaks that a game begins and that it is over */

typedef struct Speech Speech;

/* A Speech; one that does nothing when it isn't enabled. Makes the folder of segments, and takes
 * the games of earlier runs out of it. `config` is borrowed for its life. `note` gets a line for
 * the server's log at the first of several failures; it may be NULL. Errors: ERR_IO, ERR_MEMORY. */
int speech_new(Loop *loop, HttpClient *http, const ConfigSpeech *config,
               void (*note)(void *user, Str line), void *user, Speech **ret_speech, Err *err);
/* Ends all playlists, what is not spoken yet stays away. Takes NULL, returns NULL. */
Speech *speech_free(Speech *speech);

/* A game begins: its folder, its playlist, the notice of its start. `game_id` is one that can be a
 * folder's name: letters, digits, '-' and '_'. */
void speech_game_begin(Speech *speech, Str game_id, TimeUs now);

/* Speaks `text` (copied) with the voice of a speaker of the engine; -1 = that of the notices. True:
 * `done` is called once, from the loop, when its sound is over, or when it is clear that there will
 * be none; the game waits for that. False: it isn't called and the game goes on, because speech is
 * `async` or off, `done` is NULL, or it can't be spoken. */
bool speech_say(Speech *speech, Str game_id, Str text, int32_t voice, TimeUs now,
                void (*done)(void *user, TimeUs now), void *user);

/* The game is over: what was said is still spoken, and the notice of its end; then its playlist
 * ends. No `done` of it is called any more. */
void speech_game_end(Speech *speech, Str game_id, TimeUs now);

/* No utterance waits or is being made. */
bool speech_idle(const Speech *speech);

#endif
