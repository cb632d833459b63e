/* bench_game_doc.c - what a game's document costs: reading a log, writing a view, bytes.
 *
 * Usage: bench_game_doc FILE...
 * Method: the fastest of RUNS runs of processor time for game_doc_read of a file that is in memory,
 * and of game_doc_write of each of two views; bytes plain and as zlib makes them at level 6.
 * docs/spec/web.md 13.1: a document from a log of 1,000 lines in 5 ms; of a game of 750 events
 * 150 kB, 15 kB compressed.
 */
#include "disk/log_file.h"
#include "record/game_doc.h"

#include <stdio.h>
#include <time.h>
#include <zlib.h>

#define RUNS 50

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static size_t packed_bytes(Str text)
{
    uLongf bytes = compressBound(text.len);
    Bytef *packed = mem_new(bytes);

    if (!packed || compress2(packed, &bytes, (const Bytef *)text.bytes, text.len, 6) != Z_OK)
        bytes = 0;
    mem_free(packed);
    return bytes;
}

static size_t lines_in(Str text)
{
    size_t lines = 0;

    while (text.len > 0) {
        str_cut(&text, '\n');
        lines++;
    }
    return lines;
}

static double fastest_read(Str text, Str name, GameDoc **ret_doc)
{
    double best = 1e9;

    for (int i = 0; i < RUNS; i++) {
        *ret_doc = game_doc_free(*ret_doc);
        double start = cpu_ms();
        if (game_doc_read(text, name, 0, ret_doc, NULL))
            return -1;
        double took = cpu_ms() - start;
        best = took < best ? took : best;
    }
    return best;
}

static double fastest_write(const GameDoc *doc, DocView view, Buf *out)
{
    double best = 1e9;

    for (int i = 0; i < RUNS; i++) {
        buf_clear(out);
        double start = cpu_ms();
        game_doc_write(doc, &view, out);
        double took = cpu_ms() - start;
        best = took < best ? took : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    printf("%-28s %7s %7s %8s %8s %8s %9s %8s\n", "log", "lines", "entries", "read ms", "all ms",
           "public", "bytes", "packed");
    for (int i = 1; i < argc; i++) {
        CLEANUP(game_doc_freep) GameDoc *doc = NULL;
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf out = {0};
        Err err = {0};
        if (log_file_read(argv[i], (size_t)256 << 20, &text, &err)) {
            fprintf(stderr, "%s\n", err.msg);
            failed = 1;
            continue;
        }
        double read = fastest_read(buf_str(&text), str_of(argv[i]), &doc);
        if (!doc) {
            fprintf(stderr, "%s: can't be read\n", argv[i]);
            failed = 1;
            continue;
        }
        double narrow = fastest_write(doc, (DocView){.kind = DOC_VIEW_PUBLIC}, &out);
        double all = fastest_write(doc, (DocView){.kind = DOC_VIEW_ALL, .names = true}, &out);
        printf("%-28.*s %7zu %7zu %8.2f %8.2f %8.2f %9zu %8zu\n", STR_ARG(game_doc_id(doc)),
               lines_in(buf_str(&text)), game_doc_count(doc), read, all, narrow, out.len,
               packed_bytes(buf_str(&out)));
    }
    return failed;
}
