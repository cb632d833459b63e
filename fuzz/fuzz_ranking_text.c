/* fuzz_ranking_text.c - any bytes as the names of a ranking, and as a ranking that somebody
 * published: each line has as many fields as the first, by the quotes of RFC 4180, and the line
 * that differs is one of both. */
#include "audit/ranking_text.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Commas that no quote holds. */
static unsigned count_commas(Str line)
{
    unsigned commas = 0;
    bool quoted = false;

    for (size_t i = 0; i < line.len; i++) {
        quoted ^= line.bytes[i] == '"';
        commas += !quoted && line.bytes[i] == ',';
    }
    assert(!quoted);
    return commas;
}

static unsigned count_ends(Str text)
{
    unsigned ends = 0;

    for (size_t i = 0; i < text.len; i++)
        ends += text.bytes[i] == '\n';
    return ends;
}

/* A name as plans allow it: no control characters. */
static void take_name(Str text, char *ret_name, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len && n + 1 < room; i++)
        if ((unsigned char)text.bytes[i] >= ' ')
            ret_name[n++] = text.bytes[i];
    ret_name[n] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    CLEANUP(buf_done) Buf out = {0};
    Standing agents[4] = {0};
    const Standings standings = {.agents = agents, .count = 4};
    PlanStage stage = {0};
    Str rest = text;

    take_name(str_cut(&rest, '\n'), stage.name, sizeof(stage.name));
    for (unsigned i = 0; i < 4; i++)
        take_name(str_cut(&rest, '\n'), agents[i].name, sizeof(agents[i].name));
    ranking_text_add(&stage, &standings, &out);
    assert(!buf_failed(&out) && count_ends(buf_str(&out)) == 5);
    for (Str left = buf_str(&out); left.len;)
        assert(count_commas(str_cut(&left, '\n')) == 8);
    const unsigned line = ranking_text_difference(text, buf_str(&out));
    assert(line >= 1 && line <= count_ends(text) + 1 && line <= count_ends(buf_str(&out)) + 1);
    return 0;
}
