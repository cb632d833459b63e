/* `warg join`: a MAW player on another machine, as an ordinary XMPP account. docs/spec/maw.md 2.3,
 * 3.6.
 */
#include "base/rng.h"
#include "cli/seed_arg.h"
#include "cmd/cmd.h"
#include "disk/regular_file.h"
#include "disk/secret.h"
#include "llm/llm_arg.h"
#include "person/maw_interface.h"
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
    ASK_USER,
    ASK_MODEL,
    INTERFACE,
    FOR,
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
    [ASK_USER] = {"ask-user", 0, OPTION_TEXT, "JID",
                  "a person elsewhere decides: the user interface agent that is asked", NULL, 0, 0},
    [ASK_MODEL] = {"ask-model", 0, OPTION_TEXT, "JID",
                   "a model elsewhere decides: the model interface agent that is asked", NULL, 0,
                   0},
    [INTERFACE] = {"interface", 0, OPTION_CHOICE, "user|model",
                   "be no player, but whom a player elsewhere (--for) asks for its decisions: user "
                   "is you at this terminal, model is --llm, or --bot random",
                   NULL, 0, 0},
    [FOR] = {"for", 0, OPTION_TEXT, "JID",
             "with --interface: the player that it is for; of a domain the first one that asks",
             NULL, 0, 0},
    [PLAIN] = {"plain", 0, OPTION_FLAG, NULL,
               "with --me and --interface user: lines only, for pipes and screen readers", NULL, 0,
               0},
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
     "language model, you, or an interface agent that is asked. With --interface it is such an\n"
     "agent, and decides for a player elsewhere. Ends when the session is over; Ctrl-C leaves it,\n"
     "and the exit status is 130.",
     OPTIONS(options),
     "  WARG_PASSWORD=secret warg join --xmpp ann@example.org --gm gm@maw.example.org --me\n"
     "  warg join -x bot1@localhost -g gm@maw.localhost --host 127.0.0.1 --tls trust --register\n"
     "  warg join -x mia@localhost -g gm@maw.localhost \\\n"
     "      --llm 'http://localhost:11434/v1,model=llama3.1,persona=a grumpy baker'\n"
     "  warg join -x bo@example.org -g gm@maw.example.org --ask-user ann@example.org\n"
     "  warg join -x ann@example.org --interface user --for bo@example.org\n"
     "  warg join -x ai@localhost --interface model --for mia@localhost \\\n"
     "      --llm 'http://localhost:11434/v1,model=llama3.1'\n",
     "no seat was got, or another client has it", NULL},
    {0}};

/* ---- what is asked for ---- */

static XmppClientSetup account_of(const Options *given)
{
    return (XmppClientSetup){
        .jid = options_text(given, XMPP),
        .host = options_text(given, HOST),
        .port = (uint16_t)(options_has(given, PORT) ? options_number(given, PORT) : 0),
        .tls = (XmppTls)options_number(given, TLS),
        .ca_file = options_text(given, CA),
        .register_account = options_has(given, REGISTER)};
}

/* An address with a name in it, where one has to be. */
static int check_address(const Options *given, size_t which, Err *err)
{
    const char *jid = options_text(given, which);

    if (!jid)
        return err_set(err, ERR_USAGE, "join: --%s is missing", options[which].name);
    if (jid_local(str_of(jid)).len == 0)
        return err_set(err, ERR_USAGE, "join: an address is name@domain, not '%s'", jid);
    return 0;
}

/* Who decides is said once, and nothing is given that would do nothing. */
static int check_options(const Options *given, Err *err)
{
    bool agent = options_has(given, INTERFACE);
    bool asks = options_has(given, ASK_USER) || options_has(given, ASK_MODEL);
    bool own = options_has(given, LLM) || options_has(given, BOT);
    int rc = check_address(given, XMPP, err);

    if (rc == 0 && !agent)
        rc = check_address(given, GM, err);
    if (rc)
        return rc;
    if (agent && !options_has(given, FOR))
        return err_set(err, ERR_USAGE, "join: --interface: say with --for for which player");
    if (agent &&
        (asks || options_has(given, ME) || options_has(given, GM) || options_has(given, NAME)))
        return err_set(err, ERR_USAGE,
                       "join: an interface agent is no player: leave out --gm, --name, --me, "
                       "--ask-user and --ask-model");
    if (options_has(given, FOR) && !agent)
        return err_set(err, ERR_USAGE, "join: --for without --interface does nothing");
    if ((options_has(given, ME) && own) || (asks && (own || options_has(given, ME))) ||
        (options_has(given, ASK_USER) && options_has(given, ASK_MODEL)))
        return err_set(err, ERR_USAGE,
                       "join: either --me, or --llm, or --bot, or --ask-user, or --ask-model");
    for (size_t which = ASK_USER; asks && which <= ASK_MODEL; which++)
        if (options_has(given, which) && (rc = check_address(given, which, err)))
            return rc;
    return 0;
}

static int check_interface(const Options *given, Err *err)
{
    bool model = options_number(given, INTERFACE) == INTERFACE_MODEL;
    bool own = options_has(given, LLM) || options_has(given, BOT);

    if (!model && own)
        return err_set(err, ERR_USAGE,
                       "join: with --interface user you decide: leave out --llm and --bot");
    if (model && !own)
        return err_set(err, ERR_USAGE,
                       "join: --interface model: say with --llm which model, or --bot random");
    if (options_has(given, BOT) && options_has(given, LLM))
        return err_set(err, ERR_USAGE, "join: either --llm, or --bot");
    if (options_has(given, BOT) && options_number(given, BOT) != MAW_BOT_RANDOM)
        return err_set(
            err, ERR_USAGE,
            "join: an interface agent is told too little for --bot talker: --bot random");
    return 0;
}

/* All but the password. */
static int make_setup(const Options *given, const LlmSpec *spec, MawJoinSetup *setup, Err *err)
{
    const char *jid = options_text(given, XMPP);
    bool model = options_has(given, ASK_MODEL);
    const char *asked = options_text(given, model ? ASK_MODEL : ASK_USER);

    *setup = (MawJoinSetup){.account = account_of(given),
                            .game_master = str_of(options_text(given, GM)),
                            .name = options_has(given, NAME) ? str_of(options_text(given, NAME))
                                                             : jid_local(str_of(jid)),
                            .only_name = options_has(given, NAME),
                            .llm = options_has(given, LLM) ? spec : NULL,
                            .bot = (MawBot)options_number(given, BOT),
                            .person = options_has(given, ME),
                            .asked = asked ? str_of(asked) : (Str){0},
                            .asks = model ? ASKS_MODEL : ASKS_USER,
                            .plain = options_has(given, PLAIN),
                            .japanese = options_number(given, LANGUAGE) == 1,
                            .quiet = options_has(given, QUIET),
                            .timeout_us = (TimeUs)options_number(given, TIMEOUT) * 1000,
                            .nonce = (uint64_t)loop_now()};
    return seed_arg(options_has(given, SEED), options_number(given, SEED), &setup->seed, err);
}

static int be_interface(const Options *given, const LlmSpec *spec, const char *password, Err *err)
{
    MawInterfaceRun setup = {.account = account_of(given),
                             .kind = (MawInterfaceKind)options_number(given, INTERFACE),
                             .owner = str_of(options_text(given, FOR)),
                             .llm = options_has(given, LLM) ? spec : NULL,
                             .plain = options_has(given, PLAIN),
                             .japanese = options_number(given, LANGUAGE) == 1,
                             .quiet = options_has(given, QUIET),
                             .nonce = (uint64_t)loop_now(),
                             .timeout_us = (TimeUs)options_number(given, TIMEOUT) * 1000};
    int rc = seed_arg(options_has(given, SEED), options_number(given, SEED), &setup.seed, err);

    setup.account.password = password;
    return rc ? rc : maw_interface_run(&setup, err);
}

int cmd_join(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf password = {0};
    LlmSpec spec = {0};
    MawJoinSetup setup;
    int go = options_parse(&cmd_join_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    bool agent = options_has(&given, INTERFACE);
    int rc = check_options(&given, err); /* all of it before a password is asked for */
    if (rc == 0 && agent)
        rc = check_interface(&given, err);
    if (rc == 0 && options_has(&given, LLM))
        rc = llm_spec_read(str_of(options_text(&given, LLM)), &spec, err);
    if (rc == 0 && options_has(&given, LLM) && spec.manner.opinions)
        rc = err_set(err, ERR_USAGE, "--llm: opinions are for who keeps the record of a game");
    if (rc == 0 && options_has(&given, CA))
        rc = regular_file_check(options_text(&given, CA), err);
    if (rc == 0 && !agent)
        rc = make_setup(&given, &spec, &setup, err);
    if (rc == 0)
        rc = secret_find(options_text(&given, PASSWORD_FILE), options_text(&given, PASSWORD_ENV),
                         "the account's password", "--password-env or --password-file", &password,
                         err);
    if (rc)
        return rc;
    if (agent)
        return be_interface(&given, &spec, buf_cstr(&password), err);
    setup.account.password = buf_cstr(&password);
    return maw_join(&setup, err);
}
