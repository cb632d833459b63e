#include "llm/context.h"

#include "base/json.h"
#include "base/utf8.h"
#include "disk/disk_call.h"
#include "llm/context_line.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX  ((size_t)64 * 1024 * 1024)
#define TOKENS_OF_ENTRY 4
#define LATIN_END       0x250u /* code points below are counted as Latin */
#define CORRECTION_ONE  1000u
#define CORRECTION_MIN  250u
#define CORRECTION_MAX  4000u
#define SUMMARY_PART    4 /* a summary takes at most this part of the budget */
#define EARLIER         "earlier: "

struct LlmContext {
    Entry *entries;
    size_t count;
    size_t room;
    uint32_t correction; /* real tokens for 1000 estimated ones */
    bool corrected;      /* a server has counted at least once */
    uint32_t written;    /* estimate of the last request */
    int file;            /* -1: nothing is saved */
};

int llm_context_new(LlmContext **ret_context, Err *err)
{
    LlmContext *context = mem_new(sizeof(*context));

    if (!context)
        return err_set(err, ERR_MEMORY, "context: out of memory");
    context->correction = CORRECTION_ONE;
    context->file = -1;
    *ret_context = context;
    return 0;
}

static void forget_all(LlmContext *context)
{
    for (size_t i = 0; i < context->count; i++)
        mem_free(context->entries[i].content);
    context->count = 0;
}

LlmContext *llm_context_free(LlmContext *context)
{
    if (!context)
        return NULL;
    forget_all(context);
    if (context->file >= 0)
        close(context->file);
    mem_free(context->entries);
    return mem_free(context);
}

static void context_freep(LlmContext **context)
{
    *context = llm_context_free(*context);
}

/* ---- entries ---- */

static int make_room(LlmContext *context, size_t more, Err *err)
{
    size_t wanted = context->count + more;

    if (wanted <= context->room)
        return 0;
    wanted += wanted / 2 + 16;
    Entry *grown = mem_resize(context->entries, wanted, sizeof(*grown));
    if (!grown)
        return err_set(err, ERR_MEMORY, "context: out of memory");
    context->entries = grown;
    context->room = wanted;
    return 0;
}

/* Gives `entry` a content of its own. */
static int set_content(Entry *entry, Str content, Err *err)
{
    if (content.len > CONTENT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "context: an entry of %zu bytes; at most %zu are taken",
                       content.len, CONTENT_BYTES_MAX);
    entry->content = mem_new(content.len + 1);
    if (!entry->content)
        return err_set(err, ERR_MEMORY, "context: out of memory");
    if (content.len)
        memcpy(entry->content, content.bytes, content.len);
    entry->len = content.len;
    return 0;
}

/* All but the lines of past rounds goes. */
static void end_round(LlmContext *context)
{
    size_t kept = 0;

    for (size_t i = 0; i < context->count; i++) {
        if (context->entries[i].mark == MARK_ROUND)
            context->entries[kept++] = context->entries[i];
        else
            mem_free(context->entries[i].content);
    }
    context->count = kept;
}

/* With O_APPEND it lands whole behind what is there. */
static int write_to_file(int file, Str bytes, Err *err)
{
    return disk_write(file, bytes) ? err_set(err, ERR_IO, "write context: %s", strerror(errno)) : 0;
}

static int append_to_file(LlmContext *context, const Entry *entry, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    if (context->file < 0)
        return 0;
    entry_write(entry, &line);
    if (buf_failed(&line))
        return err_set(err, ERR_MEMORY, "context: out of memory");
    int rc = write_to_file(context->file, buf_str(&line), err);
    if (rc) {
        close(context->file);
        context->file = -1;
    }
    return rc;
}

/* Takes the content of `entry` over when it returns 0 or ERR_IO. */
static int remember_entry(LlmContext *context, const Entry *entry, Err *err)
{
    int rc = make_room(context, 1, err);

    if (rc) {
        mem_free(entry->content);
        return rc;
    }
    if (entry->mark == MARK_ROUND)
        end_round(context);
    context->entries[context->count++] = *entry;
    return append_to_file(context, entry, err);
}

int llm_context_add(LlmContext *context, LlmRole role, LlmEntryKind kind, Str content,
                    uint32_t round, uint32_t phase_no, int64_t unix_ms, Err *err)
{
    Entry entry = {
        .role = role, .kind = kind, .round = round, .phase_no = phase_no, .unix_ms = unix_ms};
    int rc = set_content(&entry, content, err);

    return rc ? rc : remember_entry(context, &entry, err);
}

int llm_context_new_round(LlmContext *context, Str past, Err *err)
{
    Entry entry = {.role = LLM_SYSTEM, .kind = ENTRY_FACT, .mark = MARK_ROUND};
    Entry before = {0};

    if (context->count)
        before = context->entries[context->count - 1];
    if (before.mark == MARK_ROUND && str_eq((Str){before.content, before.len}, past))
        return 0;
    int rc = set_content(&entry, past, err);

    if (!rc) { /* the round that ended is the last entry's */
        entry.round = before.round;
        entry.phase_no = before.phase_no;
        entry.unix_ms = before.unix_ms;
    }
    return rc ? rc : remember_entry(context, &entry, err);
}

/* ---- tokens ---- */

static size_t estimate_tokens(Str text)
{
    size_t latin = 0, other = 0;

    while (text.len) {
        Str before = text;
        uint32_t code = utf8_next(&text);
        size_t bytes = before.len - text.len;
        if (code < LATIN_END)
            latin += bytes;
        else
            other += bytes;
    }
    return (latin + 3) / 4 + (other + 2) / 3 + TOKENS_OF_ENTRY;
}

static size_t estimate_of(const Entry *entry)
{
    return estimate_tokens((Str){entry->content, entry->len});
}

static uint32_t capped_tokens(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static uint32_t corrected_tokens(const LlmContext *context, size_t estimated)
{
    return capped_tokens(((uint64_t)estimated * context->correction + CORRECTION_ONE - 1) /
                         CORRECTION_ONE);
}

static size_t estimate_all(const LlmContext *context)
{
    size_t sum = 0;

    for (size_t i = 0; i < context->count; i++)
        sum += estimate_of(&context->entries[i]);
    return sum;
}

uint32_t llm_context_tokens(const LlmContext *context)
{
    return corrected_tokens(context, estimate_all(context));
}

void llm_context_counted(LlmContext *context, uint32_t prompt_tokens)
{
    if (!context->written || !prompt_tokens)
        return;
    uint64_t told = (uint64_t)prompt_tokens * CORRECTION_ONE / context->written;
    uint32_t now = told < CORRECTION_MIN   ? CORRECTION_MIN
                   : told > CORRECTION_MAX ? CORRECTION_MAX
                                           : (uint32_t)told;

    /* Later counts move it halfway: one odd count must not throw it off. */
    context->correction = context->corrected ? (context->correction + now) / 2 : now;
    context->corrected = true;
}

/* ---- truncation ---- */

/* The entry that stands for what is cut. */
static int make_earlier(Str summary, uint32_t tokens, Entry *ret_entry)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t most = (size_t)tokens * 4 / SUMMARY_PART;
    Str rest = summary, fitting = summary;

    if (summary.len > most)
        while (rest.len && summary.len - rest.len <= most) { /* whole characters */
            fitting = str_part(summary, 0, summary.len - rest.len);
            utf8_next(&rest);
        }
    buf_add(&text, STR(EARLIER));
    buf_add(&text, fitting.len ? fitting : STR("..."));
    return buf_failed(&text) ? ERR_MEMORY : set_content(ret_entry, buf_str(&text), NULL);
}

static bool entry_goes(const Entry *entry)
{
    return entry->kind == ENTRY_TALK || entry->mark == MARK_EARLIER;
}

/* Marks what has to go by freeing its content; the first of them becomes `earlier`. */
static uint32_t cut_oldest(LlmContext *context, uint32_t tokens, size_t estimated, Entry *earlier)
{
    uint32_t gone = 0;
    size_t kept = 0;
    bool placed = false;

    for (size_t i = 0; i < context->count; i++) {
        Entry *entry = &context->entries[i];
        bool cut = entry_goes(entry) &&
                   (entry->mark == MARK_EARLIER || corrected_tokens(context, estimated) > tokens);
        if (!cut) {
            context->entries[kept++] = *entry;
            continue;
        }
        if (entry->mark != MARK_EARLIER) { /* the old one is not in `estimated` */
            estimated -= estimate_of(entry);
            gone++;
        }
        earlier->round = entry->round;
        earlier->phase_no = entry->phase_no;
        earlier->unix_ms = entry->unix_ms;
        mem_free(entry->content);
        if (!placed)
            context->entries[kept++] = *earlier;
        placed = true;
    }
    context->count = kept;
    return gone;
}

uint32_t llm_context_truncate(LlmContext *context, uint32_t tokens, Str summary)
{
    Entry earlier = {.role = LLM_SYSTEM, .kind = ENTRY_FACT, .mark = MARK_EARLIER};
    size_t estimated = 0;
    bool any = false;

    for (size_t i = 0; i < context->count; i++) {
        any |= context->entries[i].kind == ENTRY_TALK;
        if (context->entries[i].mark != MARK_EARLIER)
            estimated += estimate_of(&context->entries[i]);
    }
    if (!any || llm_context_tokens(context) <= tokens)
        return 0;
    if (make_earlier(summary, tokens, &earlier))
        return 0;
    return cut_oldest(context, tokens, estimated + estimate_of(&earlier), &earlier);
}

/* ---- the request ---- */

static void put_message(Json *json, LlmRole role, Str content)
{
    json_open(json, '{');
    json_add_str(json, "role", str_of(entry_role_name(role)));
    json_add_str(json, "content", content);
    json_close(json);
}

/* What one side says until the other one does. */
typedef struct Turn {
    Json json;
    LlmRole role;
    Buf text;       /* empty: nothing yet */
    size_t sum;     /* of entries, as llm_context_tokens counts them */
    uint32_t count; /* of messages */
} Turn;

static void end_turn(Turn *turn)
{
    if (turn->text.len) {
        put_message(&turn->json, turn->role, buf_str(&turn->text));
        turn->count++;
    }
    buf_clear(&turn->text);
}

/* Strict chat templates refuse two messages of one role in a row, a system message later on, and an
 * assistant who begins. */
static void put_turn(Turn *turn, LlmRole role, Str content)
{
    if (role == LLM_SYSTEM)
        role = LLM_USER;
    if (role == LLM_ASSISTANT && turn->role == LLM_SYSTEM) {
        buf_add(&turn->text, STR("..."));
        turn->role = LLM_USER;
    }
    if (role != turn->role)
        end_turn(turn);
    turn->role = role;
    if (turn->text.len)
        buf_add_char(&turn->text, '\n');
    buf_add(&turn->text, content.len ? content : STR("..."));
    turn->sum += estimate_tokens(content.len ? content : STR("..."));
}

/* What changes stands behind a line of its own, so that what stays is easy to tell from it. */
static void put_now(Turn *turn, Str now)
{
    if (!now.len)
        return;
    if (turn->role == LLM_USER && turn->text.len)
        buf_add_char(&turn->text, '\n');
    put_turn(turn, LLM_USER, now);
}

uint32_t llm_context_write(LlmContext *context, Str guide, Str news, Str now, Buf *out)
{
    Turn turn = {.json = json_over(out), .role = LLM_SYSTEM, .count = 1};

    json_open(&turn.json, '[');
    put_message(&turn.json, LLM_SYSTEM, guide);
    turn.sum = estimate_tokens(guide);
    for (size_t i = 0; i < context->count; i++) {
        const Entry *entry = &context->entries[i];
        put_turn(&turn, entry->role, (Str){entry->content, entry->len});
    }
    if (news.len || (turn.role != LLM_USER && !now.len))
        put_turn(&turn, LLM_USER, news);
    put_now(&turn, str_trim(now));
    end_turn(&turn);
    json_close(&turn.json);
    context->written = capped_tokens(turn.sum);
    if (buf_failed(&turn.text))
        buf_fail(out);
    buf_done(&turn.text);
    return turn.count;
}

/* ---- the file ---- */

static int read_file(const char *path, Buf *out, Err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* a pipe never waits */
    struct stat what;
    ssize_t n = 0;

    if (file < 0)
        return err_set(err, ERR_IO, "open context '%s': %s", path, strerror(errno));
    if (fstat(file, &what) != 0 || !S_ISREG(what.st_mode)) {
        close(file);
        return err_set(err, ERR_IO, "context '%s' is not a file", path);
    }
    do {
        if (!buf_reserve(out, 65536))
            break;
        n = read(file, out->bytes + out->len, 65536);
        if (n > 0)
            out->len += (size_t)n;
    } while ((n > 0 && out->len <= FILE_BYTES_MAX) || (n < 0 && errno == EINTR));
    int failed = errno;
    close(file);
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "context '%s': out of memory", path);
    if (n < 0)
        return err_set(err, ERR_IO, "read context '%s': %s", path, strerror(failed));
    if (out->len > FILE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "context '%s' has more than %zu bytes", path,
                       FILE_BYTES_MAX);
    return 0;
}

/* Reads the lines; *ret_good: bytes up to the end of the last good line. */
static int read_lines(Str text, const char *path, LlmContext *context, size_t *ret_good, Err *err)
{
    Str rest = text;

    *ret_good = 0;
    for (unsigned number = 1; rest.len; number++) {
        Str line = str_trim(str_cut(&rest, '\n'));
        Entry entry;
        Err why = {0};

        if (!line.len)
            continue;
        int rc = entry_read(line, &entry, &why);
        if (rc == ERR_SYNTAX && !str_trim(rest).len)
            return 0; /* the last one: cut by a crash */
        if (rc)
            return err_set_at(err, (ErrCode)rc, number, 0, "context '%s', line %u: %s", path,
                              number, why.msg);
        *ret_good = text.len - rest.len;
        if (!context) {
            mem_free(entry.content);
            continue;
        }
        rc = remember_entry(context, &entry, err);
        if (rc)
            return rc;
    }
    return 0;
}

int llm_context_load(LlmContext *context, const char *path, Err *err)
{
    CLEANUP(context_freep) LlmContext *loaded = NULL;
    CLEANUP(buf_done) Buf text = {0};
    size_t good;
    int rc = read_file(path, &text, err);

    if (!rc)
        rc = llm_context_new(&loaded, err);
    if (!rc)
        rc = read_lines(buf_str(&text), path, loaded, &good, err);
    if (!rc)
        rc = make_room(context, loaded->count, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < loaded->count; i++)
        context->entries[context->count++] = loaded->entries[i];
    loaded->count = 0;
    return 0;
}

/* A line that a crash cut would spoil the next one. */
static int mend_end(int file, const char *path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t good;
    int rc = read_file(path, &text, err);

    if (!rc)
        rc = read_lines(buf_str(&text), path, NULL, &good, err);
    if (rc)
        return rc;
    Str behind = str_part(buf_str(&text), good, text.len);
    if (str_trim(behind).len && disk_cut(file, (off_t)good) != 0)
        return err_set(err, ERR_IO, "cut context '%s': %s", path, strerror(errno));
    if (good && text.bytes[good - 1] != '\n')
        return write_to_file(file, STR("\n"), err);
    return 0;
}

int llm_context_save(LlmContext *context, const char *path, Err *err)
{
    int file = disk_open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0600);

    if (file < 0)
        return err_set(err, ERR_IO, "open context '%s': %s", path, strerror(errno));
    int rc = mend_end(file, path, err);
    if (rc) {
        close(file);
        return rc;
    }
    if (context->file >= 0)
        close(context->file);
    context->file = file;
    return 0;
}
