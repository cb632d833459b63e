/* remark.h - what is said of a file that a team has handed in: a sentence that has a code and
 *            values, so that it can be said in the reader's language.
 *
 * For:    who refuses archives and versions, and who tells their teams: reports, pages, mails.
 * Memory: constant tables; a FileRemark's values are parts of its sentence.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 5, 7, 15.
 *
 *     REMARK_TWICE   "entry '{name}': is there twice"   the code "entry-twice", name = "a.py"
 *
 * The English sentence is what is stored and what crosses from process to process; who has it finds
 * its code and values by the table that it was written from. A sentence without a code is one of an
 * older program, or of another's, and is shown as it is.
 */
#ifndef WARG_ARCHIVE_REMARK_H
#define WARG_ARCHIVE_REMARK_H

#include "base/err.h"
#include "base/json.h"

#define REMARK_VALUES 3 /* at most */

typedef enum RemarkCode {
    /* of an archive's entries */
    REMARK_NAME_NONE,
    REMARK_NAME_UTF8,    /* name */
    REMARK_NUMBER_UTF8,  /* n: which entry */
    REMARK_NAME_CONTROL, /* name */
    REMARK_NAME_BACKSLASH,
    REMARK_NAME_ABSOLUTE,
    REMARK_NAME_LONG, /* name, n bytes */
    REMARK_PART_EMPTY,
    REMARK_PART_UP,
    REMARK_PART_DOT,
    REMARK_PART_LONG, /* name, n bytes */
    REMARK_DEEP,      /* name, n folders */
    REMARK_TWICE,
    REMARK_FILE_AND_FOLDER,
    REMARK_HARD_LINK,
    REMARK_SYMBOLIC_LINK,
    REMARK_LINK,
    REMARK_DEVICE,
    REMARK_NO_FILE,
    REMARK_CACHE,
    REMARK_ENCRYPTED,
    REMARK_DAMAGED, /* name, what */
    REMARK_RATIO,   /* name, n times */
    /* of the whole archive */
    REMARK_BYTES,   /* n */
    REMARK_ENTRIES, /* n */
    REMARK_ARCHIVE_ENCRYPTED,
    REMARK_ARCHIVE_DAMAGED, /* what */
    REMARK_EMPTY,
    REMARK_NO_ARCHIVE,
    REMARK_NO_ZIP,
    /* warnings of it */
    REMARK_CASE,   /* name, other */
    REMARK_CACHES, /* n */
    REMARK_PLATFORM_JAR,
    /* of a jar */
    REMARK_SAME_JARS,
    REMARK_PLAYER_MISSING, /* class, path */
    REMARK_NO_CLASS,       /* path */
    REMARK_JAVA,           /* class, n: its Java, here: ours */
    /* of work in a cell */
    REMARK_UNPACK_LATE,   /* n seconds */
    REMARK_UNPACK_KILLED, /* how, mib, n seconds */
    REMARK_UNPACK_FAILED,
    REMARK_BUILD_LATE,
    REMARK_BUILD_KILLED,
    REMARK_BUILD_ERRORS, /* what */
    REMARK_BUILD_FAILED,
    REMARK_NEEDS, /* why: a sentence of its own */
    /* of what is to be started */
    REMARK_ENTRY_MISSING,   /* entry, team, there */
    REMARK_JAR_MISSING,     /* there */
    REMARK_LIBRARY_MISSING, /* entry, there */
    REMARK_JARS,            /* n */
    REMARK_NO_STARTER,
    REMARK_UNREADABLE,   /* path */
    REMARK_NO_PROGRAM,   /* path */
    REMARK_NO_ELF,       /* path */
    REMARK_OTHER_KIND,   /* path, n: ELF's number, bits */
    REMARK_LANGUAGE,     /* language */
    REMARK_COMMAND_LONG, /* n */
    /* of how it played */
    REMARK_ROUND_LOG, /* n: testing round, what, log */
    REMARK_ROUND,     /* n, what */
    REMARK_CODES,
} RemarkCode;

typedef struct FileRemark {
    RemarkCode code;
    Str values[REMARK_VALUES]; /* in the order of its sentence */
} FileRemark;

/* Appends the English sentence with its values, in their order. */
void remark_write(RemarkCode code, const Str *values, Buf *out);

/* The sentence as an error: `return remark_set(err, ERR_RULE, REMARK_EMPTY, (Str){0})`. A macro
 * as err_set is. */
#define remark_set(err, error_code, remark_code, ...)                                              \
    __extension__({                                                                                \
        remark_fill((err), (error_code), (remark_code), (const Str[REMARK_VALUES]){__VA_ARGS__});  \
        (int)(error_code);                                                                         \
    })
void remark_fill(Err *err, ErrCode error_code, RemarkCode remark_code, const Str *values);

/* A number as a value; `text` holds it. */
#define REMARK_NUMBER 24
Str remark_number(uint64_t number, char text[static REMARK_NUMBER]);

/* Which sentence this is, whoever wrote it. False for one that is in no table. */
bool remark_read(Str sentence, FileRemark *ret_remark);

/* The name of a code in reports and answers, as "entry-twice". */
const char *remark_code_name(RemarkCode code);
/* What the n-th value is called, as "name"; empty when there are fewer. */
Str remark_value_name(RemarkCode code, size_t n);

/* Appends the sentence as it is in this language; one that is in no table as it is. */
void remark_say(Str sentence, bool japanese, Buf *out);

/* Members of an open object: KEY: the sentence; when it is in the table also KEY_ja, KEY_code and
 * KEY_values {"name":"a.py"}. */
void remark_add(Json *json, const char *key, Str sentence);

#endif
