/* hls.h - the text of a live playlist, and the length of a piece of sound as ffprobe tells it.
 *
 * For:    nlp/speech.c. Pure.
 * Memory: appends to the caller's Buf; a playlist only grows.
 * Thread: any.
 * Source: RFC 8216 (HTTP Live Streaming), protocol version 3; docs/spec/nlp-division.md 9.4.
 */
#ifndef WARG_NLP_HLS_H
#define WARG_NLP_HLS_H

#include "base/buf.h"

/* No sound is longer. */
#define HLS_LENGTH_MAX_US ((int64_t)3600 * 1000000)

/* The head of a playlist, of type EVENT: nothing is ever taken out of it. */
void hls_begin(Buf *playlist, int64_t target_ms);
/* One more segment; each has timestamps of its own, so each begins a discontinuity (4.3.2.3). */
void hls_add(Buf *playlist, Str name, int64_t length_us);
/* No further segment comes. */
void hls_end(Buf *playlist);

/* The length in what ffprobe printed: a line of its own, seconds in decimal digits ("1.536000").
 * The last such line counts, for warnings come in front. False when there is none, or it is 0 or
 * over HLS_LENGTH_MAX_US. */
bool hls_length(Str printed, int64_t *ret_us);

#endif
