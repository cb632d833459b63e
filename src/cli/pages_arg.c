#include "cli/pages_arg.h"

#include "cli/live_arg.h"
#include "net/web_gate.h"
#include "serve/operator_token.h"

/* What would do nothing is a mistake, as a --web that was forgotten. */
static int check_alone(const Options *given, size_t first, Err *err)
{
    static const char *const names[] = {
        [PAGES_DELAY] = "delay", [PAGES_NAMES] = "names", [PAGES_PUBLIC_HOST] = "public-host"};

    for (size_t i = PAGES_DELAY; i < PAGES_OPTION_COUNT; i++)
        if (options_has(given, first + i))
            return err_set(err, ERR_USAGE, "--%s goes with --web", names[i]);
    return 0;
}

static int read_names(const Options *given, size_t which, PagesArg *arg, Err *err)
{
    const char *name;
    Err own = {0};

    for (uint32_t i = 0; (name = options_item(given, which, i)); i++) {
        if (i == PAGES_NAMES_MAX)
            return err_set(err, ERR_USAGE, "at most %d --public-host", PAGES_NAMES_MAX);
        if (web_gate_host_check(str_of(name), &own))
            return err_set(err, ERR_USAGE, "--public-host: %s", own.msg);
        arg->names[i] = str_of(name);
        arg->setup.name_count = i + 1;
    }
    arg->setup.names = arg->names;
    return 0;
}

int pages_arg_read(const Options *given, size_t first, Str token, const char *operator_file,
                   bool always, PagesArg *ret, Err *err)
{
    static const LiveNames who[] = {LIVE_NAMES_AT_END, LIVE_NAMES_SHOWN, LIVE_NAMES_HIDDEN};
    const char *web = options_text(given, first + PAGES_WEB);
    LivePagesSetup *setup = &ret->setup;

    if (!web && !always)
        return check_alone(given, first, err);
    setup->delay = (TimeUs)options_number(given, first + PAGES_DELAY) * 1000;
    setup->who = who[options_number(given, first + PAGES_NAMES)];
    int rc = web ? live_arg_address("web", web, &ret->host, &setup->port, err) : 0;
    setup->host = web ? buf_cstr(&ret->host) : NULL;
    if (rc == 0)
        rc = read_names(given, first + PAGES_PUBLIC_HOST, ret, err);
    if (rc == 0 && token.len == 0)
        rc = operator_token(operator_file, &ret->token, err);
    setup->operator_token = token.len ? token : buf_str(&ret->token);
    return rc;
}

void pages_arg_done(PagesArg *arg)
{
    buf_done(&arg->host);
    buf_done(&arg->token);
}
