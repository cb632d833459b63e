/* cmd_token.c - `warg token`: tokens of participants and viewers of the natural-language division.
 * docs/spec/nlp-division.md 1.3, 2.1. */
#include "base/json.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "nlp/config.h"
#include "wire/jwt.h"
#include "wire/nlp_packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define DAY_S 86400

/* Every verb begins with these two. */
#define KEY_OPTION                                                                                 \
    {                                                                                              \
        "key", 'k', OPTION_TEXT, "KEY", "the secret key itself; who lists processes can see it",   \
            NULL, 0, 0                                                                             \
    }
#define ENV_OPTION                                                                                 \
    {                                                                                              \
        "env", 'e', OPTION_TEXT, "FILE",                                                           \
            "a file with a line SECRET_KEY=..., as the server reads it", ".env", 0, 0              \
    }
#define DAYS_OPTION                                                                                \
    {                                                                                              \
        "days", 'd', OPTION_UINT, "N", "days until the token expires; without it never", NULL, 1,  \
            36500                                                                                  \
    }

enum { KEY, ENV, DAYS, TEAM };
enum { CHECK_JSON = DAYS };
static const Option player_options[] = {
    [KEY] = KEY_OPTION,
    [ENV] = ENV_OPTION,
    [DAYS] = DAYS_OPTION,
    [TEAM] = {"team", 't', OPTION_TEXT, "NAME",
              "the team: what its agents are called, without the number behind it", NULL, 0, 0},
};
static const Option receiver_options[] = {
    [KEY] = KEY_OPTION,
    [ENV] = ENV_OPTION,
    [DAYS] = DAYS_OPTION,
};
static const Option check_options[] = {
    [KEY] = KEY_OPTION,
    [ENV] = ENV_OPTION,
    [CHECK_JSON] = {"json", 0, OPTION_FLAG, NULL, "print the claims as JSON", NULL, 0, 0},
};

static int token_player(int argc, char **argv, Err *err);
static int token_receiver(int argc, char **argv, Err *err);
static int token_check(int argc, char **argv, Err *err);

const Usage cmd_token_usage[] = {
    {"token player", "",
     "Prints a token with which the agents of one team may play on 'warg serve nlp' with\n"
     "authentication. The key is --key, else the environment's SECRET_KEY, else that of --env.",
     OPTIONS(player_options),
     "warg token player --team kanolab\n"
     "warg token player --team kanolab --days 30 --env contest.env\n",
     NULL, token_player},
    {"token receiver", "",
     "Prints a token with which a viewer may read realtime files and the API. The key is --key,\n"
     "else the environment's SECRET_KEY, else that of --env.",
     OPTIONS(receiver_options), "warg token receiver --days 7\n", NULL, token_receiver},
    {"token check", "TOKEN|-",
     "Says whether a token (- reads it from standard input) is good with this key, and what it\n"
     "claims. The key is --key, else the environment's SECRET_KEY, else that of --env.",
     OPTIONS(check_options),
     "warg token check eyJhbGciOiJIUzI1NiIs...\n"
     "warg token player --team kanolab | warg token check -\n",
     "the token is not valid", token_check},
    {0},
};

/* The secret, appended to `key`. */
static int find_key(const Options *given, Buf *key, Err *err)
{
    const char *secret = options_text(given, KEY);
    DotEnv *env = NULL;
    int rc = 0;

    if (!secret && !(rc = dotenv_load(options_text(given, ENV), &env, err)))
        secret = dotenv_get(env, "SECRET_KEY");
    buf_add(key, str_of(secret));
    dotenv_free(env);
    if (rc == 0 && key->len == 0)
        rc = err_set(err, ERR_USAGE,
                     "there is no secret key: set SECRET_KEY in the environment or in a file that "
                     "--env names, or give --key");
    return rc;
}

/* Digits at the end number a team's connections, so that a team can't have them in its name. */
static int check_team(Str team, Err *err)
{
    Str whole = nlp_team_of(team);

    if (team.len == 0)
        return err_set(err, ERR_USAGE, "token player: expected --team NAME");
    if (!utf8_valid(team))
        return err_set(err, ERR_USAGE, "the name of the team is not UTF-8");
    if (team.len >= JWT_TEXT_MAX)
        return err_set(err, ERR_USAGE, "the name of the team is longer than %d bytes",
                       JWT_TEXT_MAX - 1);
    if (whole.len == 0)
        return err_set(err, ERR_USAGE, "'%.*s' has only digits: nothing is left as a team",
                       STR_ARG(team));
    if (whole.len < team.len)
        return err_set(err, ERR_USAGE,
                       "'%.*s' ends in digits: those number a team's connections, and the server "
                       "would take its agents for the team '%.*s'",
                       STR_ARG(team), STR_ARG(whole));
    return 0;
}

static int make_claims(const Options *given, JwtClaims *claims, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(buf_done) Buf token = {0};
    int64_t now = time(NULL);
    int rc = find_key(given, &key, err);

    if (options_has(given, DAYS))
        claims->expires = now + (int64_t)options_number(given, DAYS) * DAY_S;
    if (rc == 0)
        rc = jwt_make(claims, now, buf_str(&key), &token, err);
    if (rc == 0 && (buf_failed(&key) || buf_failed(&token)))
        rc = err_set(err, ERR_MEMORY, "token: out of memory");
    if (rc == 0)
        printf("%s\n", buf_cstr(&token));
    return rc;
}

static int token_player(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    JwtClaims claims = {.role = "PLAYER"};
    int go = options_parse(&cmd_token_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    Str team = str_of(options_text(&given, TEAM));
    int rc = check_team(team, err);
    if (rc)
        return rc;
    memcpy(claims.team, team.bytes, team.len);
    return make_claims(&given, &claims, err);
}

static int token_receiver(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    JwtClaims claims = {.role = "RECEIVER"};
    int go = options_parse(&cmd_token_usage[1], argc, argv, &given, err);

    return go <= 0 ? go : make_claims(&given, &claims, err);
}

/* ---- check ---- */

static void print_time(const char *what, int64_t unix_s, Buf *out)
{
    char text[32];
    time_t when = (time_t)unix_s;
    struct tm utc;

    if (gmtime_r(&when, &utc) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &utc))
        buf_printf(out, "%s  %s\n", what, text);
    else
        buf_printf(out, "%s  %" PRId64 "\n", what, unix_s);
}

static void print_claims(const JwtClaims *claims, Buf *out)
{
    buf_printf(out, "valid\nrole     %s\n", claims->role);
    if (claims->team[0]) {
        buf_add(out, STR("team     "));
        utf8_add_printable(str_of(claims->team), JWT_TEXT_MAX, out);
        buf_add_char(out, '\n');
    }
    if (claims->not_before)
        print_time("begins ", claims->not_before, out);
    if (claims->expires)
        print_time("expires", claims->expires, out);
    else
        buf_add(out, STR("expires  never\n"));
}

/* {"valid": true, ...}, or false with the reason; `claims` is NULL then. */
static void print_json(const JwtClaims *claims, const char *why, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_bool(&json, "valid", claims != NULL);
    if (claims) {
        json_add_str(&json, "role", str_of(claims->role));
        json_add_str(&json, "team", str_of(claims->team));
        json_add_int(&json, "nbf", claims->not_before);
        json_add_int(&json, "exp", claims->expires);
    } else {
        json_add_str(&json, "reason", str_of(why));
    }
    json_close(&json);
    buf_add_char(out, '\n');
}

/* The token of the command line, or the first line of standard input. */
static int read_token(const Options *given, Buf *token, Err *err)
{
    char line[JWT_BYTES_MAX + 2];

    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "expected one token, found %d", given->argument_count);
    if (!str_eq(str_of(given->arguments[0]), STR("-")))
        buf_add(token, str_trim(str_of(given->arguments[0])));
    else if (fgets(line, sizeof(line), stdin))
        buf_add(token, str_trim(str_of(line)));
    return buf_failed(token) ? err_set(err, ERR_MEMORY, "token check: out of memory") : 0;
}

/* A good signature is not all: the server asks for these. */
static int check_claims(const JwtClaims *claims, Err *err)
{
    Str role = str_of(claims->role);

    if (str_eq(role, STR("RECEIVER")) || (str_eq(role, STR("PLAYER")) && claims->team[0]))
        return 0;
    return err_set(err, ERR_RULE, "token: it is neither of a RECEIVER nor of a PLAYER with a team");
}

static int token_check(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(buf_done) Buf token = {0};
    CLEANUP(buf_done) Buf out = {0};
    JwtClaims claims = {0};
    Err why = {0};
    int go = options_parse(&cmd_token_usage[2], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = read_token(&given, &token, err);
    if (rc == 0)
        rc = find_key(&given, &key, err);
    if (rc)
        return rc;
    int bad = jwt_check(buf_str(&token), buf_str(&key), time(NULL), &claims, &why);
    if (bad == 0)
        bad = check_claims(&claims, &why);
    if (options_has(&given, CHECK_JSON))
        print_json(bad ? NULL : &claims, why.msg, &out);
    else if (bad)
        buf_printf(&out, "%s\n", why.msg);
    else
        print_claims(&claims, &out);
    if (bad == ERR_MEMORY || buf_failed(&out))
        return err_set(err, ERR_MEMORY, "token check: out of memory");
    fputs(buf_cstr(&out), stdout);
    return bad ? EXIT_DISAGREE : 0;
}

int cmd_token(int argc, char **argv, Err *err)
{
    return options_run_verb("token", cmd_token_usage, argc, argv, err);
}
