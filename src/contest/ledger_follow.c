#include "contest/ledger_follow.h"

#include "base/digest.h"
#include "base/mem.h"
#include "contest/journal_publish.h"
#include "disk/regular_file.h"
#include "proof/ledger.h"

#include <unistd.h>

/* A line that an entry is about. */
typedef struct Told {
    Key line;
    uint64_t entry;
} Told;

/* A journal beside its ledger. */
typedef struct Following {
    Told *told; /* by entries that are about a line */
    uint64_t count;
    uint64_t room;
    GameRecord *scratch;
    Buf line;
    Ledger *ledger; /* gets what is missing; NULL = nothing is written */
    int64_t now_ms;
    LedgerMatch match;
} Following;

static void following_done(Following *following)
{
    following->told = mem_free(following->told);
    following->scratch = mem_free(following->scratch);
    buf_done(&following->line);
    ledger_free(following->ledger);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "ledger: out of memory");
}

/* ---- the ledger ---- */

/* What the entry is about, zeros when that is nothing; false for one that is about no line. */
static bool find_line(Str entry, Key *ret_line)
{
    Str member;

    *ret_line = (Key){{0}};
    if (!canonical_member(entry, STR("line"), &member))
        return false;
    if (member.len < 2 || !key_from_hex(str_part(member, 1, member.len - 2), ret_line))
        *ret_line = (Key){{0}};
    return true;
}

static int hear_entry(void *user, const LedgerEntry *entry, Err *err)
{
    Following *following = user;
    Told told = {.entry = entry->n};

    following->match.entries++;
    if (!find_line(entry->line, &told.line))
        return 0;
    if (following->count == following->room) {
        uint64_t room = following->room ? following->room * 2 : 256;
        Told *more = mem_resize(following->told, room, sizeof(*more));
        if (!more)
            return no_memory(err);
        following->told = more;
        following->room = room;
    }
    following->told[following->count++] = told;
    return 0;
}

static int read_ledger(const char *dir, const char *origin, Following *following, Err *err)
{
    CLEANUP(ledger_look_done)
    LedgerLook look = {.reader = {.hear = hear_entry, .user = following}};
    int rc = ledger_find(dir, &following->match.there, err);

    if (rc || !following->match.there)
        return rc;
    rc = ledger_look(dir, &look, err);
    following->match.followed = following->count;
    if (rc == 0 && origin && !str_eq(look.checkpoint.origin, str_of(origin)))
        rc = err_set(err, ERR_USAGE, "the ledger in '%s' is that of %.*s, not of %s", dir,
                     STR_ARG(look.checkpoint.origin), origin);
    return rc;
}

/* ---- the journal ---- */

/* The word behind {"record":" */
static Str kind_of(Str line)
{
    static const Str head = {"{\"record\":\"", 11};
    Str rest = str_part(line, head.len, line.len);

    return str_cut(&rest, '"');
}

static int add_entry(Following *following, const Key *digest, Str line, Err *err)
{
    CLEANUP(buf_done) Buf type = {0};
    char hex[KEY_HEX_BYTES];
    const Str kind = kind_of(line);

    buf_add(&type, kind);
    if (buf_failed(&type))
        return no_memory(err);
    key_to_hex(digest, hex);
    ledger_begin(following->ledger, buf_cstr(&type));
    ledger_text(following->ledger, "line", str_of(hex));
    return ledger_end(following->ledger, following->now_ms, err);
}

static int follow_line(void *user, Str line, unsigned number, Err *err)
{
    Following *following = user;
    LedgerMatch *match = &following->match;

    buf_clear(&following->line);
    int rc = journal_publish_line(line, number, following->scratch, &following->line, err);
    if (rc || !following->line.len)
        return rc;
    const Str public = str_part(buf_str(&following->line), 0, following->line.len - 1);
    char hex[SHA256_HEX_BYTES];
    Key digest = {{0}};
    rc = sha256_hex(public, hex, err);
    if (rc)
        return rc;
    key_from_hex(str_of(hex), &digest);
    const uint64_t at = match->lines++;
    if (at < following->count) {
        if (!match->differs && memcmp(&digest, &following->told[at].line, sizeof(digest)) != 0)
            match->differs = following->told[at].entry + 1;
        return 0;
    }
    return following->ledger ? add_entry(following, &digest, public, err) : 0;
}

static int follow_journal(const char *dir, Following *following, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int fd = -1, rc = 0;

    following->scratch = mem_new(sizeof(*following->scratch));
    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    if (!following->scratch || buf_failed(&path))
        return no_memory(err);
    rc = regular_file_open(buf_cstr(&path), &fd, err);
    if (rc == 0)
        rc = journal_lines_of(fd, follow_line, following, NULL, err);
    if (fd >= 0)
        close(fd);
    if (rc == 0 && !following->match.differs && following->match.lines < following->count)
        following->match.differs = following->told[following->match.lines].entry + 1;
    return rc;
}

/* ---- public ---- */

int ledger_match(const char *dir, LedgerMatch *ret, Err *err)
{
    CLEANUP(following_done) Following following = {.count = 0};
    int rc = read_ledger(dir, NULL, &following, err);

    if (rc == 0 && following.match.there)
        rc = follow_journal(dir, &following, err);
    *ret = following.match;
    return rc;
}

int ledger_follow(const char *dir, const char *origin, int64_t now_ms, Err *err)
{
    CLEANUP(following_done) Following following = {.now_ms = now_ms};
    int rc = read_ledger(dir, origin, &following, err);

    if (rc == 0)
        rc = following.match.there ? ledger_open(dir, &following.ledger, err)
                                   : ledger_create(dir, str_of(origin), &following.ledger, err);
    if (rc == 0)
        rc = follow_journal(dir, &following, err);
    if (rc == 0 && following.match.differs)
        rc = err_set(err, ERR_RULE,
                     "the journal in '%s' is not the one that its ledger is about, from entry %llu "
                     "on",
                     dir, (unsigned long long)following.match.differs - 1);
    return rc ? rc : ledger_close(TAKE(following.ledger), err);
}
