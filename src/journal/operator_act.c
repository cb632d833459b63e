#include "journal/operator_act.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

static const char *const act_names[ACT_KINDS] = {[ACT_HOLD] = "hold",
                                                 [ACT_GO_ON] = "go-on",
                                                 [ACT_LEAVE_OUT] = "leave-out",
                                                 [ACT_LET_IN] = "let-in",
                                                 [ACT_VOID] = "void",
                                                 [ACT_END] = "end",
                                                 [ACT_DISCONNECT] = "disconnect"};

const char *operator_act_name(OperatorActKind kind)
{
    return kind < ACT_KINDS ? act_names[kind] : "";
}

OperatorActKind operator_act_of(Str name)
{
    OperatorActKind kind = ACT_HOLD;

    while (kind < ACT_KINDS && !str_eq(name, str_of(act_names[kind])))
        kind++;
    return kind;
}

/* ---- one act ---- */

/* Text that stands on one line, everywhere. */
static bool is_line_text(Str text, size_t most)
{
    if (text.len > most || !utf8_valid(text))
        return false;
    for (Str rest = text; rest.len;) {
        uint32_t code = utf8_next(&rest);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            return false;
    }
    return true;
}

static int check_texts(const OperatorAct *act, Err *err)
{
    if (!act->by.len || !is_line_text(act->by, ACT_BY_MAX))
        return err_set(err, ERR_RULE, "'by' has 1 to %d bytes of UTF-8 without control characters",
                       ACT_BY_MAX);
    if (!is_line_text(act->why, ACT_WHY_MAX))
        return err_set(err, ERR_RULE,
                       "'why' has up to %d bytes of UTF-8 without control characters", ACT_WHY_MAX);
    if (!is_line_text(act->id, ACT_ID_MAX))
        return err_set(err, ERR_RULE, "'game' is no id of a game");
    if (!is_line_text(act->team, ACT_NAME_MAX) || !is_line_text(act->agent, ACT_NAME_MAX))
        return err_set(err, ERR_RULE,
                       "a name has 1 to %d bytes of UTF-8 without control characters",
                       ACT_NAME_MAX);
    return 0;
}

bool operator_act_is_late(const OperatorAct *act)
{
    return act->kind == ACT_VOID && act->target == ACT_OF_SET &&
           str_eq(act->by, STR(ACT_BY_RUNNER));
}

/* The empty name is one in the natural-language division. */
int operator_act_check(const OperatorAct *act, Err *err)
{
    const bool of_team = act->kind == ACT_LEAVE_OUT || act->kind == ACT_LET_IN;
    const bool of_agent = act->kind == ACT_DISCONNECT;
    const bool of_game = act->kind == ACT_VOID || act->kind == ACT_END;
    const char *name = operator_act_name(act->kind);

    if (act->kind >= ACT_KINDS)
        return err_set(err, ERR_RULE, "no such act");
    if (of_team != (act->team.bytes != NULL))
        return err_set(err, ERR_RULE, of_team ? "'%s' needs a 'team'" : "'%s' has no 'team'", name);
    if (of_agent != (act->agent.bytes != NULL))
        return err_set(err, ERR_RULE, of_agent ? "'%s' needs an 'agent'" : "'%s' has no 'agent'",
                       name);
    if (of_game != (act->target != ACT_OF_NONE) || (!of_game && act->id.len))
        return err_set(
            err, ERR_RULE,
            of_game ? "'%s' needs a 'game' or a 'set'" : "'%s' has no 'game' and no 'set'", name);
    if (act->number > INT64_MAX)
        return err_set(err, ERR_RULE, "the number is too large");
    return check_texts(act, err);
}

/* ---- what they come to ---- */

struct OperatorActs {
    bool held;
    char **out; /* teams */
    uint32_t out_count;
    uint32_t out_room;
    OperatorAct *ring[ACTS_REMEMBERED]; /* each with its texts behind it */
    uint32_t count;
    uint32_t next;
    uint64_t total;
};

int operator_acts_new(OperatorActs **ret_acts, Err *err)
{
    OperatorActs *acts = mem_new(sizeof(*acts));

    if (!acts)
        return err_set(err, ERR_MEMORY, "acts of operators: out of memory");
    *ret_acts = acts;
    return 0;
}

OperatorActs *operator_acts_free(OperatorActs *acts)
{
    if (!acts)
        return NULL;
    for (uint32_t i = 0; i < acts->out_count; i++)
        mem_free(acts->out[i]);
    mem_free(acts->out);
    for (uint32_t i = 0; i < acts->count; i++)
        mem_free(acts->ring[i]);
    return mem_free(acts);
}

static void keep_text(Str *text, char **at)
{
    if (!text->bytes)
        return;
    if (text->len)
        memcpy(*at, text->bytes, text->len);
    text->bytes = *at;
    *at += text->len;
}

static OperatorAct *keep_act(const OperatorAct *act)
{
    const size_t texts =
        act->id.len + act->team.len + act->agent.len + act->by.len + act->why.len + 1;
    OperatorAct *kept = mem_new(sizeof(*kept) + texts);

    if (!kept)
        return NULL;
    char *at = (char *)(kept + 1);
    *kept = *act;
    keep_text(&kept->id, &at);
    keep_text(&kept->team, &at);
    keep_text(&kept->agent, &at);
    keep_text(&kept->by, &at);
    keep_text(&kept->why, &at);
    return kept;
}

static uint32_t find_out(const OperatorActs *acts, Str team)
{
    uint32_t i = 0;

    while (i < acts->out_count && !str_eq(str_of(acts->out[i]), team))
        i++;
    return i;
}

static bool add_out(OperatorActs *acts, Str team)
{
    if (find_out(acts, team) < acts->out_count)
        return true;
    if (acts->out_count == acts->out_room) {
        const uint32_t room = acts->out_room ? 2 * acts->out_room : 16;
        char **out = mem_resize(acts->out, room, sizeof(*out));
        if (!out)
            return false;
        acts->out = out;
        acts->out_room = room;
    }
    char *copy = mem_new(team.len + 1);
    if (!copy)
        return false;
    if (team.len)
        memcpy(copy, team.bytes, team.len);
    acts->out[acts->out_count++] = copy;
    return true;
}

static void drop_out(OperatorActs *acts, Str team)
{
    const uint32_t at = find_out(acts, team);

    if (at == acts->out_count)
        return;
    mem_free(acts->out[at]);
    acts->out_count--;
    memmove(&acts->out[at], &acts->out[at + 1], (acts->out_count - at) * sizeof(*acts->out));
}

int operator_acts_add(OperatorActs *acts, const OperatorAct *act, Err *err)
{
    OperatorAct *kept = keep_act(act);

    if (!kept || (act->kind == ACT_LEAVE_OUT && !add_out(acts, act->team))) {
        mem_free(kept);
        return err_set(err, ERR_MEMORY, "acts of operators: out of memory");
    }
    if (act->kind == ACT_LET_IN)
        drop_out(acts, act->team);
    if (act->kind == ACT_HOLD || act->kind == ACT_GO_ON)
        acts->held = act->kind == ACT_HOLD;
    mem_free(acts->ring[acts->next]);
    acts->ring[acts->next] = kept;
    acts->next = (acts->next + 1) % ACTS_REMEMBERED;
    acts->total++;
    if (acts->count < ACTS_REMEMBERED)
        acts->count++;
    return 0;
}

bool operator_acts_held(const OperatorActs *acts)
{
    return acts->held;
}

bool operator_acts_is_out(const OperatorActs *acts, Str team)
{
    return find_out(acts, team) < acts->out_count;
}

bool operator_acts_out_at(const OperatorActs *acts, uint32_t index, Str *ret_team)
{
    if (index >= acts->out_count)
        return false;
    *ret_team = str_of(acts->out[index]);
    return true;
}

uint32_t operator_acts_out_count(const OperatorActs *acts)
{
    return acts->out_count;
}

uint64_t operator_acts_total(const OperatorActs *acts)
{
    return acts->total;
}

bool operator_acts_at(const OperatorActs *acts, uint32_t index, OperatorAct *ret_act)
{
    if (index >= acts->count)
        return false;
    *ret_act = *acts->ring[(acts->next + ACTS_REMEMBERED - 1 - index) % ACTS_REMEMBERED];
    return true;
}
