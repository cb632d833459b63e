/* speech_files.h - folders and files of the speech output.
 *
 * For:    nlp/speech.c, nlp/speech_work.c.
 * Memory: none kept.
 * Thread: any; small files, written at once.
 * Source: docs/spec/nlp-division.md 9.4.
 */
#ifndef WARG_NLP_SPEECH_FILES_H
#define WARG_NLP_SPEECH_FILES_H

#include "base/buf.h"
#include "base/err.h"

#define SPEECH_PLAYLIST "playlist.m3u8"

/* Makes a folder and those above it. Errors: ERR_IO. */
int speech_folder_make(const char *path, Err *err);

/* Takes the games of earlier runs out of the folder of segments: from each folder in it playlist
 * and segments, then the folder itself when nothing else was in it. Other files stay, for a mistake
 * in a configuration must not delete somebody's home. Links are not followed. Errors: ERR_IO. */
int speech_folder_empty(const char *path, Err *err);

/* A new file with these bytes; one that is there already is an error. Errors: ERR_IO. */
int speech_file_new(const char *path, Str bytes, Err *err);

/* Puts a file in the place of `path` so that a reader sees the old one or the new one. Errors:
 * ERR_IO, ERR_MEMORY. */
int speech_file_replace(const char *path, Str bytes, Err *err);

#endif
