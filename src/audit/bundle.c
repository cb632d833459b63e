#include "audit/bundle.h"

#include "archive/tar_writer.h"
#include "audit/audit.h"
#include "audit/audit_index.h"
#include "audit/audit_served.h"
#include "audit/manifest.h"
#include "audit/ranking_text.h"
#include "base/mem.h"
#include "contest/contest_run.h"
#include "contest/journal_publish.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"
#include "disk/tree_digest.h"
#include "journal/journal_line.h"
#include "match/plan_read.h"
#include "proof/ledger.h"
#include "record/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PIECE_BYTES      ((size_t)64 * 1024)
#define LEDGER_BYTES_MAX ((size_t)4 * 1024 * 1024 * 1024)

/* The bundle that is being made. */
typedef struct Bundling {
    const BundleSetup *setup;
    const char *to; /* the folder under its first name */
    AuditIndex index;
    Plan plan;
    GameRecord *scratch;
    Buf journal; /* lines that are published */
    Buf ranking;
    Buf line;
} Bundling;

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "bundle: out of memory");
}

/* ---- files ---- */

static int write_bytes(const char *dir, const char *name, Str text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = 0;

    buf_printf(&path, "%s/%s", dir, name);
    if (buf_failed(&path))
        return no_memory(err);
    int fd = disk_open(buf_cstr(&path), O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (fd < 0)
        return disk_error(err, "make", buf_cstr(&path));
    if (disk_write(fd, text) || disk_sync(fd))
        rc = disk_error(err, "write", buf_cstr(&path));
    return disk_close(fd) && !rc ? disk_error(err, "write", buf_cstr(&path)) : rc;
}

static int copy_pieces(int from, int to, const char *path, Err *err)
{
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    ssize_t n = 1;

    if (!piece)
        return no_memory(err);
    while (n > 0) {
        n = read(from, piece, PIECE_BYTES);
        if (n < 0 && errno == EINTR) {
            n = 1;
            continue;
        }
        if (n < 0)
            return disk_error(err, "read", path);
        if (n > 0 && disk_write(to, (Str){piece, (size_t)n}))
            return disk_error(err, "write", path);
    }
    return 0;
}

/* DIR/NAME as it is, byte for byte, as AS; `needed`: else nothing happens when it is not there. */
static int copy_from(const Bundling *bundling, const char *dir, const char *name, const char *as,
                     bool needed, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};
    int in = -1;

    buf_printf(&from, "%s/%s", dir, name);
    buf_printf(&to, "%s/%s", bundling->to, as);
    if (buf_failed(&from) || buf_failed(&to))
        return no_memory(err);
    if (!needed && access(buf_cstr(&from), F_OK))
        return 0;
    int rc = regular_file_open(buf_cstr(&from), &in, err);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&to), err);
    int out = rc ? -1 : disk_open(buf_cstr(&to), O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (rc == 0 && out < 0)
        rc = disk_error(err, "make", buf_cstr(&to));
    if (rc == 0)
        rc = copy_pieces(in, out, buf_cstr(&to), err);
    if (out >= 0 && disk_close(out) && rc == 0)
        rc = disk_error(err, "write", buf_cstr(&to));
    if (in >= 0)
        close(in);
    return rc;
}

static int copy_file(const Bundling *bundling, const char *name, bool needed, Err *err)
{
    return copy_from(bundling, bundling->setup->dir, name, name, needed, err);
}

/* ---- what a site has besides ---- */

/* A folder of the site, below a name of the bundle. */
typedef struct TreeCopy {
    const Bundling *bundling;
    const char *dir;
    const char *below; /* empty: the bundle itself */
} TreeCopy;

/* A link leads elsewhere: what a site has prepared has none. */
static int copy_tree_file(void *user, const TreeFile *file, Err *err)
{
    const TreeCopy *copy = user;
    CLEANUP(buf_done) Buf as = {0};

    if (file->link)
        return err_set(err, ERR_RULE, "'%s/%s' is a link", copy->dir, file->path);
    buf_printf(&as, "%s%s%s", copy->below, *copy->below ? "/" : "", file->path);
    return buf_failed(&as)
               ? no_memory(err)
               : copy_from(copy->bundling, copy->dir, file->path, buf_cstr(&as), true, err);
}

static int copy_tree(const Bundling *bundling, const char *name, const char *below, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};

    buf_printf(&dir, "%s/%s", bundling->setup->site, name);
    if (buf_failed(&dir))
        return no_memory(err);
    TreeCopy copy = {bundling, buf_cstr(&dir), below};
    return access(copy.dir, F_OK) ? 0 : tree_files(copy.dir, copy_tree_file, &copy, err);
}

/* Where the line behind the first `count` begins; the text's end when there are fewer. */
static size_t end_of_lines(Str text, uint64_t count)
{
    size_t at = 0;

    for (uint64_t line = 0; line < count && at < text.len; line++) {
        const char *end = memchr(text.bytes + at, '\n', text.len - at);
        at = end ? (size_t)(end - text.bytes) + 1 : text.len;
    }
    return at;
}

/* A server may go on with it: what is signed by now, and nothing that comes behind. */
static int copy_signed_ledger(const Bundling *bundling, Err *err)
{
    CLEANUP(ledger_look_done) LedgerLook look = {.text = {0}};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    int rc = ledger_look_checkpoint(bundling->setup->site, &look, err);

    buf_printf(&path, "%s/" LEDGER_FILE, bundling->setup->site);
    if (rc == 0 && buf_failed(&path))
        rc = no_memory(err);
    if (rc == 0)
        rc = log_file_read(buf_cstr(&path), LEDGER_BYTES_MAX, &text, err);
    if (rc)
        return rc;
    const Str all = buf_str(&text);
    rc = write_bytes(bundling->to, LEDGER_FILE,
                     str_part(all, 0, end_of_lines(all, look.checkpoint.size)), err);
    return rc ? rc : write_bytes(bundling->to, LEDGER_CHECKPOINT_FILE, buf_str(&look.text), err);
}

static int copy_ledger(const Bundling *bundling, Err *err)
{
    if (bundling->setup->site)
        return copy_signed_ledger(bundling, err);
    int rc = copy_file(bundling, LEDGER_FILE, false, err);
    return rc ? rc : copy_file(bundling, LEDGER_CHECKPOINT_FILE, false, err);
}

static int copy_site(const Bundling *bundling, Err *err)
{
    if (!bundling->setup->site)
        return 0;
    int rc = copy_tree(bundling, "publish", "", err);
    return rc ? rc : copy_tree(bundling, "judging", "judging", err);
}

/* ---- the journal ---- */

static int publish_line(void *user, Str line, unsigned number, Err *err)
{
    Bundling *bundling = user;

    return journal_publish_line(line, number, bundling->scratch, &bundling->journal, err);
}

static int publish_journal(Bundling *bundling, Err *err)
{
    if (lseek(bundling->index.file, 0, SEEK_SET) < 0)
        return err_set(err, ERR_IO, "read the journal: %s", strerror(errno));
    int rc = journal_lines_of(bundling->index.file, publish_line, bundling, NULL, err);
    return rc ? rc : write_bytes(bundling->to, JOURNAL_FILE, buf_str(&bundling->journal), err);
}

/* ---- games ---- */

static int copy_game(void *user, const GameRecord *record, Err *err)
{
    const Bundling *bundling = user;
    char exchange[GAME_LOG_MAX + 1];
    int rc = record->log[0] ? copy_file(bundling, record->log, true, err) : 0;

    if (rc == 0 && record->exchange_sha256[0] && exchange_path(record->log, exchange))
        rc = copy_file(bundling, exchange, true, err);
    return rc;
}

static int copy_games(Bundling *bundling, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < bundling->index.games.count && rc == 0; i++)
        rc = audit_index_game(&bundling->index, &bundling->index.games.items[i], &bundling->line,
                              copy_game, bundling, bundling->scratch, err);
    return rc;
}

/* ---- the ranking ---- */

static int pass_part(void *user, const StageRun *stage, const Played *played, Err *err)
{
    (void)user;
    (void)stage;
    (void)played;
    (void)err;
    return 0;
}

static int pass_cut(void *user, uint32_t stage, Str note, Err *err)
{
    (void)user;
    (void)stage;
    (void)note;
    (void)err;
    return 0;
}

static void on_stage_over(void *user, uint32_t stage, const Standings *standings)
{
    Bundling *bundling = user;

    ranking_text_add(&bundling->plan.stages[stage], standings, &bundling->ranking);
}

static DateMs no_date;

static int64_t no_date(void)
{
    return 0;
}

static int publish_ranking(Bundling *bundling, Err *err)
{
    const ContestCheck check = {.part = pass_part, .cut = pass_cut, .user = bundling};
    const ContestRun run = {.plan = &bundling->plan,
                            .out = bundling->setup->dir,
                            .check = &check,
                            .date = no_date,
                            .stage_over = on_stage_over,
                            .user = bundling};
    CLEANUP(contest_result_done) ContestResult result = {0};
    uint32_t agents;
    int rc = audit_served_is(&bundling->plan)
                 ? audit_served_ranking(bundling->setup->dir, &bundling->plan, &bundling->ranking,
                                        &agents, err)
                 : contest_run(&run, &result, err);

    if (rc == 0 && buf_failed(&bundling->ranking))
        return no_memory(err);
    return rc ? rc : write_bytes(bundling->to, RANKING_FILE, buf_str(&bundling->ranking), err);
}

/* ---- texts ---- */

static const char readme[] =
    "# A contest of Werewolf that anybody can check\n"
    "\n"
    "`journal.jsonl` is what was played: its first line is the plan, with what the keys of the "
    "stages\n"
    "were committed to by before the first game; the lines \"key\" are those keys. `logs/` has a "
    "log of\n"
    "each game, `exchange/` what agents were asked and answered, `faults.jsonl` what they did "
    "wrong,\n"
    "`findings.jsonl` what their programs tried that is forbidden, where one did, `ranking.csv` "
    "the "
    "ranking,\n"
    "`manifest.json` what each file was when this was published.\n"
    "\n"
    "Check all of it, without network:\n"
    "\n"
    "    warg audit .\n"
    "\n"
    "A second, independent program for commitments, seats, roles and the ranking needs nothing "
    "but\n"
    "Python: `python3 audit.py .` (examples/audit.py of warg). What this proves and what it can't "
    "is\n"
    "in docs/fairness.md of warg.\n"
    "\n"
    "# だれでも検査できる人狼大会\n"
    "\n"
    "`journal.jsonl` が大会の記録です。1 "
    "行目は計画で、最初のゲームより前に公開された、各ステージの鍵のコミットメントが\n"
    "入っています。\"key\" の行がその鍵です。`logs/` に各ゲームのログ、`exchange/` "
    "にエージェントへの要求と返答、\n"
    "`faults.jsonl` に違反、`findings.jsonl` に(あれば)プログラムの試みた禁止事項、`ranking.csv` "
    "に順位、`manifest.json` "
    "に公開時の各ファイルのダイジェストがあります。\n"
    "\n"
    "ネットワークなしで全体を検査できます: `warg audit .`\n"
    "\n"
    "別に書かれた検査プログラム(Python だけで動きます): `python3 audit.py "
    ".`。何が証明され、何が証明されないかは\n"
    "warg の docs/fairness.ja.md にあります。\n";

/* Without a plan the folder's own name is that of the contest. */
static Str name_of(const Bundling *bundling)
{
    Str name = str_of(bundling->setup->site);
    size_t slash;

    if (bundling->setup->dir)
        return str_of(bundling->plan.name);
    return str_find_last(name, '/', &slash) ? str_part(name, slash + 1, name.len) : name;
}

static const char site_readme[] =
    "\n"
    "# What else is here\n"
    "\n"
    "`ledger.jsonl` is the contest's public list, signed by `checkpoint`; `checkpoints/` has those "
    "of\n"
    "before. `contest.yml` and `rules/` are what was announced, `reports/` the checks of the "
    "programs that\n"
    "played, `sources/` what teams publish of their own, `results.json` the tables and rulings, "
    "`judging/`\n"
    "sheets, ratings and scores. Compare a checkpoint that you have kept yourself:\n"
    "\n"
    "    warg audit . --checkpoint FILE\n"
    "\n"
    "`ledger.jsonl` は大会の公開台帳で、`checkpoint` が署名しています。`checkpoints/` "
    "に以前の署名、`contest.yml` と `rules/` に\n"
    "公示された設定、`reports/` に参加プログラムの検査、`sources/` "
    "にチームが公開するソース、`results.json` に結果と裁定、\n"
    "`judging/` に評価があります。手元に残したチェックポイントとも比べられます: "
    "`warg audit . --checkpoint FILE`\n";

static int publish_readme(const Bundling *bundling, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, str_of(readme));
    if (bundling->setup->site)
        buf_add(&text, str_of(site_readme));
    return buf_failed(&text) ? no_memory(err)
                             : write_bytes(bundling->to, "README.md", buf_str(&text), err);
}

static int publish_manifest(const Bundling *bundling, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = manifest_write(bundling->to, bundling->setup->site ? MANIFEST_SITE : MANIFEST_ALL,
                            name_of(bundling), &text, err);

    return rc ? rc : write_bytes(bundling->to, MANIFEST_FILE, buf_str(&text), err);
}

/* ---- tracks ---- */

/* Without what it says of this machine. */
static int publish_track_journal(Bundling *bundling, const char *dir, const TreeFile *file,
                                 Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};
    CLEANUP(buf_done) Buf as = {0};
    int fd = -1;

    buf_printf(&from, "%s/%s", dir, file->path);
    buf_printf(&as, "tracks/%s", file->path);
    buf_printf(&to, "%s/%s", bundling->to, buf_cstr(&as));
    buf_clear(&bundling->journal);
    if (buf_failed(&from) || buf_failed(&as) || buf_failed(&to))
        return no_memory(err);
    int rc = regular_file_open(buf_cstr(&from), &fd, err);
    if (rc)
        return rc;
    rc = journal_lines_of(fd, publish_line, bundling, NULL, err);
    close(fd);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&to), err);
    return rc ? rc : write_bytes(bundling->to, buf_cstr(&as), buf_str(&bundling->journal), err);
}

typedef struct TrackCopy {
    TreeCopy tree;
    Bundling *bundling;
} TrackCopy;

/* A track's journal and logs; what else lies there is not looked at. */
static int publish_track_file(void *user, const TreeFile *file, Err *err)
{
    TrackCopy *copy = user;
    const Str path = str_of(file->path);
    size_t at;

    if (file->link)
        return 0;
    if (str_find(path, STR("/logs/"), &at))
        return copy_tree_file(&copy->tree, file, err);
    if (!str_find_last(path, '/', &at) ||
        !str_eq(str_part(path, at + 1, path.len), STR(JOURNAL_FILE)))
        return 0;
    return publish_track_journal(copy->bundling, copy->tree.dir, file, err);
}

static int publish_tracks(Bundling *bundling, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};

    buf_printf(&dir, "%s/tracks", bundling->setup->site);
    if (buf_failed(&dir))
        return no_memory(err);
    TrackCopy copy = {{bundling, buf_cstr(&dir), "tracks"}, bundling};
    return access(copy.tree.dir, F_OK) ? 0
                                       : tree_files(copy.tree.dir, publish_track_file, &copy, err);
}

/* ---- the whole ---- */

/* A server has no end: what it has played can be published when nothing of it is left secret. */
static int check_served_over(const Bundling *bundling, Err *err)
{
    const AuditIndex *index = &bundling->index;

    bool open = false;

    for (size_t i = 0; i < index->games.count; i++)
        open |= !index->parts[index->games.items[i].part].published;
    for (size_t i = 0; i < index->sets.count; i++)
        open |= !index->parts[index->sets.items[i].part].published;
    if (open && bundling->plan.chance == PLAN_CHANCE_KEY)
        return err_set(err, ERR_USAGE,
                       "the key of the server in '%s' is not published: it is when it ends and all "
                       "sets that were begun are over",
                       bundling->setup->dir);
    return 0;
}

static int check_over(const Bundling *bundling, Err *err)
{
    const AuditIndex *index = &bundling->index;
    const Plan *plan = &bundling->plan;

    if (audit_served_is(plan))
        return check_served_over(bundling, err);
    if (!index->end)
        return err_set(err, ERR_USAGE,
                       "the contest in '%s' is not over: its keys are published when it is",
                       bundling->setup->dir);
    for (uint32_t stage = 0; stage < plan->stage_count; stage++)
        if (plan->chance == PLAN_CHANCE_KEY && !index->published[plan->one_key ? 0 : stage])
            return err_set(err, ERR_USAGE, "the key of stage %s is not published",
                           plan->stages[stage].name);
    return 0;
}

/* Natural language: its programs are their makers', and so its games are told and not proven. */
static int fill_tracks(Bundling *bundling, Err *err)
{
    if (disk_make_folder(bundling->to, 0755))
        return disk_error(err, "make the folder", bundling->to);
    return publish_tracks(bundling, err);
}

static int fill_games(Bundling *bundling, Err *err)
{
    int rc = audit_index_read(bundling->setup->dir, &bundling->index, err);

    if (rc == 0)
        rc = plan_read(buf_str(&bundling->index.plan), &bundling->plan, err);
    if (rc == 0)
        rc = check_over(bundling, err);
    if (rc)
        return rc;
    if (disk_make_folder(bundling->to, 0755))
        return disk_error(err, "make the folder", bundling->to);
    rc = publish_journal(bundling, err);
    if (rc == 0)
        rc = copy_games(bundling, err);
    if (rc == 0)
        rc = copy_file(bundling, JOURNAL_FAULTS_FILE, false, err);
    if (rc == 0)
        rc = copy_file(bundling, FINDINGS_FILE, false, err);
    if (rc == 0)
        rc = publish_ranking(bundling, err);
    return rc;
}

static int fill_bundle(Bundling *bundling, Err *err)
{
    int rc = bundling->setup->dir ? fill_games(bundling, err) : fill_tracks(bundling, err);

    if (rc == 0)
        rc = copy_ledger(bundling, err);
    if (rc == 0)
        rc = copy_site(bundling, err);
    if (rc == 0)
        rc = publish_readme(bundling, err);
    if (rc == 0)
        rc = publish_manifest(bundling, err);
    return rc;
}

/* ---- the archive ---- */

/* Texts of all paths, and where each begins. */
typedef struct Packing {
    const char *dir;
    Str root;
    Buf texts;
    size_t *offsets; /* of the path in the archive; that of the file is behind it */
    size_t count;
    size_t room;
} Packing;

static int add_path(void *user, const TreeFile *file, Err *err)
{
    Packing *packing = user;

    if (packing->count == packing->room) {
        size_t room = packing->room ? packing->room * 2 : 256;
        size_t *more = mem_resize(packing->offsets, room, sizeof(*more));
        if (!more)
            return no_memory(err);
        packing->offsets = more;
        packing->room = room;
    }
    packing->offsets[packing->count++] = packing->texts.len;
    buf_printf(&packing->texts, "%.*s/%s", STR_ARG(packing->root), file->path);
    buf_add_char(&packing->texts, '\0');
    buf_printf(&packing->texts, "%s/%s", packing->dir, file->path);
    buf_add_char(&packing->texts, '\0');
    return buf_failed(&packing->texts) ? no_memory(err) : 0;
}

/* OUT.tar.gz, in which all lies in a folder of the bundle's name. */
static int write_archive(const char *out, Err *err)
{
    CLEANUP(buf_done) Buf archive = {0};
    Packing packing = {.dir = out, .root = str_of(out)};
    size_t slash;

    if (str_find_last(packing.root, '/', &slash))
        packing.root = str_part(packing.root, slash + 1, packing.root.len);
    buf_printf(&archive, "%s.tar.gz", out);
    int rc = tree_files(out, add_path, &packing, err);
    CLEANUP(mem_freep) TarFile *files = mem_new((packing.count + 1) * sizeof(*files));
    if (rc == 0 && (!files || buf_failed(&archive)))
        rc = no_memory(err);
    for (size_t i = 0; i < packing.count && rc == 0; i++) {
        const char *path = packing.texts.bytes + packing.offsets[i];
        files[i] = (TarFile){path, path + strlen(path) + 1};
    }
    if (rc == 0)
        rc = tar_write(buf_cstr(&archive), files, packing.count, err);
    buf_done(&packing.texts);
    mem_free(packing.offsets);
    return rc;
}

/* Whole or not at all: under another name first. */
static int make_bundle(Bundling *bundling, Err *err)
{
    int rc = fill_bundle(bundling, err);

    if (rc == 0 && disk_rename(bundling->to, bundling->setup->out))
        rc = disk_error(err, "make", bundling->setup->out);
    if (rc) {
        folder_remove(bundling->to, NULL);
        return rc;
    }
    return write_archive(bundling->setup->out, err);
}

int bundle_write(const BundleSetup *setup, Err *err)
{
    CLEANUP(buf_done) Buf to = {0};
    Bundling bundling = {.setup = setup, .index = {.file = -1}};
    int rc = plan_init(&bundling.plan, err);

    buf_printf(&to, "%s.tmp", setup->out);
    bundling.to = buf_cstr(&to);
    bundling.scratch = mem_new(sizeof(*bundling.scratch));
    if (rc == 0 && (buf_failed(&to) || !bundling.scratch))
        rc = no_memory(err);
    if (rc == 0 && access(setup->out, F_OK) == 0)
        rc = err_set(err, ERR_USAGE, "'%s' is there already; give another name", setup->out);
    if (rc == 0 && access(bundling.to, F_OK) == 0)
        rc = err_set(err, ERR_USAGE, "'%s' is left of a bundle that was not finished; remove it",
                     bundling.to);
    if (rc == 0)
        rc = make_bundle(&bundling, err);
    audit_index_done(&bundling.index);
    plan_done(&bundling.plan);
    buf_done(&bundling.journal);
    buf_done(&bundling.ranking);
    buf_done(&bundling.line);
    mem_free(bundling.scratch);
    return rc;
}
