#include "journal/finding_firsts.h"

#include "base/mem.h"
#include "record/stage_number.h"

void finding_firsts_done(FindingFirsts *firsts)
{
    firsts->items = mem_free(firsts->items);
    firsts->places = mem_free(firsts->places);
    firsts->count = firsts->room = firsts->place_count = 0;
}

/* FNV-1a, of what makes a kind. */
static uint32_t hash_kind(uint32_t stage, Str agent, FindingRule rule)
{
    uint32_t hash = 2166136261U ^ (stage * 16777619U) ^ ((uint32_t)rule << 24);

    for (size_t i = 0; i < agent.len; i++)
        hash = (hash ^ (unsigned char)agent.bytes[i]) * 16777619U;
    return hash;
}

static bool is_of(const FindingFirst *first, uint32_t stage, Str agent, FindingRule rule)
{
    return first->rule == rule && stage_of_number(first->stage) == stage &&
           str_eq(str_of(first->agent), agent);
}

/* Its place in the table, or the free one where it would be. The table has free ones. */
static uint32_t *find_place(const FindingFirsts *firsts, uint32_t stage, Str agent,
                            FindingRule rule)
{
    uint32_t at = hash_kind(stage, agent, rule) % firsts->place_count;

    while (firsts->places[at] && !is_of(&firsts->items[firsts->places[at] - 1], stage, agent, rule))
        at = (at + 1) % firsts->place_count;
    return &firsts->places[at];
}

/* Half of the table stays free. */
static bool make_room(FindingFirsts *firsts)
{
    if (firsts->count < firsts->room)
        return true;
    const uint32_t room = firsts->room ? 2 * firsts->room : 32;
    FindingFirst *items = mem_resize(firsts->items, room, sizeof(*items));
    uint32_t *places = mem_new((size_t)room * 2 * sizeof(*places));
    firsts->items = items ? items : firsts->items;
    if (!items || !places) {
        mem_free(places);
        return false;
    }
    mem_free(firsts->places);
    firsts->places = places;
    firsts->place_count = room * 2;
    firsts->room = room;
    for (uint32_t i = 0; i < firsts->count; i++) {
        const FindingFirst *first = &firsts->items[i];
        uint32_t *place =
            find_place(firsts, stage_of_number(first->stage), str_of(first->agent), first->rule);
        if (!*place)
            *place = i + 1;
    }
    return true;
}

static FindingFirst first_of(const FindingLine *line)
{
    const FindingNote *note = &line->note;
    FindingFirst first = {.rule = note->finding.rule,
                          .stage = note->stage,
                          .line = line->number,
                          .set = note->set,
                          .game = note->game,
                          .day = note->day,
                          .seat = note->seat,
                          .in_game = note->in_game,
                          .at_ms = line->at_ms};

    memcpy(first.agent, note->agent.bytes, note->agent.len);
    if (note->finding.text.len)
        memcpy(first.text, note->finding.text.bytes, note->finding.text.len);
    return first;
}

static int on_line(void *user, const FindingLine *line, Err *err)
{
    FindingFirsts *firsts = user;
    const FindingNote *note = &line->note;
    uint32_t kept = 0;

    if (line->total)
        return 0;
    if (!make_room(firsts))
        return err_set(err, ERR_MEMORY, "findings: out of memory");
    uint32_t *link =
        find_place(firsts, stage_of_number(note->stage), note->agent, note->finding.rule);
    for (; *link && kept < FINDING_FIRSTS_KEPT; kept++)
        link = &firsts->items[*link - 1].next;
    if (kept == FINDING_FIRSTS_KEPT)
        return 0;
    *link = firsts->count + 1;
    firsts->items[firsts->count++] = first_of(line);
    return 0;
}

int finding_firsts_read(const char *dir, FindingFirsts *firsts, Err *err)
{
    return finding_lines_read(dir, on_line, firsts, err);
}

const FindingFirst *finding_firsts_of(const FindingFirsts *firsts, uint32_t stage, Str agent,
                                      FindingRule rule)
{
    const uint32_t at = firsts->place_count ? *find_place(firsts, stage, agent, rule) : 0;

    return at ? &firsts->items[at - 1] : NULL;
}

const FindingFirst *finding_firsts_next(const FindingFirsts *firsts, const FindingFirst *first)
{
    return first->next ? &firsts->items[first->next - 1] : NULL;
}
