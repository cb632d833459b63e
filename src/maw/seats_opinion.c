/* What models think while a round is played, against who was a wolf: docs/spec/models.md 3. */
#include "maw/maw_table_own.h"

#define SURE_MAX 100

/* The role of who has this name, or this address; ROLE_NONE: nobody. */
static Role role_called(const MawTable *table, Str name, Str jid)
{
    MawStanding standing;

    for (uint32_t i = 0; maw_session_standing(table->session, i, &standing); i++)
        if (str_eq(standing.name, name) || str_eq(standing.jid, jid))
            return standing.role;
    return ROLE_NONE;
}

void seats_hear_opinion(Seat *seat, const json_t *opinion)
{
    int64_t sure = -1;
    Role own = role_called(seat->table, (Str){0}, str_of(seat->jid));
    Role target = role_called(seat->table, json_text(opinion, "target"), (Str){0});

    if (!json_as_int(json_get(opinion, "sure"), &sure) || sure < 0 || sure > SURE_MAX ||
        own == ROLE_NONE || own == ROLE_WEREWOLF || target == ROLE_NONE)
        return; /* a wolf knows who is one */
    opinion_score_add(&seat->opinions, (uint32_t)sure, target == ROLE_WEREWOLF);
}

static Str model_of(const Seat *seat)
{
    return seat->endpoint ? str_of(llm_endpoint_model(seat->endpoint)) : STR("demo");
}

static bool stands_before(const MawTable *table, size_t seat)
{
    for (size_t i = 0; i < seat; i++)
        if (table->seats[i]->model &&
            str_eq(model_of(table->seats[i]), model_of(table->seats[seat])))
            return true;
    return false;
}

bool maw_table_opinions(const MawTable *table, size_t index, Str *ret_model,
                        OpinionScore *ret_score)
{
    size_t first = 0;

    for (size_t models = 0; first < table->seat_count; first++)
        if (table->seats[first]->model && !stands_before(table, first) && models++ == index)
            break;
    if (first == table->seat_count)
        return false;
    *ret_model = model_of(table->seats[first]);
    *ret_score = (OpinionScore){0};
    for (size_t i = first; i < table->seat_count; i++)
        if (table->seats[i]->model && str_eq(model_of(table->seats[i]), *ret_model))
            opinion_score_join(ret_score, &table->seats[i]->opinions);
    return true;
}

void seats_write_opinions(const MawTable *table, Str jid, Json *json)
{
    for (size_t i = 0; i < table->seat_count; i++) {
        const OpinionScore *score = &table->seats[i]->opinions;
        if (!score->count || !str_eq(str_of(table->seats[i]->jid), jid) ||
            !maw_session_over(table->session)) /* before, it would say something of roles */
            continue;
        json_key(json, STR("opinions"));
        json_open(json, '{');
        opinion_score_write(score, json);
        json_close(json);
    }
}
