/* bench_lang.c - how long reading an utterance and writing its canonical text takes.
 *
 * Usage: bench_lang CORPUS     (one sentence a line, as tests/data/language/corpus.txt)
 * Prints CPU time of the best of 25 rounds over all lines; a line that is not valid counts too.
 */
#include "lang/lang.h"

#include <stdint.h>
#include <time.h>

#define ROUNDS    25
#define PASSES    20 /* over the corpus in one round, so that the clock's steps don't matter */
#define FILE_MAX  (16u << 20)
#define LINES_MAX 100000

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Reads and writes every line once. Returns the bytes written, so that nothing is optimised
 * away. */
static size_t pass(const Str *lines, size_t count, Arena *arena)
{
    char text[LANG_TEXT_MAX];
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        const Sentence *sentence;

        arena_clear(arena);
        if (lang_parse(lines[i], arena, &sentence, NULL) == 0)
            bytes += lang_write(sentence, text, sizeof(text));
    }
    return bytes;
}

static size_t split(Str corpus, Str *lines)
{
    size_t count = 0;

    while (corpus.len && count < LINES_MAX)
        lines[count++] = str_cut(&corpus, '\n');
    return count;
}

int main(int argc, char **argv)
{
    CLEANUP(mem_freep) char *bytes = mem_new(FILE_MAX);
    CLEANUP(mem_freep) Str *lines = mem_new(LINES_MAX * sizeof(*lines));
    CLEANUP(arena_done) Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;
    double best = 0;
    size_t written = 0;

    if (!file || !bytes || !lines || !arena.block) {
        fprintf(stderr, "usage: bench_lang CORPUS\n");
        return 2;
    }
    size_t count = split((Str){bytes, fread(bytes, 1, FILE_MAX, file)}, lines);
    fclose(file);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (int i = 0; i < PASSES; i++)
            written = pass(lines, count, &arena);
        double took = (now_ns() - start) / PASSES;
        if (round == 0 || took < best)
            best = took;
    }
    if (written == 0) {
        fprintf(stderr, "bench_lang: no valid sentence in '%s'\n", argv[1]);
        return 1;
    }
    printf("lang parse+write: %.1f ns/sentence (best of %d, %zu sentences)\n", best / (double)count,
           ROUNDS, count);
    return 0;
}
