#include "nlp/result_journal.h"

#include "base/json.h"
#include "journal/journal.h"

/* How the plan of these journals begins. */
#define PLAN_START "{\"division\":\"nlp\""

struct ResultJournal {
    Buf dir;
    Journal *journal; /* NULL: BROKEN */
    DateMs *date;     /* of faults */
    OperatorActs *acts;
    uint64_t next; /* number of the game that begins next */
    bool found;    /* it was there at the beginning */
    Buf logs;      /* of the games that it had then, but for void ones, each with a newline on
                      both sides */
    void (*written)(void *user);
    void *written_user;

    /* Tickets are numbers of games that were added, from 1 on. */
    uint64_t added;
    uint64_t opened_at;  /* the last ticket of the journal before this one */
    uint64_t lost_after; /* of those, the tickets after this one are lost */
    Err trouble;         /* why */
};

/* ---- what is there already ---- */

static int hear_plan(void *user, Str plan, Err *err)
{
    (void)user;
    if (str_starts(plan, STR(PLAN_START)))
        return 0;
    return err_set(err, ERR_USAGE,
                   "it is of another division: give the server another folder for its logs");
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    ResultJournal *results = user;

    if (record->game >= results->next)
        results->next = record->game + 1;
    if (!record->is_void) {
        buf_add(&results->logs, str_of(record->log));
        buf_add_char(&results->logs, '\n');
    }
    return buf_failed(&results->logs) ? err_set(err, ERR_MEMORY, "out of memory") : 0;
}

static int hear_act(void *user, const OperatorAct *act, Err *err)
{
    const ResultJournal *results = user;

    return operator_acts_add(results->acts, act, err);
}

/* Two servers can't write one journal. */
static int take_up(ResultJournal *results, Err *err)
{
    Err own = {0};
    int rc = journal_continue(buf_cstr(&results->dir), &results->journal, &own);

    if (rc == ERR_USAGE)
        return err_set(err, ERR_IO,
                       "results in '%s' are kept by another server: give this one a "
                       "game_logger.output_dir of its own",
                       buf_cstr(&results->dir));
    return rc ? err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg) : 0;
}

static int go_on(ResultJournal *results, Err *err)
{
    const char *dir = buf_cstr(&results->dir);
    const JournalListener listener = {
        .plan = hear_plan, .game = hear_game, .act = hear_act, .user = results};

    results->found = true;
    buf_add_char(&results->logs, '\n');
    int rc = journal_read(dir, &listener, NULL, err);
    return rc ? rc : take_up(results, err);
}

ResultKnown result_journal_knows(const ResultJournal *results, Str log)
{
    CLEANUP(buf_done) Buf wanted = {0};

    buf_printf(&wanted, "\n%.*s\n", STR_ARG(log));
    if (!results->found || buf_failed(&wanted))
        return RESULT_UNKNOWN;
    return strstr(buf_cstr(&results->logs), buf_cstr(&wanted)) ? RESULT_KEPT : RESULT_LACKING;
}

/* ---- life ---- */

/* What all its games have in common. */
static int begin(ResultJournal *results, const Ruleset *rules, Err *err)
{
    CLEANUP(buf_done) Buf plan = {0};
    Json json = json_over(&plan);

    json_open(&json, '{');
    json_add_str(&json, "division", STR("nlp"));
    json_key(&json, STR("rules"));
    json_open(&json, '{');
    json_add_str(&json, "ruleset", str_of(rules->name));
    json_close(&json);
    json_close(&json);
    if (buf_failed(&plan))
        return err_set(err, ERR_MEMORY, "results: out of memory");
    return journal_begin(buf_cstr(&results->dir), buf_str(&plan), &results->journal, err);
}

int result_journal_open(const char *dir, const Ruleset *rules, DateMs *date,
                        ResultJournal **ret_results, Err *err)
{
    ResultJournal *results = mem_new(sizeof(*results));
    bool there = false;

    if (!results)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    results->date = date;
    buf_add(&results->dir, str_of(dir));
    int rc = buf_failed(&results->dir) ? err_set(err, ERR_MEMORY, "results: out of memory")
                                       : operator_acts_new(&results->acts, err);
    if (rc == 0)
        rc = journal_find(dir, &there, err);
    if (rc == 0)
        rc = there ? go_on(results, err) : begin(results, rules, err);
    if (rc) {
        result_journal_free(results);
        return rc;
    }
    *ret_results = results;
    return 0;
}

ResultJournal *result_journal_free(ResultJournal *results)
{
    if (!results)
        return NULL;
    journal_close(results->journal, NULL);
    operator_acts_free(results->acts);
    buf_done(&results->dir);
    buf_done(&results->logs);
    return mem_free(results);
}

/* ---- games ---- */

uint64_t result_journal_number(ResultJournal *results)
{
    return results->next++;
}

void result_journal_fault(ResultJournal *results, uint64_t game, Str agent, const Fault *fault)
{
    if (results->journal) /* an error is told when the game is added */
        journal_add_fault(results->journal, results->date(), 0, game, game, agent, fault, NULL);
}

void result_journal_on_written(ResultJournal *results, void (*written)(void *user), void *user)
{
    results->written = written;
    results->written_user = user;
    if (results->journal)
        journal_on_written(results->journal, written, user);
}

/* What a journal that failed has not written is lost; the next game opens it again. */
static void close_failed(ResultJournal *results)
{
    Err trouble = {0};

    if (!results->journal || !journal_failed(results->journal, &trouble))
        return;
    results->trouble = trouble;
    results->lost_after = results->opened_at + journal_games_written(results->journal);
    results->opened_at = results->added;
    journal_close(results->journal, NULL);
    results->journal = NULL;
}

static int open_again(ResultJournal *results, Err *err)
{
    int rc = journal_continue(buf_cstr(&results->dir), &results->journal, err);

    if (rc == 0)
        journal_on_written(results->journal, results->written, results->written_user);
    return rc;
}

int result_journal_add(ResultJournal *results, const GameRecord *record, uint64_t *ret_ticket,
                       Err *err)
{
    close_failed(results);
    int rc = results->journal ? 0 : open_again(results, err);
    if (rc == 0)
        rc = journal_add_game(results->journal, record, (Str){0}, err);
    if (rc) {
        close_failed(results);
        return rc;
    }
    *ret_ticket = ++results->added;
    if (!results->written) /* an error is told by the game's state */
        journal_wait(results->journal, NULL);
    return 0;
}

ResultState result_journal_state(ResultJournal *results, uint64_t ticket, Err *err)
{
    close_failed(results);
    if (ticket > results->opened_at)
        return ticket - results->opened_at <= journal_games_written(results->journal)
                   ? RESULT_WRITTEN
                   : RESULT_WAITS;
    if (ticket <= results->lost_after)
        return RESULT_WRITTEN;
    err_set(err, results->trouble.code, "%s", results->trouble.msg);
    return RESULT_LOST;
}

/* ---- acts ---- */

const OperatorActs *result_journal_acts(const ResultJournal *results)
{
    return results->acts;
}

int result_journal_act(ResultJournal *results, const OperatorAct *act, Err *err)
{
    close_failed(results);
    int rc = results->journal ? 0 : open_again(results, err);
    if (rc == 0)
        rc = journal_add_act(results->journal, act, err);
    if (rc == 0)
        rc = operator_acts_add(results->acts, act, err);
    close_failed(results);
    if (rc == 0 && results->written)
        results->written(results->written_user);
    return rc;
}

int result_journal_game(const ResultJournal *results, Str id,
                        int (*hear)(void *user, const GameRecord *record, Err *err), void *user,
                        Err *err)
{
    const JournalListener listener = {.game = hear, .user = user};

    return journal_read_game(buf_cstr(&results->dir), id, &listener, err);
}

const char *result_journal_dir(const ResultJournal *results)
{
    return buf_cstr(&results->dir);
}
