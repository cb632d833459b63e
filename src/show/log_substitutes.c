#include "show/log_substitutes.h"

#include "disk/regular_file.h"
#include "journal/journal.h"
#include "results/report_words.h"
#include "wire/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define FOLDERS_UP 3 /* DIR/logs/STAGE/000.log */

/* One game of a journal, by the path of its log. */
typedef struct Wanted {
    Str log; /* "logs/000.log" */
    bool found;
    uint32_t stage;
    uint64_t game;
    Substitute *seats;
} Wanted;

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Wanted *wanted = user;

    (void)err;
    if (!str_eq(str_of(record->log), wanted->log))
        return 0;
    wanted->found = true;
    wanted->stage = record->stage;
    wanted->game = record->game;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        wanted->seats[seat].plays = record->seats[seat].failed;
    return 0;
}

static Str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_get(object, key);
    Str text = {0};

    if (value)
        json_as_str(value, &text);
    return text;
}

/* A line of faults.jsonl; one that can't be read tells nothing. */
static void hear_fault(const Wanted *wanted, Str line)
{
    json_t *fault = NULL;
    bool fatal = false;

    if (json_read(line, line.len, &fault, NULL))
        return;
    int64_t seat = json_number(fault, "seat");
    const json_t *flag = json_get(fault, "fatal");
    if (json_number(fault, "stage") == (int64_t)wanted->stage &&
        json_number(fault, "game") == (int64_t)wanted->game && seat >= 1 && seat <= SEAT_MAX &&
        flag && json_as_bool(flag, &fatal) && fatal) {
        Substitute *substitute = &wanted->seats[seat];
        Str request = text_of(fault, "request");
        substitute->during = substitute->plays;
        substitute->kind = fault_kind_of(text_of(fault, "kind"));
        substitute->day = (uint16_t)json_number(fault, "day");
        snprintf(substitute->request, sizeof(substitute->request), "%.*s", STR_ARG(request));
    }
    json_done(fault);
}

static void read_faults(const char *folder, const Wanted *wanted)
{
    CLEANUP(buf_done) Buf path = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    buf_printf(&path, "%s/" JOURNAL_FAULTS_FILE, folder);
    int fd = -1;
    if (buf_failed(&path) || regular_file_open(buf_cstr(&path), &fd, NULL) != 0)
        return;
    FILE *file = fdopen(fd, "r");
    if (!file)
        close(fd);
    while (file && (len = getline(&line, &room, file)) > 0)
        hear_fault(wanted, (Str){line, (size_t)len});
    if (file)
        fclose(file);
    mem_free(line);
}

/* Cuts the last part off `path`; its place in there. */
static size_t cut_part(Str *path)
{
    while (path->len && path->bytes[path->len - 1] != '/')
        path->len--;
    size_t start = path->len;
    if (path->len)
        path->len--;
    return start;
}

void log_substitutes_find(const char *path, Substitute ret[static SEAT_MAX + 1])
{
    CLEANUP(mem_freep) char *whole = realpath(path, NULL);
    Str folder = str_of(whole);

    memset(ret, 0, (SEAT_MAX + 1) * sizeof(*ret));
    if (!whole)
        return;
    cut_part(&folder); /* the log's own name */
    for (int up = 1; up < FOLDERS_UP && folder.len; up++) {
        CLEANUP(buf_done) Buf name = {0};
        size_t parts = cut_part(&folder);
        buf_add(&name, folder);
        if (buf_failed(&name) || !journal_exists(buf_cstr(&name)))
            continue;
        Wanted wanted = {.log = str_of(whole + parts), .seats = ret};
        const JournalListener listener = {.game = on_game, .user = &wanted};
        if (journal_read(buf_cstr(&name), &listener, NULL, NULL) == 0 && wanted.found)
            read_faults(buf_cstr(&name), &wanted);
        return;
    }
}

const char *log_fault_word(FaultKind kind, bool japanese)
{
    return report_fault_word(kind, japanese);
}
