/* journal.c - the writing side: callers queue lines, one thread has them written.
 *
 * For:    see journal.h. What happens to files is in journal_files.c.
 * Memory: two batches take turns: callers fill the one that waits, the thread writes the other.
 * Thread: `mutex` guards what is marked so below; the rest belongs to the thread, or is set before
 *         it starts.
 * Source: guide: design, "Results are durable". Group commit: what comes in while the disk turns
 *         goes out together with the next turn.
 */
#include "journal/journal_files.h"
#include "journal/journal_line.h"
#include "record/exchange.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define KEEP ((size_t)4 * 1024 * 1024) /* bytes of a buffer that stay reserved */
/* Between two batches of games of which somebody is told: a turn of the disk costs the processor as
 * much as a quarter of a small game, and serves all that have ended meanwhile. The first game after
 * a pause does not wait. */
#define GATHER_NS (4L * 1000 * 1000)

/* What waits for the line of a game that is not over, or for the end of a set. */
typedef struct Waiting {
    uint32_t stage;
    uint64_t number;
    bool of_set;
    Buf faults;
    uint32_t fault_count;
    Buf findings;
} Waiting;

struct Journal {
    pthread_mutex_t mutex;
    pthread_cond_t work;  /* something waits, or the journal closes or has failed */
    pthread_cond_t space; /* the queue has become shorter */

    /* Under the mutex. */
    JournalBatch batches[2];
    JournalBatch *waiting;
    size_t queued_bytes; /* of both batches */
    Waiting *parts;
    size_t part_count;
    size_t part_room;
    uint64_t faults_bytes;   /* length of faults.jsonl once all that waits is written */
    uint64_t findings_bytes; /* the same of findings.jsonl */
    Sha256 *findings_hash; /* of its bytes since the end of a set was told; NULL = there are none */
    bool closing;
    Err failed;
    void (*written)(void *user);
    void *written_user;

    _Atomic uint64_t games_written;

    /* The thread's own. */
    pthread_t thread;
    JournalFiles files; /* `dir` is anybody's to read */
};

/* Empties it; what one rush has made large is given back. */
static void clear_buf(Buf *buf)
{
    if (buf->room > KEEP)
        buf_done(buf);
    else
        buf_clear(buf);
}

static void batch_clear(JournalBatch *batch)
{
    clear_buf(&batch->lines);
    clear_buf(&batch->faults);
    clear_buf(&batch->findings);
    clear_buf(&batch->texts);
    batch->log_count = 0;
    batch->games = 0;
}

static void batch_done(JournalBatch *batch)
{
    buf_done(&batch->lines);
    buf_done(&batch->faults);
    buf_done(&batch->findings);
    buf_done(&batch->texts);
    mem_free(batch->logs);
}

static size_t batch_bytes(const JournalBatch *batch)
{
    return batch->lines.len + batch->faults.len + batch->findings.len + batch->texts.len;
}

/* The batch to write, NULL when there will be none any more. The mutex is held. */
static JournalBatch *next_batch(Journal *journal)
{
    while (journal->waiting->lines.len == 0 && !journal->closing && !journal->failed.code)
        pthread_cond_wait(&journal->work, &journal->mutex);
    if (journal->failed.code || journal->waiting->lines.len == 0)
        return NULL;
    JournalBatch *batch = journal->waiting;
    journal->waiting = batch == &journal->batches[0] ? &journal->batches[1] : &journal->batches[0];
    return batch;
}

/* What has become of a batch. The mutex is held. */
static void settle_batch(Journal *journal, JournalBatch *batch, const Err *err)
{
    if (err->code && !journal->failed.code) {
        journal->failed = *err;
        err_wrap(&journal->failed, "journal in '%s': ", journal->files.dir);
    }
    if (!err->code)
        atomic_fetch_add(&journal->games_written, batch->games);
    journal->queued_bytes -= batch_bytes(batch);
    batch_clear(batch);
    pthread_cond_broadcast(&journal->space);
}

/* The mutex is held, but not while the callback runs. False: nobody wants to know. */
static bool tell_news(Journal *journal)
{
    void (*written)(void *) = journal->written;
    void *user = journal->written_user;

    if (!written)
        return false;
    pthread_mutex_unlock(&journal->mutex);
    written(user);
    pthread_mutex_lock(&journal->mutex);
    return true;
}

/* The mutex is held, but not while games gather. */
static void gather_games(Journal *journal)
{
    const struct timespec pause = {.tv_nsec = GATHER_NS};

    if (journal->closing)
        return;
    pthread_mutex_unlock(&journal->mutex);
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&journal->mutex);
}

static void *write_all_batches(void *argument)
{
    Journal *journal = argument;
    JournalBatch *batch;

    pthread_mutex_lock(&journal->mutex);
    while ((batch = next_batch(journal))) {
        Err err = {0};
        bool news = batch->games > 0;
        pthread_mutex_unlock(&journal->mutex);
        journal_files_write(&journal->files, batch, &err);
        pthread_mutex_lock(&journal->mutex);
        settle_batch(journal, batch, &err);
        if (news && !err.code && tell_news(journal))
            gather_games(journal);
    }
    if (journal->failed.code)
        tell_news(journal);
    pthread_mutex_unlock(&journal->mutex);
    return NULL;
}

/* ---- queueing ---- */

/* An adder's own failure, such as no memory, stops the journal as one of the disk does: what waits
 * may be incomplete. The mutex is held. */
static int stop_writer(Journal *journal, Err *err)
{
    if (!journal->failed.code)
        err_set(&journal->failed, ERR_MEMORY, "journal in '%s': out of memory", journal->files.dir);
    pthread_cond_signal(&journal->work);
    pthread_cond_broadcast(&journal->space);
    return err_set(err, journal->failed.code, "%s", journal->failed.msg);
}

/* Waits until there is room, or the journal has failed. The mutex is held. */
static int wait_for_space(Journal *journal, Err *err)
{
    while (journal->queued_bytes > JOURNAL_QUEUE_MAX && !journal->failed.code)
        pthread_cond_wait(&journal->space, &journal->mutex);
    if (journal->failed.code)
        return err_set(err, journal->failed.code, "%s", journal->failed.msg);
    return 0;
}

static int queue_log(Journal *journal, const char *path, Str text, bool quick, Err *err)
{
    JournalBatch *batch = journal->waiting;

    if (batch->log_count == batch->log_room) {
        size_t room = batch->log_room ? 2 * batch->log_room : 64;
        JournalLog *logs = mem_resize(batch->logs, room, sizeof(*logs));
        if (!logs)
            return stop_writer(journal, err);
        batch->logs = logs;
        batch->log_room = room;
    }
    JournalLog *log = &batch->logs[batch->log_count++];
    *log = (JournalLog){.start = batch->texts.len, .bytes = text.len, .quick = quick};
    memcpy(log->path, path, sizeof(log->path));
    buf_add(&batch->texts, text);
    return buf_failed(&batch->texts) ? stop_writer(journal, err) : 0;
}

/* The last step of every addition: the line is whole. The mutex is held. */
static int queue_line(Journal *journal, Str line, Err *err)
{
    JournalBatch *batch = journal->waiting;

    buf_add(&batch->lines, line);
    if (buf_failed(&batch->lines))
        return stop_writer(journal, err);
    journal->queued_bytes += line.len;
    pthread_cond_signal(&journal->work);
    return 0;
}

static int add_line(Journal *journal, Buf *line, Err *err)
{
    int rc = journal_line_seal(line, err);

    if (rc)
        return rc;
    pthread_mutex_lock(&journal->mutex);
    rc = wait_for_space(journal, err);
    if (rc == 0)
        rc = queue_line(journal, buf_str(line), err);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

int journal_add_set(Journal *journal, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_set(stage, set, count, names, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_note(Journal *journal, Str text, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    journal_line_note(text, &line);
    return add_line(journal, &line, err);
}

int journal_add_end(Journal *journal, uint64_t games, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_end(games, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_key(Journal *journal, const JournalKey *key, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_key(key, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_ruling(Journal *journal, const JournalRuling *ruling, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_ruling(ruling, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_act(Journal *journal, const OperatorAct *act, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_act(act, &line, err);

    if (rc == 0)
        rc = add_line(journal, &line, err);
    return rc ? rc : journal_wait(journal, err);
}

int journal_add_lots(Journal *journal, const JournalLots *lots, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    journal_line_lots(lots, &line);
    int rc = add_line(journal, &line, err);
    return rc ? rc : journal_wait(journal, err);
}

int journal_add_cell(Journal *journal, const JournalCell *cell, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_cell(cell, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_trial(Journal *journal, const JournalTrial *trial, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_trial(trial, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_stop(Journal *journal, const JournalStop *stop, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_stop(stop, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

/* ---- faults and findings ---- */

/* Those of a game, or of a set; NULL when there are none. The mutex is held. */
static Waiting *waiting_of(Journal *journal, uint32_t stage, uint64_t number, bool of_set)
{
    for (size_t i = 0; i < journal->part_count; i++) {
        Waiting *part = &journal->parts[i];
        if (part->stage == stage && part->number == number && part->of_set == of_set)
            return part;
    }
    return NULL;
}

/* The same, made when it is not there; NULL without memory. */
static Waiting *make_waiting(Journal *journal, uint32_t stage, uint64_t number, bool of_set)
{
    Waiting *found = waiting_of(journal, stage, number, of_set);

    if (found)
        return found;
    if (journal->part_count == journal->part_room) {
        size_t room = journal->part_room ? 2 * journal->part_room : 16;
        Waiting *parts = mem_resize(journal->parts, room, sizeof(*parts));
        if (!parts)
            return NULL;
        journal->parts = parts;
        journal->part_room = room;
    }
    found = &journal->parts[journal->part_count++];
    *found = (Waiting){.stage = stage, .number = number, .of_set = of_set};
    return found;
}

/* Forgets it; the last one takes its place. */
static void drop_waiting(Journal *journal, Waiting *own)
{
    buf_done(&own->faults);
    buf_done(&own->findings);
    *own = journal->parts[--journal->part_count];
}

int journal_add_fault(Journal *journal, int64_t at_ms, uint32_t stage, uint64_t set, uint64_t game,
                      Str agent, const Fault *fault, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    journal_line_fault(at_ms, stage, set, game, agent, fault, &line);
    pthread_mutex_lock(&journal->mutex);
    int rc = wait_for_space(journal, err);
    if (rc == 0) {
        Waiting *own = make_waiting(journal, stage, game, false);
        if (own && own->fault_count < JOURNAL_FAULTS_MAX) {
            buf_add(&own->faults, buf_str(&line));
            own->fault_count++;
        }
        if (!own || buf_failed(&line) || buf_failed(&own->faults))
            rc = stop_writer(journal, err);
    }
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

int journal_add_finding(Journal *journal, int64_t at_ms, const FindingNote *note, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    if (!note->listed)
        return 0;
    finding_line_write(at_ms, note, &line);
    pthread_mutex_lock(&journal->mutex);
    int rc = wait_for_space(journal, err);
    if (rc == 0) {
        Waiting *own = make_waiting(journal, note->stage, note->in_game ? note->game : note->set,
                                    !note->in_game);
        if (own)
            buf_add(&own->findings, buf_str(&line));
        if (!own || buf_failed(&line) || buf_failed(&own->findings))
            rc = stop_writer(journal, err);
    }
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

/* Lines of findings.jsonl go with the batch that waits. The mutex is held. */
static int queue_findings(Journal *journal, Str lines, Err *err)
{
    JournalBatch *batch = journal->waiting;

    if (!lines.len)
        return 0;
    if (!journal->findings_hash)
        journal->findings_hash = sha256_new();
    buf_add(&batch->findings, lines);
    if (!journal->findings_hash || buf_failed(&batch->findings))
        return stop_writer(journal, err);
    sha256_add(journal->findings_hash, lines);
    journal->findings_bytes += lines.len;
    journal->queued_bytes += lines.len;
    return 0;
}

/* The mutex is held. */
static int queue_set_end(Journal *journal, uint32_t stage, uint64_t set, Str totals, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    Waiting *own = waiting_of(journal, stage, set, true);
    JournalFindings findings = {.stage = stage, .set = set};
    int rc = own ? queue_findings(journal, buf_str(&own->findings), err) : 0;

    if (own)
        drop_waiting(journal, own);
    if (rc == 0)
        rc = queue_findings(journal, totals, err);
    if (rc || !journal->findings_hash)
        return rc;
    sha256_end(TAKE(journal->findings_hash), findings.sha256);
    findings.bytes = journal->findings_bytes;
    journal_line_findings(&findings, &line);
    rc = journal_line_seal(&line, err);
    return rc ? rc : queue_line(journal, buf_str(&line), err);
}

int journal_end_findings(Journal *journal, int64_t at_ms, uint32_t stage, uint64_t set,
                         const FindingTotal *totals, size_t count, Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};

    for (size_t i = 0; i < count; i++)
        finding_line_write_total(at_ms, stage, set, &totals[i], &lines);
    pthread_mutex_lock(&journal->mutex);
    int rc = wait_for_space(journal, err);
    if (rc == 0)
        rc = buf_failed(&lines) ? stop_writer(journal, err)
                                : queue_set_end(journal, stage, set, buf_str(&lines), err);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

/* ---- games ---- */

static bool writes_log(const GameRecord *record, Str log)
{
    return record->log[0] && log.bytes;
}

static int queue_texts(Journal *journal, const GameRecord *record, Str log, Err *err)
{
    char path[GAME_LOG_MAX + 1];
    int rc = writes_log(record, log) ? queue_log(journal, record->log, log, false, err) : 0;

    if (rc || !record->exchange.len)
        return rc;
    if (!exchange_path(record->log, path))
        return err_set(err, ERR_RULE, "a game with an exchange record has its log in logs/");
    return queue_log(journal, path, record->exchange, true, err);
}

/* What has waited for the game. The mutex is held. */
static int queue_waiting(Journal *journal, Waiting *own, Err *err)
{
    JournalBatch *batch = journal->waiting;
    const size_t faults = own->faults.len;
    int rc = queue_findings(journal, buf_str(&own->findings), err);

    buf_add(&batch->faults, buf_str(&own->faults));
    drop_waiting(journal, own);
    journal->faults_bytes += faults;
    journal->queued_bytes += faults;
    if (rc == 0 && buf_failed(&batch->faults))
        rc = stop_writer(journal, err);
    return rc;
}

/* The mutex is held. Either all of the game is queued or, after an error, nothing or the journal
 * has stopped. */
static int queue_game(Journal *journal, const GameRecord *record, Str log, Buf *line, Err *err)
{
    JournalBatch *batch = journal->waiting;
    Waiting *own = waiting_of(journal, record->stage, record->game, false);
    const uint64_t findings = journal->findings_bytes + (own ? own->findings.len : 0);

    if (findings)
        journal_line_findings_bytes(line, findings);
    journal_line_faults_bytes(line, journal->faults_bytes + (own ? own->faults.len : 0));
    int rc = journal_line_seal(line, err);
    if (rc == 0)
        rc = queue_texts(journal, record, log, err);
    if (rc == 0 && own)
        rc = queue_waiting(journal, own, err);
    if (rc)
        return rc;
    batch->games++;
    journal->queued_bytes += record->exchange.len + (writes_log(record, log) ? log.len : 0);
    return queue_line(journal, buf_str(line), err);
}

int journal_add_game(Journal *journal, const GameRecord *record, Str log, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_game(record, &line, err);

    if (rc)
        return rc;
    pthread_mutex_lock(&journal->mutex);
    rc = wait_for_space(journal, err);
    if (rc == 0)
        rc = queue_game(journal, record, log, &line, err);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

uint64_t journal_games_written(const Journal *journal)
{
    return atomic_load(&journal->games_written);
}

int journal_failed(Journal *journal, Err *err)
{
    pthread_mutex_lock(&journal->mutex);
    int rc = journal->failed.code;
    if (rc)
        rc = err_set(err, (ErrCode)rc, "%s", journal->failed.msg);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

void journal_on_written(Journal *journal, void (*written)(void *user), void *user)
{
    pthread_mutex_lock(&journal->mutex);
    journal->written = written;
    journal->written_user = user;
    pthread_mutex_unlock(&journal->mutex);
}

/* ---- opening and closing ---- */

static Journal *journal_free(Journal *journal)
{
    char hex[SHA256_HEX_BYTES];

    if (!journal)
        return NULL;
    journal_files_done(&journal->files);
    batch_done(&journal->batches[0]);
    batch_done(&journal->batches[1]);
    while (journal->part_count)
        drop_waiting(journal, &journal->parts[0]);
    mem_free(journal->parts);
    if (journal->findings_hash)
        sha256_end(journal->findings_hash, hex);
    pthread_cond_destroy(&journal->work);
    pthread_cond_destroy(&journal->space);
    pthread_mutex_destroy(&journal->mutex);
    return mem_free(journal);
}

static void journal_freep(Journal **journal)
{
    *journal = journal_free(*journal);
}

static Journal *journal_new(const char *dir)
{
    Journal *journal = mem_new(sizeof(*journal));

    if (!journal)
        return NULL;
    journal->waiting = &journal->batches[0];
    pthread_mutex_init(&journal->mutex, NULL);
    pthread_cond_init(&journal->work, NULL);
    pthread_cond_init(&journal->space, NULL);
    return journal_files_init(&journal->files, dir, NULL) ? journal_free(journal) : journal;
}

/* The thread takes no signals: they are for the threads that know what to do. */
static int start_writer(Journal *journal, Err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&journal->thread, NULL, write_all_batches, journal);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc ? err_set(err, ERR_MEMORY, "journal in '%s': no thread could be started",
                        journal->files.dir)
              : 0;
}

int journal_begin(const char *dir, Str plan, Journal **ret_journal, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(journal_freep) Journal *journal = journal_new(dir);
    int rc = journal ? journal_line_plan(plan, &line, err)
                     : err_set(err, ERR_MEMORY, "journal: out of memory");

    if (rc == 0)
        rc = journal_line_seal(&line, err);
    if (rc == 0)
        rc = journal_files_begin(&journal->files, buf_str(&line), err);
    if (rc == 0)
        rc = start_writer(journal, err);
    if (rc)
        return rc;
    *ret_journal = TAKE(journal);
    return 0;
}

/* The digest of findings that are on disk, and of no set whose end was told. */
static int begin_hash(Journal *journal, uint64_t from, Err *err)
{
    if (from == journal->findings_bytes)
        return 0;
    journal->findings_hash = sha256_new();
    return journal->findings_hash
               ? journal_files_hash_findings(&journal->files, from, journal->findings_hash, err)
               : err_set(err, ERR_MEMORY, "journal: out of memory");
}

int journal_continue_from(const char *dir, const JournalPlace *place, Journal **ret_journal,
                          Err *err)
{
    CLEANUP(journal_freep) Journal *journal = journal_new(dir);
    JournalLengths lengths = {0};

    if (!journal)
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    int rc = journal_files_continue(&journal->files, place, &lengths, err);
    journal->faults_bytes = lengths.faults;
    journal->findings_bytes = lengths.findings;
    if (rc == 0)
        rc = begin_hash(journal, lengths.ended, err);
    if (rc == 0)
        rc = start_writer(journal, err);
    if (rc)
        return rc;
    *ret_journal = TAKE(journal);
    return 0;
}

int journal_continue(const char *dir, Journal **ret_journal, Err *err)
{
    const JournalPlace begin = {.bytes = 0};

    return journal_continue_from(dir, &begin, ret_journal, err);
}

int journal_wait(Journal *journal, Err *err)
{
    pthread_mutex_lock(&journal->mutex);
    while (journal->queued_bytes > 0 && !journal->failed.code)
        pthread_cond_wait(&journal->space, &journal->mutex);
    pthread_mutex_unlock(&journal->mutex);
    return journal_failed(journal, err);
}

int journal_close(Journal *journal, Err *err)
{
    if (!journal)
        return 0;
    pthread_mutex_lock(&journal->mutex);
    journal->closing = true;
    pthread_cond_signal(&journal->work);
    pthread_mutex_unlock(&journal->mutex);
    pthread_join(journal->thread, NULL);
    int rc = journal_failed(journal, err);
    journal_free(journal);
    return rc;
}
