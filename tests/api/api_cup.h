/* api_cup.h - a contest with people around it, for tests of the API.
 *
 * For:    tests/api, behind api_host.h.
 * Memory: see api_host.h.
 * Thread: the test's.
 * Source: docs/contest-api.md.
 */
#ifndef WARG_TESTS_API_API_CUP_H
#define WARG_TESTS_API_API_CUP_H

#include "api_host.h"

#define CUP_TEXT                                                                                   \
    "contest: cup\n"                                                                               \
    "title: {en: Cup, ja: \"杯\"}\n"                                                              \
    "register: {approve: false, members: 3, fields: [affiliation], public: [affiliation]}\n"       \
    "submit: {languages: [python, native], file_bytes: 100000, versions_per_day: 5, keep: 2}\n"    \
    "dates: {submission_closes: 2098-07-21 24:00}\n"                                               \
    "stages:\n"                                                                                    \
    "  - {name: preliminary, players: 5, advance: 5, min_games: 10}\n"                             \
    "  - {name: final, players: 5, min_games: 10}\n"

/* Puts `text` as a JSON string behind `key`. */
static inline void cup_body(Buf *body, const char *key, const char *text)
{
    Json json = json_over(body);

    json_open(&json, '{');
    json_add_str(&json, key, str_of(text));
    json_close(&json);
}

static const Asker cup_admin = {.local = true};

/* A contest in DRAFT over the socket. `name`: in place of "cup". */
static inline void cup_make(const Host *host, const char *name)
{
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "contest: %s\n%s", name, &CUP_TEXT[sizeof("contest: cup\n") - 1]);
    cup_body(&body, "text", buf_cstr(&text));
    host_must(host, 201, "POST", "contests", &cup_admin, buf_cstr(&body), &answer);
}

static inline void cup_open(const Host *host, const char *name)
{
    CLEANUP(answer_done) Reply answer = {0};
    char path[80];

    snprintf(path, sizeof(path), "contests/%s/state", name);
    host_must(host, 200, "POST", path, &cup_admin, "{\"to\":\"OPEN\"}", &answer);
    snprintf(path, sizeof(path), "contests/%s", name);
    host_must(host, 200, "GET", path, &cup_admin, "", &answer);
    if (!str_eq(answer_text(&answer, "state"), STR("OPEN")))
        fail_msg("%s", buf_cstr(&answer.body));
}

/* A team with its captain. */
static inline void cup_team(const Host *host, const char *contest, const char *team,
                            const char *cookie)
{
    CLEANUP(answer_done) Reply answer = {0};
    Asker captain = {.cookie = cookie};
    char path[80], body[120];

    snprintf(path, sizeof(path), "contests/%s/teams", contest);
    snprintf(body, sizeof(body), "{\"name\":\"%s\",\"affiliation\":\"Home\"}", team);
    host_must(host, 201, "POST", path, &captain, body, &answer);
}

/* On a server that runs: the contest in OPEN; with it the team `wits` of ann, whose login it is. */
static inline void cup_begin(const Host *host)
{
    cup_make(host, "cup");
    cup_open(host, "cup");
}

static inline void cup_begin_team(const Host *host, char *ret_cookie)
{
    cup_begin(host);
    host_account(host, "ann", ret_cookie);
    cup_team(host, "cup", "wits", ret_cookie);
}

#endif
