#include "contest/exchange_folder.h"

#include "contest/stage_chance.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "match/draw_chance.h"
#include "match/plan_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- the journal ---- */

static int add_key(ExchangeFolder *folder, Err *err)
{
    FolderKeys *keys =
        mem_resize(folder->keys, folder->key_count + (size_t)1, sizeof(*folder->keys));

    if (!keys)
        return err_set(err, ERR_MEMORY, "keys: out of memory");
    folder->keys = keys;
    memset(&keys[folder->key_count++], 0, sizeof(*keys));
    return 0;
}

/* How many stages have a key of their own. */
static uint32_t key_stages(const Plan *plan)
{
    if (plan->chance != PLAN_CHANCE_KEY)
        return 0;
    return plan->one_key ? 1 : plan->stage_count;
}

static int on_plan(void *user, Str text, Err *err)
{
    ExchangeFolder *folder = user;
    int rc = plan_read(text, &folder->plan, &folder->plan_error);

    folder->has_plan = rc == 0;
    if (rc) /* of another division: it has no records */
        return 0;
    rc = add_key(folder, err);
    for (uint32_t stage = 0; rc == 0 && stage < key_stages(&folder->plan); stage++)
        if (!key_from_hex(str_of(folder->plan.stages[stage].commitment),
                          &folder->keys[0].commitments[stage]))
            rc = err_set(err, ERR_SYNTAX, "a commitment of the plan is no SHA-256");
    return rc;
}

/* A key counts when it is what was committed to. */
static int take_key(ExchangeFolder *folder, uint32_t part, uint32_t stage, const Key *key, Err *err)
{
    FolderKeys *own = &folder->keys[part];
    const Key commitment = plan_commitment(&folder->plan, stage, key);

    if (memcmp(&commitment, &own->commitments[stage], sizeof(commitment)) != 0)
        return err_set(err, ERR_RULE,
                       "the key of stage %s is another than the one that was committed to",
                       folder->plan.stages[stage].name);
    own->keys[stage] = *key;
    own->known[stage] = true;
    return 0;
}

static int on_lots(void *user, const JournalLots *lots, Err *err)
{
    ExchangeFolder *folder = user;

    return folder->has_plan && !lots->frozen ? stage_chance_take(&folder->plan, lots, err) : 0;
}

static int on_key(void *user, const JournalKey *told, Err *err)
{
    ExchangeFolder *folder = user;
    const uint32_t part = told->part;
    const bool published = told->published;

    if (!folder->has_plan)
        return 0;
    if (told->stage >= key_stages(&folder->plan))
        return err_set(err, ERR_SYNTAX, "a key of a stage that has none");
    if (part > folder->key_count || part >= EXCHANGE_KEYS_MAX ||
        (published && part == folder->key_count))
        return err_set(err, ERR_SYNTAX, "a key of part %u, which was not begun", (unsigned)part);
    if (published)
        return take_key(folder, part, told->stage, &told->value, err);
    int rc = part == folder->key_count ? add_key(folder, err) : 0;
    if (rc == 0)
        folder->keys[part].commitments[told->stage] = told->value;
    return rc;
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    ExchangeFolder *folder = user;

    (void)err;
    folder->records += record->exchange_sha256[0] != '\0';
    folder->without += !record->exchange_sha256[0] && record->division == DIVISION_AIWOLF &&
                       game_record_has_outside(record);
    return 0;
}

static int read_lines(ExchangeFolder *folder, const char *dir, const Str *lines, Err *err)
{
    const JournalListener listener = {
        .plan = on_plan, .game = on_game, .key = on_key, .lots = on_lots, .user = folder};

    folder->dir = dir;
    int rc = plan_init(&folder->plan, err);
    if (rc)
        return rc;
    return lines ? journal_read_text(*lines, &listener, NULL, err)
                 : journal_read(dir, &listener, NULL, err);
}

/* By the folder's journal, or by `lines` of it. */
static int open_by(ExchangeFolder *folder, const char *dir, const Str *lines, Err *err)
{
    Key key;
    int rc = read_lines(folder, dir, lines, err);

    if (rc == 0 && !folder->has_plan && folder->records)
        rc = err_set(err, ERR_SYNTAX, "the plan in the journal of '%s' can't be read: %s", dir,
                     folder->plan_error.msg);
    if (rc || !folder->has_plan || folder->plan.chance != PLAN_CHANCE_KEY)
        return rc;
    const uint32_t last = folder->key_count - 1;
    for (uint32_t stage = 0; stage < key_stages(&folder->plan); stage++)
        if (!folder->keys[last].known[stage] && key_file_read(dir, stage, &key, NULL) == 0)
            take_key(folder, last, stage, &key, NULL); /* one that does not fit is none */
    return 0;
}

int exchange_folder_open(ExchangeFolder *folder, const char *dir, Err *err)
{
    return open_by(folder, dir, NULL, err);
}

int exchange_folder_open_lines(ExchangeFolder *folder, const char *dir, Str lines, Err *err)
{
    return open_by(folder, dir, &lines, err);
}

void exchange_folder_done(ExchangeFolder *folder)
{
    plan_done(&folder->plan);
    folder->keys = mem_free(folder->keys);
    buf_done(&folder->record_text);
    buf_done(&folder->log_text);
}

/* ---- keys ---- */

/* A stage of one size has parts only where each run of a server has a key. */
static uint32_t key_of_part(const ExchangeFolder *folder, const ExchangeHeader *header)
{
    const Plan *plan = &folder->plan;

    return plan->stage_count == 1 && plan_stage_parts(&plan->stages[0]) == 1 ? header->part : 0;
}

bool exchange_folder_key(const ExchangeFolder *folder, const ExchangeHeader *header,
                         GameKey *ret_key)
{
    Plan plan = folder->plan; /* borrows all that it points to */
    const uint32_t part = key_of_part(folder, header);

    if (stage_of_number(header->stage) >= plan.stage_count ||
        round_of_number(header->stage) > STAGE_ROUNDS_MAX)
        return false;
    if (plan.chance == PLAN_CHANCE_KEY) {
        const uint32_t stage = stage_of_number(header->stage), at = plan.one_key ? 0 : stage;
        if (part >= folder->key_count || !folder->keys[part].known[at])
            return false;
        plan.stages[stage].secret = folder->keys[part].keys[at];
    }
    *ret_key = header->deal && plan.chance != PLAN_CHANCE_OLD_SEED
                   ? plan_deal_key(&plan, header->stage, header->part, header->deal - 1)
                   : plan_game_key(&plan, header->stage, header->part, header->number);
    return true;
}

/* ---- one game ---- */

static int find(ExchangeFinding *ret, ExchangeFile file, unsigned line, const char *reason)
{
    *ret = (ExchangeFinding){.file = file, .line = line};
    snprintf(ret->reason, sizeof(ret->reason), "%s", reason);
    return ERR_RULE;
}

/* Reads a file; ERR_RULE with a finding when that can't be done. */
static int read_file(const ExchangeFolder *folder, ExchangeFile file, const char *path, Buf *text,
                     ExchangeFinding *ret, Err *err)
{
    CLEANUP(buf_done) Buf whole = {0};
    Err own = {0};

    buf_clear(text);
    buf_printf(&whole, "%s/%s", folder->dir, path);
    if (buf_failed(&whole))
        return err_set(err, ERR_MEMORY, "check: out of memory");
    int rc = log_file_read(buf_cstr(&whole), EXCHANGE_TEXT_MAX, text, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", own.msg);
    return rc ? find(ret, file, 0, own.msg) : 0;
}

static int check_digest(ExchangeFile file, const Buf *text, const char *digest,
                        ExchangeFinding *ret, Err *err)
{
    char found[SHA256_HEX_BYTES];
    int rc = sha256_hex(buf_str(text), found, err);

    if (rc == 0 && digest[0] && strcmp(found, digest) != 0)
        rc = find(ret, file, 0, "its SHA-256 is another than in the game's line of the journal");
    return rc;
}

/* Whether the header is of this game and these agents. */
static int check_header(const ExchangeHeader *header, const GameRecord *record,
                        ExchangeFinding *ret)
{
    const GameResult *result = &record->result;

    if (header->stage != record->stage || header->set != record->set ||
        header->game != record->game || header->deal != record->deal)
        return find(ret, EXCHANGE_FILE_RECORD, 1, "the record is of another game");
    if (header->told_seed != draw_told_seed(record->game))
        return find(ret, EXCHANGE_FILE_RECORD, 1, "agents of this game are told another seed");
    if (header->seat_count != result->seat_count)
        return find(ret, EXCHANGE_FILE_RECORD, 1, "another number of seats than in the journal");
    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        if (!str_eq(header->names[seat], result->names[seat]) ||
            seat_in(header->bots, seat) == record->seats[seat].outside)
            return find(ret, EXCHANGE_FILE_RECORD, 1, "other agents than in the journal");
    return 0;
}

/* The header of the text that was read, and its key. */
static int find_key(const ExchangeFolder *folder, const GameRecord *record, GameKey *ret_key,
                    bool *ret_known, ExchangeFinding *ret)
{
    CLEANUP(exchange_close) ExchangeReader reader = {0};
    Err own = {0};

    if (exchange_open(buf_str(&folder->record_text), &reader, &own))
        return find(ret, EXCHANGE_FILE_RECORD, reader.line, own.msg);
    *ret_known = exchange_folder_key(folder, &reader.header, ret_key);
    return check_header(&reader.header, record, ret);
}

int exchange_folder_check_game(ExchangeFolder *folder, const GameRecord *record,
                               char ret_path[static GAME_LOG_MAX + 1], ExchangeFinding *ret,
                               bool *ret_secret, Err *err)
{
    GameKey key;
    bool known = false;

    *ret_secret = false;
    snprintf(ret_path, GAME_LOG_MAX + 1, "%s", record->log);
    *ret = (ExchangeFinding){.ok = true};
    char path[GAME_LOG_MAX + 1];
    if (!exchange_path(record->log, path)) {
        find(ret, EXCHANGE_FILE_LOG, 0, "a game with an exchange record has its log in logs/");
        return 0;
    }
    int rc = read_file(folder, EXCHANGE_FILE_RECORD, path, &folder->record_text, ret, err);
    if (rc == 0)
        rc = read_file(folder, EXCHANGE_FILE_LOG, record->log, &folder->log_text, ret, err);
    if (rc == 0)
        rc = find_key(folder, record, &key, &known, ret);
    if (rc == 0 && known) /* before the digests: it tells the line */
        rc = exchange_check(buf_str(&folder->record_text), buf_str(&folder->log_text),
                            &folder->plan.rules, &key, ret, err);
    if (rc == 0 && ret->ok)
        rc = check_digest(EXCHANGE_FILE_RECORD, &folder->record_text, record->exchange_sha256, ret,
                          err);
    if (rc == 0 && ret->ok)
        rc = check_digest(EXCHANGE_FILE_LOG, &folder->log_text, record->log_sha256, ret, err);
    *ret_secret = rc == 0 && !known;
    if (ret->ok || ret->file == EXCHANGE_FILE_RECORD)
        snprintf(ret_path, GAME_LOG_MAX + 1, "%s", path);
    return ret->ok ? rc : 0;
}

/* ---- all games ---- */

typedef struct Checking {
    ExchangeFolder *folder;
    ExchangeHeard *heard;
    void *user;
    ExchangeCounts counts;
} Checking;

static int check_record(void *user, const GameRecord *record, Err *err)
{
    Checking *checking = user;
    char path[GAME_LOG_MAX + 1];
    ExchangeFinding finding;
    bool secret;

    if (!record->exchange_sha256[0])
        return 0;
    int rc = exchange_folder_check_game(checking->folder, record, path, &finding, &secret, err);
    if (rc)
        return err_wrap(err, "game %" PRIu64 ": ", record->game);
    checking->counts.secret += secret;
    checking->counts.ok += finding.ok && !secret;
    checking->counts.bad += !finding.ok;
    if (!secret)
        checking->heard(checking->user, path, &finding);
    return 0;
}

int exchange_folder_check(ExchangeFolder *folder, ExchangeHeard *heard, void *user,
                          ExchangeCounts *ret, Err *err)
{
    Checking checking = {.folder = folder, .heard = heard, .user = user};
    const JournalListener listener = {.game = check_record, .user = &checking};
    int rc = journal_read(folder->dir, &listener, NULL, err);

    checking.counts.without = folder->without;
    *ret = checking.counts;
    return rc;
}

/* ---- finding one ---- */

typedef struct Search {
    uint32_t stage;
    uint64_t game;
    char log[GAME_LOG_MAX + 1];
    bool found;
} Search;

static int look_at_game(void *user, const GameRecord *record, Err *err)
{
    Search *search = user;

    (void)err;
    if (record->game != search->game || record->stage != search->stage)
        return 0;
    search->found = true;
    snprintf(search->log, sizeof(search->log), "%s", record->log);
    return 0;
}

/* Cuts the last part, when it is a number, off a path. */
static bool cut_number(Str *path, uint64_t max, uint64_t *ret_number)
{
    size_t slash;

    if (!str_find_last(*path, '/', &slash) ||
        !str_to_uint(str_part(*path, slash + 1, path->len), max, ret_number))
        return false;
    *path = str_part(*path, 0, slash ? slash : 1);
    return true;
}

static bool has_journal(Str dir, Buf *ret_dir)
{
    buf_clear(ret_dir);
    buf_add(ret_dir, dir);
    return journal_exists(buf_cstr(ret_dir));
}

/* DIR/GAME or DIR/STAGE/GAME. */
static int find_game(const char *what, Buf *ret_path, Buf *ret_dir, Err *err)
{
    Search search = {0};
    const JournalListener listener = {.game = look_at_game, .user = &search};
    Str dir = str_of(what);
    uint64_t stage = 0;
    char path[GAME_LOG_MAX + 1];

    if (!cut_number(&dir, INT64_MAX, &search.game) ||
        (!has_journal(dir, ret_dir) &&
         (!cut_number(&dir, UINT32_MAX, &stage) || !has_journal(dir, ret_dir))))
        return err_set(err, ERR_USAGE,
                       "'%s' is neither a file nor a game of a folder of --out: give "
                       "DIR/exchange/NNN.jsonl.gz, DIR/NUMBER, or with several stages "
                       "DIR/STAGE/NUMBER",
                       what);
    search.stage = (uint32_t)stage;
    int rc = journal_read(buf_cstr(ret_dir), &listener, NULL, err);
    if (rc)
        return rc;
    if (!search.found)
        return err_set(err, ERR_USAGE, "'%s' has no game %" PRIu64 " of stage %" PRIu64,
                       buf_cstr(ret_dir), search.game, stage);
    if (!exchange_path(search.log, path))
        return err_set(err, ERR_USAGE, "game %" PRIu64 " has no exchange record", search.game);
    buf_printf(ret_path, "%s/%s", buf_cstr(ret_dir), path);
    return 0;
}

/* The part of a path before its last "/exchange/" or "/logs/"; false when it has none. */
static bool split_path(Str path, Str *ret_dir, Str *ret_rest)
{
    for (size_t at = path.len; at > 0; at--) {
        const Str rest = str_part(path, at - 1, path.len);
        if ((at == 1 || path.bytes[at - 2] == '/') &&
            (str_starts(rest, STR("exchange/")) || str_starts(rest, STR("logs/")))) {
            *ret_dir = at == 1 ? STR(".") : str_part(path, 0, at > 2 ? at - 2 : 1);
            *ret_rest = rest;
            return true;
        }
    }
    return false;
}

int exchange_folder_find(const char *what, Buf *ret_path, Buf *ret_dir, Err *err)
{
    struct stat about;
    Str dir, rest;
    char path[GAME_LOG_MAX + 1];

    if (stat(what, &about) != 0 || S_ISDIR(about.st_mode))
        return find_game(what, ret_path, ret_dir, err);
    if (split_path(str_of(what), &dir, &rest)) {
        if (!has_journal(dir, ret_dir))
            buf_clear(ret_dir);
        if (str_starts(rest, STR("logs/")) && exchange_path(rest.bytes, path)) {
            buf_printf(ret_path, "%.*s/%s", STR_ARG(dir), path);
            return 0;
        }
    }
    buf_add(ret_path, str_of(what));
    return 0;
}
