#include "cmd/log_exchange.h"

#include "base/exit_status.h"
#include "journal/journal.h"
#include "show/exchange_show.h"

#include <stdio.h>

enum { SEAT, JSON, LANGUAGE };
const Option log_exchange_options[LOG_EXCHANGE_OPTION_COUNT] = {
    [SEAT] = {"seat", 's', OPTION_UINT, "N",
              "only this seat, request by request, with the packets that it was sent", NULL, 1,
              SEAT_MAX},
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "one JSON object a line", NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the table", "en", 0, 0},
};

int log_exchange(const Usage *usage, int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(exchange_show_done) ExchangeShow show = {0};
    ExchangeFinding finding = {.ok = true};
    bool played = false;
    int rc = options_parse(usage, argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "log exchange: name one game, DIR/NUMBER, or one file");
    show.seat = options_has(&given, SEAT) ? (SeatNo)options_number(&given, SEAT) : SEAT_NONE;
    show.json = options_has(&given, JSON);
    show.japanese = options_number(&given, LANGUAGE) == 1;
    rc = exchange_show_read(&show, given.arguments[0], &played, &finding, err);
    fwrite(buf_cstr(&show.out), 1, show.out.len, stdout);
    if (rc)
        return rc;
    if (!played)
        fprintf(stderr, "the key of this game is not known here: the packets are not shown, and "
                        "nothing is played again\n");
    if (!finding.ok)
        fprintf(stderr, "line %u of the record: %s\n", finding.line, finding.reason);
    return finding.ok ? EXIT_OK : EXIT_DISAGREE;
}

/* How findings of one folder are printed. */
typedef struct Printing {
    const char *dir;
    bool json, quiet;
} Printing;

static void print_finding(void *user, const char *path, const ExchangeFinding *finding)
{
    const Printing *printing = user;
    CLEANUP(buf_done) Buf line = {0};

    if (finding->ok && printing->quiet)
        return;
    exchange_finding_write(printing->dir, path, finding, printing->json, &line);
    fwrite(buf_cstr(&line), 1, line.len, stdout);
}

static int check_folder(Printing *printing, bool *ret_ok, Err *err)
{
    CLEANUP(exchange_folder_done) ExchangeFolder folder = {0};
    CLEANUP(buf_done) Buf line = {0};
    ExchangeCounts counts = {0};
    int rc = exchange_folder_open(&folder, printing->dir, err);

    if (rc || !folder.records)
        return rc;
    rc = exchange_folder_check(&folder, print_finding, printing, &counts, err);
    *ret_ok = *ret_ok && counts.bad == 0;
    exchange_counts_write(&counts, &line);
    if (rc == 0 && !printing->json)
        fwrite(buf_cstr(&line), 1, line.len, stdout);
    return rc;
}

int log_exchange_check(const Options *given, bool json, bool quiet, bool *ret_ok, Err *err)
{
    int rc = 0;

    *ret_ok = true;
    for (int i = 0; rc == 0 && i < given->argument_count; i++) {
        Printing printing = {given->arguments[i], json, quiet};
        if (journal_exists(printing.dir))
            rc = check_folder(&printing, ret_ok, err);
    }
    return rc;
}
