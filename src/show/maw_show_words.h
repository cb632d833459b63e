/* maw_show_words.h - the sentences of a session that is shown, in both languages.
 *
 * For:    maw_show.c; what maw_course.h says is not here.
 * Memory: constant.
 * Thread: pure.
 * Source: docs/spec/models.md 4.8.
 */
#ifndef WARG_SHOW_MAW_SHOW_WORDS_H
#define WARG_SHOW_MAW_SHOW_WORDS_H

#include "base/str.h"

/* With what stands in {0}, {1}, ... */
typedef enum ShowWord {
    SHOW_SESSION,
    SHOW_ROUND,    /* number */
    SHOW_DAY,      /* number */
    SHOW_NIGHT,    /* number */
    SHOW_HEAD,     /* the session's name, players, rounds */
    SHOW_HEAD_ONE, /* likewise, of one round */
    SHOW_SEED,     /* seed */
    SHOW_COMMA,    /* between names */
    SHOW_WITH,     /* name, role */
    SHOW_WOLF,     /* behind the names: one */
    SHOW_WOLVES,   /* number */
    SHOW_WAS,      /* name, role */
    SHOW_LEFT,     /* name, as most from here on */
    SHOW_JOINED,
    SHOW_LEFT_LOBBY,
    SHOW_ABSENT,
    SHOW_BACK,
    SHOW_EXPIRED,
    SHOW_KICKED,
    SHOW_POINTS,     /* name, role, end, points, points in all */
    SHOW_LOBBY_LINE, /* name, text */
    SHOW_WHISPER,    /* from, to */
    SHOW_SAYING,     /* text, behind who says it */
    SHOW_ASKS,       /* who, whom */
    SHOW_STOPS,      /* the operator */
    SHOW_ENDS_PHASE,
    SHOW_PAUSES,
    SHOW_RESUMES,
    SHOW_EXTENDS, /* seconds */
    SHOW_LINK,    /* state */
    SHOW_RESUMED,
    SHOW_RESUMED_AT, /* time */
    SHOW_KIND,       /* name, kind */
    SHOW_MODEL,      /* name, kind, model, server */
    SHOW_DROPPED,    /* number, name */
    SHOW_CUT_OFF,    /* line */
    SHOW_WORDS,
} ShowWord;

const char *maw_show_word(ShowWord word, bool japanese);

/* A word of the record for people: why a session ended, how somebody did ("executed"), how a link
 * is ("down"). As it stands where there is none. */
Str maw_show_record_word(Str text, bool japanese);

#endif
