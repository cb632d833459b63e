#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pread */
#endif
#include "web/game_faults.h"

#include "wire/json_read.h"

#include <stdio.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1024 * 1024)
#define LINE_MAX    ((size_t)64 * 1024)

/* What is looked for. */
typedef struct Wanted {
    char stage[40]; /* "\"stage\":0," */
    char game[40];
    uint32_t stage_number;
    uint64_t game_number;
    GameDoc *doc;
} Wanted;

/* What came of an agent, as journal_add_fault wrote it: \xHH for bytes that are no text. */
static void add_fault(const Wanted *wanted, const json_t *line)
{
    static const char *const requests[] = {"NAME",  "ROLE",    "INITIALIZE",   "DAILY_INITIALIZE",
                                           "TALK",  "WHISPER", "VOTE",         "DIVINE",
                                           "GUARD", "ATTACK",  "DAILY_FINISH", "FINISH"};
    double elapsed_ms = 0;
    bool fatal = false;
    Str request = json_text(line, "request");
    int64_t seat = json_number(line, "seat"), day = json_number(line, "day");
    Fault fault = {.kind = fault_kind_of(json_text(line, "kind")),
                   .request = "",
                   .bytes = json_text(line, "bytes")};

    if (fault.kind == FAULT_COUNT || seat < 1 || seat > SEAT_MAX || day < 0 || day > UINT16_MAX)
        return;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        if (str_eq(request, str_of(requests[i])))
            fault.request = requests[i];
    if (json_as_real(json_get(line, "elapsed_ms"), &elapsed_ms) && elapsed_ms >= 0 &&
        elapsed_ms < 1e12)
        fault.elapsed_us = (int64_t)(elapsed_ms * 1000);
    (void)json_as_bool(json_get(line, "fatal"), &fatal);
    fault.fatal = fatal;
    fault.seat = (SeatNo)seat;
    fault.day = (uint16_t)day;
    game_doc_fault(wanted->doc, &fault, 0);
}

static void hear_line(const Wanted *wanted, Str line)
{
    json_t *json = NULL;
    size_t at;

    /* The numbers first: of a million lines few are of this game. */
    if (!str_find(line, str_of(wanted->game), &at) || !str_find(line, str_of(wanted->stage), &at) ||
        json_read(line, LINE_MAX, &json, NULL))
        return;
    if (json_number(json, "stage") == (int64_t)wanted->stage_number &&
        json_number(json, "game") == (int64_t)wanted->game_number)
        add_fault(wanted, json);
    json_done(json);
}

int game_faults_add(int file, uint32_t stage, uint64_t game, GameDoc *doc, Err *err)
{
    Wanted wanted = {.stage_number = stage, .game_number = game, .doc = doc};
    CLEANUP(buf_done) Buf text = {0};
    off_t at = 0;

    snprintf(wanted.stage, sizeof(wanted.stage), "\"stage\":%u,", stage);
    snprintf(wanted.game, sizeof(wanted.game), "\"game\":%llu,", (unsigned long long)game);
    while (buf_reserve(&text, PIECE_BYTES)) {
        ssize_t n = pread(file, text.bytes + text.len, PIECE_BYTES, at);
        if (n < 0)
            return err_set(err, ERR_IO, "faults.jsonl can't be read");
        if (n == 0)
            return 0; /* a line without its end is still written */
        at += n;
        text.len += (size_t)n;
        Str rest = buf_str(&text);
        size_t end;
        if (!str_find_last(rest, '\n', &end))
            continue;
        Str lines = str_part(rest, 0, end + 1);
        while (lines.len)
            hear_line(&wanted, str_cut(&lines, '\n'));
        memmove(text.bytes, text.bytes + end + 1, text.len - end - 1);
        text.len -= end + 1;
    }
    return err_set(err, ERR_MEMORY, "faults.jsonl: out of memory");
}
