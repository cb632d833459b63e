#include "serve/act_request.h"

#include "wire/json_read.h"

void act_request_done(ActRequest *request)
{
    json_done(request->json);
    *request = (ActRequest){0};
}

/* Refuses what is not known: a word that is spelt wrong must not be passed over. */
static int check_members(const json_t *root, Err *err)
{
    static const char *const known[] = {"act",   "game", "set", "team",
                                        "agent", "by",   "why", "confirm"};

    for (void *at = json_member(root, NULL); at; at = json_member(root, at)) {
        size_t i = 0;
        while (i < sizeof(known) / sizeof(known[0]) && strcmp(known[i], json_member_key(at)) != 0)
            i++;
        if (i == sizeof(known) / sizeof(known[0]))
            return err_set(err, ERR_SYNTAX, "'%.40s' is not known here", json_member_key(at));
    }
    return 0;
}

/* A text that may be missing: its bytes are NULL then. */
static int read_text(const json_t *root, const char *key, Str *ret_text, Err *err)
{
    const json_t *value = json_get(root, key);

    if (value && !json_as_str(value, ret_text))
        return err_set(err, ERR_SYNTAX, "'%s' is no text", key);
    return 0;
}

static int read_target(const json_t *root, OperatorAct *act, Err *err)
{
    const json_t *set = json_get(root, "set");
    int64_t number;
    int rc = read_text(root, "game", &act->id, err);

    if (rc)
        return rc;
    if (act->id.bytes && (set || !act->id.len))
        return err_set(err, ERR_SYNTAX, "either 'game' is the id of a game, or 'set' a number");
    if (act->id.bytes)
        act->target = ACT_OF_GAME;
    if (!set)
        return 0;
    if (!json_as_int(set, &number) || number < 0)
        return err_set(err, ERR_SYNTAX, "'set' is no number of a set");
    act->target = ACT_OF_SET;
    act->number = (uint64_t)number;
    return 0;
}

static int read_act(const json_t *root, ActRequest *ret, Err *err)
{
    OperatorAct *act = &ret->act;
    Str name = {0};
    int rc = check_members(root, err);

    if (rc == 0)
        rc = read_text(root, "act", &name, err);
    if (rc)
        return rc;
    act->kind = operator_act_of(name);
    if (act->kind == ACT_KINDS)
        return err_set(err, ERR_SYNTAX,
                       "'act' is hold, go-on, leave-out, let-in, void, end or disconnect");
    act->by = STR("operator");
    rc = read_target(root, act, err);
    if (rc == 0)
        rc = read_text(root, "team", &act->team, err);
    if (rc == 0)
        rc = read_text(root, "agent", &act->agent, err);
    if (rc == 0)
        rc = read_text(root, "by", &act->by, err);
    if (rc == 0)
        rc = read_text(root, "why", &act->why, err);
    if (rc == 0)
        rc = read_text(root, "confirm", &ret->confirm, err);
    return rc ? rc : operator_act_check(act, err);
}

int act_request_read(Str body, ActRequest *ret_request, Err *err)
{
    CLEANUP(act_request_done) ActRequest own = {0};

    if (body.len > ACT_REQUEST_MAX)
        return err_set(err, ERR_LIMIT, "an act has at most %zu bytes", ACT_REQUEST_MAX);
    if (json_read(body, ACT_REQUEST_MAX, &own.json, NULL) || !json_is_map(own.json))
        return err_set(err, ERR_SYNTAX, "the body is no JSON object");
    int rc = read_act(own.json, &own, err);
    if (rc)
        return rc;
    *ret_request = own;
    own = (ActRequest){0};
    return 0;
}

void act_put(Json *json, const OperatorAct *act)
{
    char time[DATE_TEXT_ROOM];

    json_open(json, '{');
    json_add_str(json, "act", str_of(operator_act_name(act->kind)));
    if (act->id.len)
        json_add_str(json, "game", act->id);
    else if (act->target == ACT_OF_GAME)
        json_add_uint(json, "number", act->number);
    if (act->target == ACT_OF_SET)
        json_add_uint(json, "set", act->number);
    if (act->team.bytes)
        json_add_str(json, "team", act->team);
    if (act->agent.bytes)
        json_add_str(json, "agent", act->agent);
    json_add_str(json, "by", act->by);
    if (act->why.len)
        json_add_str(json, "why", act->why);
    if (act->at_ms > 0 && act->at_ms <= DATE_MAX_MS)
        json_add_str(json, "at", date_text_write(act->at_ms, time));
    json_close(json);
}
