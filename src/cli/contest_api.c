#include "cli/contest_api.h"

#include "api/api_client.h"
#include "base/exit_status.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/size_text.h"
#include "disk/secret.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#define TOKEN_ENV    "WARG_CONTEST_TOKEN"
#define PASSWORD_ENV "WARG_CONTEST_PASSWORD"
#define POLL_MS      1000
#define PATH_ROOM    400

enum { TO, LANGUAGE, ENTRY, TEAM, NOTE, TOKEN_FILE, NO_WAIT, JSON_OUT };
const Option contest_submit_options[CONTEST_SUBMIT_OPTIONS] = {
    [TO] = {"to", 0, OPTION_TEXT, "URL", "the contest: the site's URL and /NAME behind it", NULL, 0,
            0},
    [LANGUAGE] = {"language", 'l', OPTION_CHOICE, "java|dotnet|python|native",
                  "what the agent is written in", NULL, 0, 0},
    [ENTRY] = {"entry", 'e', OPTION_TEXT, "ENTRY", "player class, script or program in the file",
               NULL, 0, 0},
    [TEAM] = {"team", 0, OPTION_TEXT, "NAME", "your team; needed when you are in several", NULL, 0,
              0},
    [NOTE] = {"note", 0, OPTION_TEXT, "TEXT", "a note for your team", NULL, 0, 0},
    [TOKEN_FILE] = {"token-file", 0, OPTION_TEXT, "FILE",
                    "a file with the token; else " TOKEN_ENV " has it", NULL, 0, 0},
    [NO_WAIT] = {"no-wait", 0, OPTION_FLAG, NULL, "do not wait for its check", NULL, 0, 0},
    [JSON_OUT] = {"json", 0, OPTION_FLAG, NULL, "print the version as JSON", NULL, 0, 0},
};

const char contest_submit_text[] =
    "Hands in a version of an agent, and waits until it has been unpacked, built and checked. "
    "What\n"
    "is wrong with it is printed. The token is one of 'warg contest token', or of your page.";
const char contest_submit_examples[] =
    "warg contest submit --to https://contest.example.org/cup2027 --language python --entry "
    "start.py team_foo.zip\n";

enum { AT };
const Option contest_environment_options[CONTEST_ENVIRONMENT_OPTIONS] = {
    [AT] = {"to", 0, OPTION_TEXT, "URL", "the contest: the site's URL and /NAME behind it", NULL, 0,
            0},
};
const char contest_environment_text[] = "Prints where versions of a contest run: kernel, "
                                        "processors, runtimes, limits, digests of what\n"
                                        "the platform puts in front. As JSON.";
const char contest_environment_examples[] =
    "warg contest environment --to https://contest.example.org/cup2027\n";

enum { SITE, LOGIN, LABEL, SCOPE, DAYS, PASSWORD_FILE };
const Option contest_token_options[CONTEST_TOKEN_OPTIONS] = {
    [SITE] = {"to", 0, OPTION_TEXT, "URL", "the site's URL", NULL, 0, 0},
    [LOGIN] = {"login", 0, OPTION_TEXT, "LOGIN", "your login there", NULL, 0, 0},
    [LABEL] = {"label", 0, OPTION_TEXT, "TEXT", "what it is for", "command line", 0, 0},
    [SCOPE] = {"scope", 0, OPTION_LIST, "read|submit|judge|organise",
               "what may be done with it; give it again for more (read and submit)", NULL, 0, 0},
    [DAYS] = {"days", 0, OPTION_UINT, "N", "how long it works", "180", 1, 3650},
    [PASSWORD_FILE] = {"password-file", 0, OPTION_TEXT, "FILE",
                       "a file with your password; else " PASSWORD_ENV " has it", NULL, 0, 0},
};
const char contest_token_text[] = "Makes a token for scripts: with it 'warg contest submit' acts "
                                  "for you, and can do no more than\n"
                                  "its scopes say. It is printed once.";
const char contest_token_examples[] =
    "warg contest token --to https://contest.example.org --login ann --scope submit > token\n";

/* ---- a contest's URL ---- */

typedef struct ContestAt {
    Buf site; /* "https://contest.example.org" */
    Buf name; /* "cup2027" */
    Buf token;
} ContestAt;

static void contest_at_done(ContestAt *at)
{
    buf_done(&at->site);
    buf_done(&at->name);
    buf_done(&at->token);
}

static int read_url(const char *url, ContestAt *at, Err *err)
{
    Str text = str_of(url ? url : "");
    size_t slash = 0;

    while (text.len && text.bytes[text.len - 1] == '/')
        text.len--;
    if (!text.len)
        return err_set(err, ERR_USAGE, "name the contest: --to https://SITE/CONTEST");
    if (!str_find_last(text, '/', &slash) || slash < 8 || text.bytes[slash - 1] == '/')
        return err_set(err, ERR_USAGE, "--to: the contest's name is missing behind the site's URL");
    buf_add(&at->site, str_part(text, 0, slash));
    buf_add(&at->name, str_part(text, slash + 1, SIZE_MAX));
    for (size_t i = 0; i < at->name.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", at->name.bytes[i]))
            return err_set(err, ERR_USAGE, "--to: '%s' is no contest's name", buf_cstr(&at->name));
    return 0;
}

static int open_client(const ContestAt *at, ApiClient **ret_client, Err *err)
{
    const ApiClientSetup setup = {.url = buf_cstr(&at->site),
                                  .token = at->token.len ? buf_cstr(&at->token) : NULL};

    return api_client_open(&setup, ret_client, err);
}

/* A name as a segment of a path. */
static void add_segment(Buf *path, Str name)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.bytes[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-_.", c);
        if (plain && c)
            buf_add_char(path, (char)c);
        else
            buf_printf(path, "%%%02X", c);
    }
}

/* ---- submit ---- */

/* The one team that the token's account has in the contest. */
static int find_team(ApiClient *client, const ContestAt *at, Buf *team, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    int rc = api_ask(client, "GET", "account", STR(""), &reply, err);

    if (rc)
        return rc;
    const json_t *teams = reply.json ? json_get(reply.json, "teams") : NULL;
    for (size_t i = 0; i < json_count(teams); i++)
        if (str_eq(json_text(json_at(teams, i), "contest"), buf_str(&at->name)))
            buf_add(team, json_text(json_at(teams, i), "team"));
    return team->len ? 0 : err_set(err, ERR_RULE, "you are in no team of %s", buf_cstr(&at->name));
}

static int make_version(ApiClient *client, const ContestAt *at, const Options *given, Buf *ret_id,
                        Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf team = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    Str form;
    int rc = 0;

    if (options_has(given, TEAM))
        buf_add(&team, str_of(options_text(given, TEAM)));
    else
        rc = find_team(client, at, &team, err);
    if (rc)
        return rc;
    form = str_of(options_text(given, LANGUAGE));
    json_open(&json, '{');
    json_add_str(&json, "language", form);
    json_add_str(&json, "entry", str_of(options_text(given, ENTRY)));
    json_add_str(&json, "note", str_of(options_text(given, NOTE)));
    json_close(&json);
    buf_printf(&path, "contests/%s/teams/", buf_cstr(&at->name));
    add_segment(&path, buf_str(&team));
    buf_add(&path, STR("/versions"));
    rc = api_ask(client, "POST", buf_cstr(&path), buf_str(&body), &reply, err);
    if (rc == 0 && reply.json)
        buf_add(ret_id, json_text(reply.json, "id"));
    return rc;
}

/* Whether nothing more happens to it by itself. */
static bool is_settled(Str state)
{
    static const char *const settled[] = {"PASSED",  "ACTIVE",    "REFUSED",
                                          "RETIRED", "SUSPENDED", NULL};

    for (size_t i = 0; settled[i]; i++)
        if (str_eq(state, str_of(settled[i])))
            return true;
    return false;
}

static int wait_for_check(ApiClient *client, const char *path, bool quiet, ApiReply *reply,
                          Err *err)
{
    CLEANUP(buf_done) Buf last = {0};
    int rc = 0;

    while (rc == 0 && reply->json && !is_settled(json_text(reply->json, "state"))) {
        Str state = json_text(reply->json, "state");
        if (!quiet && !str_eq(state, buf_str(&last))) {
            fprintf(stderr, "%.*s ...\n", STR_ARG(state));
            buf_clear(&last);
            buf_add(&last, state);
        }
        poll(NULL, 0, POLL_MS);
        rc = api_ask(client, "GET", path, STR(""), reply, err);
    }
    return rc;
}

static void print_received(const ApiReply *reply)
{
    CLEANUP(buf_done) Buf size = {0};

    size_text_write((uint64_t)json_number(reply->json, "bytes"), &size);
    printf("version %lld received, sha256 %.*s, %s bytes\n",
           (long long)json_number(reply->json, "number"), STR_ARG(json_text(reply->json, "sha256")),
           buf_cstr(&size));
    fflush(stdout);
}

static int print_verdict(const ApiReply *reply, bool as_json)
{
    Str state = json_text(reply->json, "state");
    bool refused = str_eq(state, STR("REFUSED"));

    if (as_json)
        printf("%s\n", buf_cstr(&reply->body));
    else if (refused)
        printf("refused: %.*s\n", STR_ARG(json_text(reply->json, "why")));
    else
        printf("%.*s\n", STR_ARG(state));
    return refused ? EXIT_DISAGREE : EXIT_OK;
}

static int send_file(ApiClient *client, const ContestAt *at, const Options *given, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf id = {0};
    char path[PATH_ROOM];
    bool as_json = options_has(given, JSON_OUT);
    int rc = make_version(client, at, given, &id, err);

    if (rc)
        return rc;
    snprintf(path, sizeof(path), "contests/%s/versions/%s/file", buf_cstr(&at->name),
             buf_cstr(&id));
    rc = api_put_file(client, path, given->arguments[0], &reply, err);
    if (rc == 0 && !reply.json)
        rc = err_set(err, ERR_IO, "the site's answer can't be read");
    if (rc)
        return rc;
    if (!as_json)
        print_received(&reply);
    snprintf(path, sizeof(path), "contests/%s/versions/%s", buf_cstr(&at->name), buf_cstr(&id));
    if (!options_has(given, NO_WAIT))
        rc = wait_for_check(client, path, as_json, &reply, err);
    return rc ? rc : print_verdict(&reply, as_json);
}

int contest_submit(const Options *given, Err *err)
{
    CLEANUP(contest_at_done) ContestAt at = {0};
    CLEANUP(api_client_freep) ApiClient *client = NULL;

    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "contest submit: name one file");
    if (!options_has(given, LANGUAGE))
        return err_set(err, ERR_USAGE,
                       "contest submit: say --language java, dotnet, python or native");
    if (access(given->arguments[0], R_OK))
        return err_set(err, ERR_IO, "'%s' can't be read", given->arguments[0]);
    int rc = read_url(options_text(given, TO), &at, err);
    if (rc == 0)
        rc = secret_find(options_text(given, TOKEN_FILE), TOKEN_ENV, "the token", "--token-file",
                         &at.token, err);
    if (rc == 0)
        rc = open_client(&at, &client, err);
    return rc ? rc : send_file(client, &at, given, err);
}

/* ---- environment ---- */

int contest_environment(const Options *given, Err *err)
{
    CLEANUP(contest_at_done) ContestAt at = {0};
    CLEANUP(api_client_freep) ApiClient *client = NULL;
    CLEANUP(api_reply_done) ApiReply reply = {0};
    char path[PATH_ROOM];
    int rc = read_url(options_text(given, AT), &at, err);

    if (rc == 0)
        rc = open_client(&at, &client, err);
    snprintf(path, sizeof(path), "contests/%s/environment", buf_cstr(&at.name));
    if (rc == 0)
        rc = api_ask(client, "GET", path, STR(""), &reply, err);
    if (rc == 0)
        printf("%s\n", buf_cstr(&reply.body));
    return rc;
}

/* ---- token ---- */

static void write_wish(const Options *given, Buf *body)
{
    Json json = json_over(body);
    const char *scope;

    json_open(&json, '{');
    json_add_str(&json, "label", str_of(options_text(given, LABEL)));
    json_add_uint(&json, "days", options_number(given, DAYS));
    json_key(&json, STR("scopes"));
    json_open(&json, '[');
    for (size_t i = 0; (scope = options_item(given, SCOPE, i)); i++)
        json_put_str(&json, str_of(scope));
    if (!options_has(given, SCOPE)) {
        json_put_str(&json, STR("read"));
        json_put_str(&json, STR("submit"));
    }
    json_close(&json);
    json_close(&json);
}

int contest_token(const Options *given, Err *err)
{
    CLEANUP(api_client_freep) ApiClient *client = NULL;
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf password = {0};
    CLEANUP(buf_done) Buf body = {0};
    const ApiClientSetup setup = {.url = options_text(given, SITE)};

    if (!options_has(given, SITE) || !options_has(given, LOGIN))
        return err_set(err, ERR_USAGE, "contest token: give --to and --login");
    int rc = secret_find(options_text(given, PASSWORD_FILE), PASSWORD_ENV, "the password",
                         "--password-file", &password, err);
    if (rc == 0)
        rc = api_client_open(&setup, &client, err);
    if (rc == 0)
        rc = api_log_in_as(client, str_of(options_text(given, LOGIN)), buf_str(&password), err);
    write_wish(given, &body);
    if (rc == 0)
        rc = api_ask(client, "POST", "account/tokens", buf_str(&body), &reply, err);
    if (rc == 0 && reply.json)
        printf("%.*s\n", STR_ARG(json_text(reply.json, "token")));
    return rc;
}

int contest_api_run(Str verb, const Options *given, Err *err)
{
    if (str_eq(verb, STR("submit")))
        return contest_submit(given, err);
    return str_eq(verb, STR("token")) ? contest_token(given, err) : contest_environment(given, err);
}
