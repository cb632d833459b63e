/* `warg join`: a MAW player on another machine, as an ordinary XMPP account. docs/spec/maw.md 2.3,
 * 3.6.
 */
#include "base/rng.h"
#include "cmd/cmd.h"
#include "cmd/seed_arg.h"
#include "disk/regular_file.h"
#include "disk/secret.h"
#include "llm/llm_arg.h"
#include "person/maw_join.h"

#include <assert.h>

enum {
    XMPP,
    GM,
    NAME,
    PASSWORD_ENV,
    PASSWORD_FILE,
    HOST,
    PORT,
    TLS,
    CA,
    REGISTER,
    BOT,
    LLM,
    ME,
    PLAIN,
    LANGUAGE,
    TIMEOUT,
    SEED,
    QUIET,
};

static const Option options[] = {
    [XMPP] = {"xmpp", 'x', OPTION_TEXT, "JID", "the account that plays, name@domain", NULL, 0, 0},
    [GM] = {"gm", 'g', OPTION_TEXT, "JID", "the game master, as in gm@maw.example.org", NULL, 0, 0},
    [NAME] = {"name", 'n', OPTION_TEXT, "NAME",
              "the name at the table; without it the account's, or one like it", NULL, 0, 0},
    [PASSWORD_ENV] = {"password-env", 0, OPTION_TEXT, "VARIABLE",
                      "the environment variable that holds the account's password", "WARG_PASSWORD",
                      0, 0},
    [PASSWORD_FILE] = {"password-file", 0, OPTION_TEXT, "FILE",
                       "a file whose first line is the password", NULL, 0, 0},
    [HOST] = {"host", 0, OPTION_TEXT, "HOST", "the server, where the domain's DNS does not say it",
              NULL, 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "PORT", "its port", NULL, 1, 65535},
    [TLS] =
        {"tls", 0, OPTION_CHOICE, "required|trust|optional|off",
         "required checks the certificate, trust takes any, optional and off are for servers on "
         "this machine",
         "required", 0, 0},
    [CA] = {"ca", 0, OPTION_TEXT, "FILE", "the certificates to trust, PEM; without it the system's",
            NULL, 0, 0},
    [REGISTER] = {"register", 0, OPTION_FLAG, NULL,
                  "make the account first, if the server lets anybody do that", NULL, 0, 0},
    [BOT] = {"bot", 'b', OPTION_CHOICE, "random|talker", "a built-in bot decides", "talker", 0, 0},
    [LLM] = {"llm", 0, OPTION_TEXT, "SPEC",
             "a language model decides: URL,model=NAME,persona=TEXT, or demo", NULL, 0, 0},
    [ME] = {"me", 'm', OPTION_FLAG, NULL, "you decide, at this terminal", NULL, 0, 0},
    [PLAIN] = {"plain", 0, OPTION_FLAG, NULL, "with --me: lines only, for pipes and screen readers",
               NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of prompts and of the terminal", "en", 0,
                  0},
    [TIMEOUT] = {"timeout", 0, OPTION_DURATION, "TIME",
                 "how long to try to connect, and then to ask for a seat", "60s", 1000, 86400000},
    [SEED] = {"seed", 's', OPTION_UINT, "S", "decides all chance of the bot", NULL, 0, UINT64_MAX},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL, "do not print what is heard", NULL, 0, 0},
};

const Usage cmd_join_usage[] = {
    {"join", "",
     "Plays MAW in somebody else's game, on an XMPP server: one player, decided by a bot, a\n"
     "language model or you. Ends when the session is over; Ctrl-C leaves it, and the exit status\n"
     "is 130.",
     OPTIONS(options),
     "  WARG_PASSWORD=secret warg join --xmpp ann@example.org --gm gm@maw.example.org --me\n"
     "  warg join -x bot1@localhost -g gm@maw.localhost --host 127.0.0.1 --tls trust --register\n"
     "  warg join -x mia@localhost -g gm@maw.localhost \\\n"
     "      --llm 'http://localhost:11434/v1,model=llama3.1,persona=a grumpy baker'\n",
     "no seat was got, or another client has it", NULL},
    {0}};

/* ---- what is asked for ---- */

/* All but the password. */
static int make_setup(const Options *given, LlmSpec *spec, MawJoinSetup *setup, Err *err)
{
    const char *jid = options_text(given, XMPP);
    const char *gm = options_text(given, GM);
    const char *llm = options_text(given, LLM);
    int rc = 0;

    if (!jid || !gm)
        return err_set(err, ERR_USAGE, "join: --%s is missing", jid ? "gm" : "xmpp");
    if (jid_local(str_of(jid)).len == 0 || jid_local(str_of(gm)).len == 0)
        return err_set(err, ERR_USAGE, "join: an address is name@domain, not '%s'",
                       jid_local(str_of(jid)).len == 0 ? jid : gm);
    if (options_has(given, ME) && (llm || options_has(given, BOT)))
        return err_set(err, ERR_USAGE, "join: either --me, or --llm, or --bot");
    *setup = (MawJoinSetup){
        .account = {.jid = jid,
                    .host = options_text(given, HOST),
                    .port = (uint16_t)(options_has(given, PORT) ? options_number(given, PORT) : 0),
                    .tls = (XmppTls)options_number(given, TLS),
                    .ca_file = options_text(given, CA),
                    .register_account = options_has(given, REGISTER)},
        .game_master = str_of(gm),
        .name =
            options_has(given, NAME) ? str_of(options_text(given, NAME)) : jid_local(str_of(jid)),
        .only_name = options_has(given, NAME),
        .bot = (MawBot)options_number(given, BOT),
        .person = options_has(given, ME),
        .plain = options_has(given, PLAIN),
        .japanese = options_number(given, LANGUAGE) == 1,
        .quiet = options_has(given, QUIET),
        .timeout_us = (TimeUs)options_number(given, TIMEOUT) * 1000};
    if (llm) {
        rc = llm_spec_read(str_of(llm), spec, err);
        if (rc == 0 && spec->manner.opinions)
            rc = err_set(err, ERR_USAGE, "--llm: opinions are for who keeps the record of a game");
        setup->llm = spec;
    }
    if (rc == 0 && setup->account.ca_file)
        rc = regular_file_check(setup->account.ca_file, err);
    if (rc == 0)
        rc = seed_arg(options_has(given, SEED), options_number(given, SEED), &setup->seed, err);
    return rc;
}

int cmd_join(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf password = {0};
    LlmSpec spec;
    MawJoinSetup setup;
    int go = options_parse(&cmd_join_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = make_setup(&given, &spec, &setup, err); /* before a password is asked for */
    if (rc == 0)
        rc = secret_find(options_text(&given, PASSWORD_FILE), options_text(&given, PASSWORD_ENV),
                         "the account's password", "--password-env or --password-file", &password,
                         err);
    if (rc)
        return rc;
    setup.account.password = buf_cstr(&password);
    return maw_join(&setup, err);
}
