/* speech_work.h - makes segments of sound out of one utterance: speech engine, ffmpeg, ffprobe.
 *
 * For:    nlp/speech.c.
 * Memory: a SpeechWork owns what it started; free it before its loop and its HttpClient.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 9.4; how the configured arguments are put between file names is
 *         that of the reference, so that its configuration files work: `-i IN ARGS OUT`, for pieces
 *         `-i IN -ss START -t LENGTH ARGS OUT`, for lengths `ARGS FILE`.
 *
 *   QUERY --> SYNTHESIS --> LENGTH --> WHOLE ------> MEASURE --> done
 *                              \-----> PREPARE --> SPLIT --> MEASURE --> SPLIT ... --> done
 *
 *   QUERY, SYNTHESIS   the engine is asked, each within config->timeout
 *   LENGTH             ffprobe measures the whole sound; from here on all of it within the timeout
 *   WHOLE              it is not longer than a segment
 *   PREPARE, SPLIT     it is, and is cut
 *   MEASURE            ffprobe measures a segment
 */
#ifndef WARG_NLP_SPEECH_WORK_H
#define WARG_NLP_SPEECH_WORK_H

#include "net/http_client.h"
#include "nlp/config.h"

#define SPEECH_SEGMENTS_MAX 1024 /* of one utterance */
#define SPEECH_TEXT_MAX     3000 /* bytes; what is longer is cut */

typedef struct SpeechWork SpeechWork;

typedef struct SpeechSegment {
    char name[40]; /* "segment_3.ts", "segment_3_0.ts" */
    int64_t length_us;
} SpeechSegment;

typedef struct SpeechSound {
    const SpeechSegment *segments; /* borrowed until speech_work_free */
    uint32_t count;
    int64_t length_us; /* of all */
} SpeechSound;

/* Texts are borrowed for the call. */
typedef struct SpeechOrder {
    const char *folder; /* of the game */
    const char *temp;   /* a path in a folder of ours; ".wav" and ".aac" are put behind it */
    uint32_t number;    /* of the utterance in the game */
    Str text;
    int32_t voice;
} SpeechOrder;

/* `done` is called once, from the loop, with the sound or with NULL and an error, and with the time
 * then; it may free the work. Errors: ERR_USAGE for a host that is no URL, ERR_MEMORY. */
int speech_work_begin(Loop *loop, HttpClient *http, const ConfigSpeech *config,
                      const SpeechOrder *order,
                      void (*done)(void *user, const SpeechSound *sound, const Err *err,
                                   TimeUs now),
                      void *user, SpeechWork **ret_work, Err *err);

/* Stops it; `done` is not called any more. Takes NULL, returns NULL. */
SpeechWork *speech_work_free(SpeechWork *work);

#endif
