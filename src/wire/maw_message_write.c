#include "wire/maw_message_table.h"

#include "base/json.h"

/* A text with its key, unless it is absent. */
static void put_text(Json *json, const char *key, Str text)
{
    if (!text.bytes)
        return;
    json_key(json, str_of(key));
    json_put_str(json, text);
}

static void put_number(Json *json, const char *key, int64_t number)
{
    if (number == MAW_ABSENT)
        return;
    json_key(json, str_of(key));
    json_put_int(json, number);
}

static void put_text_or_null(Json *json, Str text)
{
    if (text.bytes)
        json_put_str(json, text);
    else
        json_put_null(json);
}

static void open_field(Json *json, const char *key, char bracket)
{
    json_key(json, str_of(key));
    json_open(json, bracket);
}

static void put_target(Json *json, const char *key, const MawMessage *message)
{
    if (!message->target_null) {
        put_text(json, key, message->target);
        return;
    }
    json_key(json, str_of(key));
    json_put_null(json);
}

static void put_texts(Json *json, const char *key, const MawMessage *message)
{
    open_field(json, key, '[');
    for (uint32_t i = 0; i < message->list_count; i++)
        json_put_str(json, message->list[i]);
    json_close(json);
}

static void put_people(Json *json, const char *key, const MawMessage *message)
{
    open_field(json, key, '[');
    for (uint32_t i = 0; i < message->player_count; i++) {
        json_open(json, '{');
        json_add_str(json, "jid", message->players[i].jid);
        put_text(json, "name", message->players[i].name);
        json_close(json);
    }
    json_close(json);
}

static void put_persons(Json *json, const MawField *field, const MawMessage *message)
{
    open_field(json, field->key, '[');
    for (uint32_t i = 0; i < message->player_count; i++) {
        const MawPerson *person = &message->players[i];
        json_put_str(json, field->kind == KIND_JIDS ? person->jid : person->name);
    }
    json_close(json);
}

static bool any_name(const MawMessage *message)
{
    for (uint32_t i = 0; i < message->player_count; i++)
        if (message->players[i].name.bytes)
            return true;
    return false;
}

static void put_pairs(Json *json, const char *key, const MawMessage *message)
{
    open_field(json, key, '{');
    for (uint32_t i = 0; i < message->pair_count; i++) {
        json_key(json, message->pairs[i].key);
        put_text_or_null(json, message->pairs[i].value);
    }
    json_close(json);
}

static void put_scores(Json *json, const char *key, const MawMessage *message)
{
    open_field(json, key, '[');
    for (uint32_t i = 0; i < message->score_count; i++) {
        const MawScore *score = &message->scores[i];
        json_open(json, '{');
        put_text(json, "player", score->player);
        put_text(json, "name", score->name);
        put_number(json, "points", score->points);
        put_number(json, "rounds_won", score->rounds_won);
        json_close(json);
    }
    json_close(json);
}

static void put_rooms(Json *json, const char *key, const MawMessage *message)
{
    if (!message->lobby.bytes && !message->village.bytes && !message->hideout.bytes)
        return;
    open_field(json, key, '{');
    put_text(json, "lobby", message->lobby);
    put_text(json, "village", message->village);
    put_text(json, "hideout", message->hideout);
    json_close(json);
}

/* "Name: text", as the document has it. A line without a name that is not the system's is one that
 * was read like that. */
static void put_messages(Json *json, const char *key, const MawMessage *message)
{
    CLEANUP(buf_done) Buf line = {0};

    open_field(json, key, '[');
    for (uint32_t i = 0; i < message->line_count; i++) {
        const MawLine *from = &message->lines[i];
        buf_clear(&line);
        if (from->name.len)
            buf_add(&line, from->name);
        else if (str_eq(from->kind, STR("system")))
            buf_add(&line, STR("System"));
        if (line.len)
            buf_add(&line, STR(": "));
        buf_add(&line, from->text);
        json_put_str(json, buf_str(&line));
    }
    json_close(json);
    if (buf_failed(&line))
        buf_fail(json->out);
}

static void put_entries(Json *json, const char *key, const MawMessage *message)
{
    if (message->line_count == 0 || message->lines[0].index == MAW_ABSENT)
        return;
    open_field(json, key, '[');
    for (uint32_t i = 0; i < message->line_count; i++) {
        const MawLine *line = &message->lines[i];
        json_open(json, '{');
        put_number(json, "i", line->index);
        put_text(json, "from", line->from);
        put_text(json, "name", line->name);
        json_add_str(json, "text", line->text);
        put_text(json, "t", line->time);
        put_text(json, "kind", line->kind);
        json_close(json);
    }
    json_close(json);
}

/* Lists that are the document's own are written when they are empty, others not. */
static void put_list(Json *json, const MawField *field, const MawMessage *message)
{
    switch ((unsigned)field->kind) {
    case KIND_TEXTS:
        if (field->needed || message->list_count)
            put_texts(json, field->key, message);
        break;
    case KIND_PEOPLE:
        if (field->needed || message->player_count)
            put_people(json, field->key, message);
        break;
    case KIND_JIDS:
    case KIND_NAMES:
        if (field->needed || message->player_count)
            put_persons(json, field, message);
        break;
    case KIND_THEIR_NAMES:
        if (any_name(message))
            put_persons(json, field, message);
        break;
    case KIND_PAIRS:
        if (field->needed || message->pair_count)
            put_pairs(json, field->key, message);
        break;
    case KIND_SCORES:
        if (field->needed || message->score_count)
            put_scores(json, field->key, message);
        break;
    default:
        break;
    }
}

static int64_t number_at(const MawMessage *message, size_t at)
{
    return *(const int64_t *)(const void *)((const char *)message + at);
}

static void put_field(Json *json, const MawField *field, const MawMessage *message)
{
    const void *at = (const char *)message + field->at;

    switch (field->kind) {
    case KIND_TEXT:
        put_text(json, field->key, *(const Str *)at);
        break;
    case KIND_OF:
        json_key(json, str_of(field->key));
        put_text_or_null(json, *(const Str *)at);
        break;
    case KIND_TARGET:
        put_target(json, field->key, message);
        break;
    case KIND_NUMBER:
    case KIND_SECONDS:
        put_number(json, field->key, number_at(message, field->at));
        break;
    case KIND_BOOL:
        if (number_at(message, field->with) == MAW_ABSENT)
            break;
        json_key(json, str_of(field->key));
        json_put_bool(json, *(const bool *)at);
        break;
    case KIND_TRUE:
        if (!*(const bool *)at)
            break;
        json_key(json, str_of(field->key));
        json_put_bool(json, true);
        break;
    case KIND_OBJECT:
        if (!((const Str *)at)->len)
            break;
        json_key(json, str_of(field->key));
        json_put_raw(json, *(const Str *)at);
        break;
    case KIND_MESSAGES:
        put_messages(json, field->key, message);
        break;
    case KIND_ENTRIES:
        put_entries(json, field->key, message);
        break;
    case KIND_ROOMS:
        put_rooms(json, field->key, message);
        break;
    case KIND_TEXTS:
    case KIND_PEOPLE:
    case KIND_JIDS:
    case KIND_NAMES:
    case KIND_THEIR_NAMES:
    case KIND_PAIRS:
    case KIND_SCORES:
        put_list(json, field, message);
        break;
    }
}

void maw_message_write(const MawMessage *message, Buf *out)
{
    const MawTypeRow *row = maw_type_row(message->type);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "type", str_of(row->name));
    for (const MawField *field = row->fields; field->key; field++)
        put_field(&json, field, message);
    json_close(&json);
}
