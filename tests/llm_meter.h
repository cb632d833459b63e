/* llm_meter.h - measures the requests that models are sent: how much of one stands in the next,
 * what they take, whether roles alternate.
 *
 * For:    tests with llm_script.h, whose `answer` gives each body to the meter.
 * Memory: a LlmMeter is the test's; llm_meter_done at its end.
 * Thread: the test's.
 * Source: docs/spec/models.md 1.1, 1.2, 1.8, L2.
 *
 * A request is compared with the one before of the same player in the same round, byte by byte; one
 * that asks again because an answer was none is counted, and not compared.
 */
#ifndef WARG_TESTS_LLM_METER_H
#define WARG_TESTS_LLM_METER_H

#include "base/buf.h"
#include "base/mem.h"

#include <jansson.h>
#include <string.h>

#define METER_SEATS 32

typedef struct MeterSeat {
    Buf system; /* the first message */
    Buf text;   /* of the last request */
    Buf round;
} MeterSeat;

typedef struct LlmMeter {
    const char *round_mark; /* what a message says when a round begins; NULL: there is one */
    size_t requests, repairs, equal_roles, empty;
    uint64_t bytes;    /* of all contents and roles; a quarter of it are tokens */
    size_t compared;   /* pairs */
    size_t low;        /* of these, less than 80 % */
    size_t shortened;  /* likewise, because older talk went */
    size_t beginnings; /* first requests of a round */
    size_t burdened;   /* of these, more than a system and a user message: an earlier round's */
    size_t changed;    /* the first message differs from that of the same round */
    double sum, least; /* shares */
    MeterSeat seats[METER_SEATS];
    size_t seat_count;
    Buf names[METER_SEATS];
} LlmMeter;

static inline void llm_meter_done(LlmMeter *meter)
{
    for (size_t i = 0; i < METER_SEATS; i++) {
        buf_done(&meter->seats[i].system);
        buf_done(&meter->seats[i].text);
        buf_done(&meter->seats[i].round);
        buf_done(&meter->names[i]);
    }
}

static inline uint64_t llm_meter_tokens(const LlmMeter *meter)
{
    return meter->bytes / 4;
}

static inline double llm_meter_share(const LlmMeter *meter)
{
    return meter->compared ? meter->sum / (double)meter->compared : 0;
}

static inline Str llm_meter_part(const char *text, const char *before, const char *after)
{
    const char *at = strstr(text, before), *end = at ? strstr(at + strlen(before), after) : NULL;

    return end ? (Str){at + strlen(before), (size_t)(end - at) - strlen(before)} : STR("?");
}

static inline MeterSeat *llm_meter_seat(LlmMeter *meter, const char *system)
{
    Str name = llm_meter_part(system, "You are ", ", a player");

    if (str_eq(name, STR("?")))
        name = llm_meter_part(system, "「", "」です");
    for (size_t i = 0; i < meter->seat_count; i++)
        if (str_eq(buf_str(&meter->names[i]), name))
            return &meter->seats[i];
    if (meter->seat_count == METER_SEATS)
        return NULL;
    buf_add(&meter->names[meter->seat_count], name);
    return &meter->seats[meter->seat_count++];
}

/* What stands behind the last mark: "Round 2 begins" is that of round 2. */
static inline Str llm_meter_round(const LlmMeter *meter, const char *text)
{
    const char *found = "";

    for (const char *at = text; meter->round_mark && (at = strstr(at, meter->round_mark)); at++)
        found = at + strlen(meter->round_mark);
    return (Str){found, strcspn(found, " \n")};
}

static inline void llm_meter_keep(Buf *kept, Str text)
{
    buf_clear(kept);
    buf_add(kept, text);
}

static inline void llm_meter_compare(LlmMeter *meter, MeterSeat *seat, Str text)
{
    Str before = buf_str(&seat->text);
    size_t same = 0;

    while (same < before.len && same < text.len && before.bytes[same] == text.bytes[same])
        same++;
    double share = (double)same / (double)before.len;
    if (share < 0.8 && strstr(text.bytes, "earlier: ")) {
        meter->shortened++;
        return;
    }
    meter->compared++;
    meter->sum += share;
    meter->low += share < 0.8;
    if (meter->compared == 1 || share < meter->least)
        meter->least = share;
}

static inline void llm_meter_messages(LlmMeter *meter, const json_t *messages)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t count = json_array_size(messages);
    const char *role = "", *content = "", *system = "", *before = "";

    for (size_t i = 0; i < count; i++, before = role) {
        const json_t *message = json_array_get(messages, i);
        role = json_string_value(json_object_get(message, "role"));
        content = json_string_value(json_object_get(message, "content"));
        system = i == 0 ? content : system;
        meter->equal_roles += strcmp(role, before) == 0;
        buf_printf(&text, "\x1e%s:%s", role, content);
    }
    meter->requests++;
    meter->bytes += text.len;
    meter->empty += strstr(content, "(Nothing new.)") || strstr(content, "何も起きていない");
    if (strstr(content, "This answer can't be used") || strstr(content, "この回答は使えない")) {
        meter->repairs++;
        return;
    }
    MeterSeat *seat = llm_meter_seat(meter, system);
    Str round = llm_meter_round(meter, buf_cstr(&text));
    if (!seat)
        return;
    if (seat->text.len && str_eq(buf_str(&seat->round), round)) {
        meter->changed += !str_eq(buf_str(&seat->system), str_of(system));
        llm_meter_compare(meter, seat, (Str){buf_cstr(&text), text.len});
    } else {
        meter->beginnings++;
        meter->burdened += count != 2;
    }
    llm_meter_keep(&seat->round, round);
    llm_meter_keep(&seat->system, str_of(system));
    llm_meter_keep(&seat->text, buf_str(&text));
}

/* A request's body. */
static inline void llm_meter_take(LlmMeter *meter, const char *body)
{
    json_t *request = json_loads(body, 0, NULL);

    llm_meter_messages(meter, json_object_get(request, "messages"));
    json_decref(request);
}

#endif
