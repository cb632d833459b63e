/* What was found: games by their IDs, texts that are kept once. */
#include "web/catalogue_own.h"

#include "base/mem.h"
#include "disk/file_inside.h"
#include "disk/regular_file.h"

#include <stdio.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define ID_CUT      180 /* of a longer one so much stays, with a digest behind it */

/* A contest whose last game ended longer ago than so many take, and this, is not played now. */
#define QUIET_GAMES 20
#define QUIET_MS    300000

struct TextBlock {
    TextBlock *next;
    size_t used, room;
    char bytes[];
};

/* ---- room ---- */

bool catalogue_room(Catalogue *catalogue, void **items, size_t count, size_t *room, size_t each)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *grown = mem_resize(*items, more, each);
    if (!grown) {
        catalogue->no_memory = true;
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

Str catalogue_keep(Catalogue *catalogue, Str text)
{
    TextBlock *block = catalogue->blocks;

    if (text.len == 0)
        return STR("");
    if (!block || block->room - block->used < text.len + 1) {
        size_t room = text.len + 1 > BLOCK_BYTES ? text.len + 1 : BLOCK_BYTES;
        block = mem_new(sizeof(*block) + room);
        if (!block) {
            catalogue->no_memory = true;
            return STR("");
        }
        block->room = room;
        block->next = catalogue->blocks;
        catalogue->blocks = block;
    }
    char *copy = block->bytes + block->used;
    memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    block->used += text.len + 1;
    return (Str){copy, text.len};
}

/* ---- texts ---- */

static bool grow_text_slots(Catalogue *catalogue)
{
    size_t count = catalogue->text_slot_count ? 2 * catalogue->text_slot_count : 256;
    uint32_t *slots = mem_new(count * sizeof(*slots));

    if (!slots) {
        catalogue->no_memory = true;
        return false;
    }
    for (uint32_t i = 1; i < catalogue->text_count; i++) {
        size_t at = str_hash(catalogue->texts[i]) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = i;
    }
    mem_free(catalogue->text_slots);
    catalogue->text_slots = slots;
    catalogue->text_slot_count = count;
    return true;
}

uint32_t catalogue_intern(Catalogue *catalogue, Str text)
{
    if (text.len == 0)
        return 0;
    if (catalogue->text_count * 2 >= catalogue->text_slot_count && !grow_text_slots(catalogue))
        return 0;
    size_t mask = catalogue->text_slot_count - 1;
    size_t at = str_hash(text) & mask;
    for (; catalogue->text_slots[at]; at = (at + 1) & mask)
        if (str_eq(catalogue->texts[catalogue->text_slots[at]], text))
            return catalogue->text_slots[at];
    void *texts = catalogue->texts;
    if (!catalogue_room(catalogue, &texts, catalogue->text_count + 1, &catalogue->text_room,
                        sizeof(Str)))
        return 0;
    catalogue->texts = texts;
    if (catalogue->text_count == 0)
        catalogue->texts[catalogue->text_count++] = STR("");
    catalogue->texts[catalogue->text_count] = catalogue_keep(catalogue, text);
    catalogue->text_slots[at] = (uint32_t)catalogue->text_count;
    return (uint32_t)catalogue->text_count++;
}

Str catalogue_text(const Catalogue *catalogue, uint32_t text)
{
    return text > 0 && text < catalogue->text_count ? catalogue->texts[text] : STR("");
}

/* ---- IDs ---- */

static bool is_id_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* What is encoded already stays: logs of the natural-language division have such names. */
static bool is_encoded(Str text, size_t at)
{
    return text.bytes[at] == '%' && at + 2 < text.len && is_hex(text.bytes[at + 1]) &&
           is_hex(text.bytes[at + 2]);
}

void catalogue_id_encode(Str text, Buf *out)
{
    size_t start = out->len;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        if (i == 0 && c == '.')
            buf_add_char(out, '_');
        else if (is_id_char(c) || is_encoded(text, i))
            buf_add_char(out, c);
        else
            buf_printf(out, "%%%02X", (unsigned char)c);
    }
    if (buf_failed(out))
        return;
    if (out->len == start)
        buf_add_char(out, '_');
    if (out->len - start > CATALOGUE_ID_MAX) {
        size_t cut = start + ID_CUT;
        while (out->bytes[cut - 1] == '%' || out->bytes[cut - 2] == '%')
            cut--; /* not within %XX */
        uint32_t hash = str_hash(text);
        buf_cut(out, cut);
        buf_printf(out, ".%08x", hash);
    }
}

static IdSlot *id_slot(const Catalogue *catalogue, Str id)
{
    size_t mask = catalogue->id_room - 1;
    size_t at = str_hash(id) & mask;

    while (catalogue->ids[at].game != CATALOGUE_NONE && !str_eq(catalogue->ids[at].id, id))
        at = (at + 1) & mask;
    return &catalogue->ids[at];
}

static bool grow_ids(Catalogue *catalogue)
{
    IdSlot *old = catalogue->ids;
    size_t old_room = catalogue->id_room;
    size_t room = old_room ? 2 * old_room : 256;
    IdSlot *ids = mem_new(room * sizeof(*ids));

    if (!ids) {
        catalogue->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < room; i++)
        ids[i].game = CATALOGUE_NONE;
    catalogue->ids = ids;
    catalogue->id_room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].game != CATALOGUE_NONE)
            *id_slot(catalogue, old[i].id) = old[i];
    mem_free(old);
    return true;
}

/* False when another game has it. */
static bool take_id(Catalogue *catalogue, Str id, size_t game, Str *ret_kept)
{
    if (catalogue->id_count * 2 >= catalogue->id_room && !grow_ids(catalogue))
        return true; /* it is told by no_memory */
    IdSlot *slot = id_slot(catalogue, id);
    if (slot->game != CATALOGUE_NONE)
        return false;
    slot->id = catalogue_keep(catalogue, id);
    slot->game = (uint32_t)game;
    catalogue->id_count++;
    *ret_kept = slot->id;
    return true;
}

void catalogue_name_game(Catalogue *catalogue, size_t game, Str wanted, Str before)
{
    CLEANUP(buf_done) Buf id = {0};
    Str kept = STR("");

    catalogue_id_encode(wanted, &id);
    bool taken = take_id(catalogue, buf_str(&id), game, &kept);
    if (!taken && before.len) {
        CLEANUP(buf_done) Buf longer = {0};
        buf_printf(&longer, "%.*s.%.*s", STR_ARG(before), STR_ARG(wanted));
        buf_clear(&id);
        catalogue_id_encode(buf_str(&longer), &id);
        taken = take_id(catalogue, buf_str(&id), game, &kept);
    }
    size_t len = id.len < ID_CUT ? id.len : ID_CUT;
    for (unsigned number = 2; !taken && !buf_failed(&id) && number < UINT32_MAX; number++) {
        buf_cut(&id, len);
        buf_printf(&id, "_%u", number);
        taken = take_id(catalogue, buf_str(&id), game, &kept);
    }
    catalogue->no_memory |= buf_failed(&id);
    catalogue->games[game].id = kept;
}

void catalogue_alias_game(Catalogue *catalogue, size_t game, Str name)
{
    CLEANUP(buf_done) Buf id = {0};
    Str kept;

    if (name.len == 0)
        return;
    catalogue_id_encode(name, &id);
    if (!buf_failed(&id))
        (void)take_id(catalogue, buf_str(&id), game, &kept);
}

const CatalogueGame *catalogue_find(const Catalogue *catalogue, Str id)
{
    CLEANUP(buf_done) Buf encoded = {0};

    if (catalogue->id_room == 0 || id.len == 0 || id.len > 3 * CATALOGUE_ID_MAX)
        return NULL;
    const IdSlot *slot = id_slot(catalogue, id);
    if (slot->game == CATALOGUE_NONE) {
        catalogue_id_encode(id, &encoded);
        if (buf_failed(&encoded))
            return NULL;
        slot = id_slot(catalogue, buf_str(&encoded));
    }
    return slot->game == CATALOGUE_NONE ? NULL : &catalogue->games[slot->game];
}

bool catalogue_find_contest(const Catalogue *catalogue, Str id, size_t *ret_index)
{
    for (size_t i = 0; i < catalogue->contest_count; i++)
        if (str_eq(catalogue->contests[i].id, id)) {
            *ret_index = i;
            return true;
        }
    return false;
}

int64_t catalogue_time_left(const CatalogueContest *contest, uint64_t played, int64_t now_ms)
{
    const int64_t took = contest->ended_ms - contest->pace_from_ms;

    if (contest->complete || contest->planned <= played || contest->pace_games < 2 || took <= 0)
        return -1;
    const double each = (double)took / (contest->pace_games - 1);
    if ((double)(now_ms - contest->ended_ms) > QUIET_GAMES * each + QUIET_MS)
        return -1;
    const double left = each * (double)(contest->planned - played);
    return left < 1e15 ? (int64_t)left : -1;
}

bool catalogue_find_session(const Catalogue *catalogue, Str id, size_t *ret_index)
{
    for (size_t i = 0; i < catalogue->session_count; i++)
        if (str_eq(catalogue->sessions[i].id, id)) {
            *ret_index = i;
            return true;
        }
    return false;
}

typedef bool IdFinder(const Catalogue *catalogue, Str id, size_t *ret_index);

static Str free_id(Catalogue *catalogue, Str wanted, IdFinder *find)
{
    CLEANUP(buf_done) Buf id = {0};
    size_t index;

    catalogue_id_encode(wanted, &id);
    size_t len = id.len < ID_CUT ? id.len : ID_CUT;
    for (unsigned number = 2; !buf_failed(&id) && find(catalogue, buf_str(&id), &index); number++) {
        buf_cut(&id, len);
        buf_printf(&id, "_%u", number);
    }
    return catalogue_keep(catalogue, buf_str(&id));
}

Str catalogue_contest_id(Catalogue *catalogue, Str wanted)
{
    return free_id(catalogue, wanted, catalogue_find_contest);
}

Str catalogue_session_id(Catalogue *catalogue, Str wanted)
{
    return free_id(catalogue, wanted, catalogue_find_session);
}

/* ---- what is found ---- */

CatalogueGame *catalogue_add_game(Catalogue *catalogue)
{
    void *games = catalogue->games;

    if (catalogue->game_count >= CATALOGUE_GAMES_MAX) {
        catalogue->left_out++;
        return NULL;
    }
    if (!catalogue_room(catalogue, &games, catalogue->game_count, &catalogue->game_room,
                        sizeof(*catalogue->games)))
        return NULL;
    catalogue->games = games;
    CatalogueGame *game = &catalogue->games[catalogue->game_count++];
    *game = (CatalogueGame){.id = STR(""),
                            .name = STR(""),
                            .path = STR(""),
                            .json = STR(""),
                            .contest = CATALOGUE_NONE,
                            .session = CATALOGUE_NONE,
                            .division = DIVISION_COUNT};
    return game;
}

/* Room for one more in an array and in the one of what its games were read from. */
static bool room_for_both(Catalogue *catalogue, void **items, size_t each, FoundGames **found,
                          size_t count, size_t *room)
{
    size_t before = *room, other = *room;
    void *places = *found;

    if (!catalogue_room(catalogue, items, count, room, each))
        return false;
    if (!catalogue_room(catalogue, &places, count, &other, sizeof(**found))) {
        *room = before; /* of both */
        return false;
    }
    *found = places;
    (*found)[count] = (FoundGames){.first = catalogue->game_count};
    return true;
}

CatalogueContest *catalogue_add_contest(Catalogue *catalogue)
{
    void *contests = catalogue->contests;
    bool room =
        room_for_both(catalogue, &contests, sizeof(*catalogue->contests), &catalogue->contest_games,
                      catalogue->contest_count, &catalogue->contest_room);

    catalogue->contests = contests;
    if (!room)
        return NULL;
    CatalogueContest *contest = &catalogue->contests[catalogue->contest_count++];
    *contest = (CatalogueContest){.id = STR(""),
                                  .name = STR(""),
                                  .folder = STR(""),
                                  .trouble = STR(""),
                                  .division = DIVISION_COUNT};
    return contest;
}

CatalogueSession *catalogue_add_session(Catalogue *catalogue)
{
    void *sessions = catalogue->sessions;
    bool room =
        room_for_both(catalogue, &sessions, sizeof(*catalogue->sessions), &catalogue->session_games,
                      catalogue->session_count, &catalogue->session_room);

    catalogue->sessions = sessions;
    if (!room)
        return NULL;
    CatalogueSession *session = &catalogue->sessions[catalogue->session_count++];
    *session = (CatalogueSession){
        .id = STR(""), .name = STR(""), .path = STR(""), .contest = CATALOGUE_NONE};
    return session;
}

void catalogue_watch(Catalogue *catalogue, uint32_t root, Str path, const FileMark *mark)
{
    void *watched = catalogue->watched;

    if (!catalogue_room(catalogue, &watched, catalogue->watched_count, &catalogue->watched_room,
                        sizeof(*catalogue->watched)))
        return;
    catalogue->watched = watched;
    catalogue->watched[catalogue->watched_count++] =
        (Watched){.root = root, .path = catalogue_keep(catalogue, path), .mark = *mark};
}

Str catalogue_stem(Str path)
{
    static const char *const endings[] = {".gz", ".jsonl", ".json", ".log", ".game"};
    size_t slash = 0;
    Str name = path;

    if (str_find_last(path, '/', &slash))
        name = str_part(path, slash + 1, path.len);
    if (str_eq(name, STR("session.jsonl")) && slash > 0)
        return catalogue_stem(str_part(path, 0, slash));
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        Str end = str_of(endings[i]);
        if (name.len > end.len && str_eq(str_part(name, name.len - end.len, end.len), end))
            name.len -= end.len;
    }
    return name;
}

/* ---- outside ---- */

Catalogue *catalogue_free(Catalogue *catalogue)
{
    if (!catalogue)
        return NULL;
    while (catalogue->blocks) {
        TextBlock *block = catalogue->blocks;
        catalogue->blocks = block->next;
        mem_free(block);
    }
    for (size_t i = 0; i < catalogue->root_count; i++)
        mem_free(catalogue->roots[i]);
    mem_free(catalogue->roots);
    mem_free(catalogue->texts);
    mem_free(catalogue->text_slots);
    mem_free(catalogue->games);
    mem_free(catalogue->order);
    mem_free(catalogue->seats);
    mem_free(catalogue->contests);
    mem_free(catalogue->contest_games);
    mem_free(catalogue->sessions);
    mem_free(catalogue->session_games);
    mem_free(catalogue->watched);
    mem_free(catalogue->ids);
    return mem_free(catalogue);
}

size_t catalogue_count(const Catalogue *catalogue)
{
    return catalogue->game_count;
}

const CatalogueGame *catalogue_game(const Catalogue *catalogue, size_t index)
{
    return &catalogue->games[catalogue->order[index]];
}

CatalogueSeat catalogue_seat(const Catalogue *catalogue, const CatalogueGame *game, SeatNo seat)
{
    return catalogue->seats[game->seats + seat - 1];
}

size_t catalogue_contest_count(const Catalogue *catalogue)
{
    return catalogue->contest_count;
}

const CatalogueContest *catalogue_contest(const Catalogue *catalogue, size_t index)
{
    return &catalogue->contests[index];
}

size_t catalogue_session_count(const Catalogue *catalogue)
{
    return catalogue->session_count;
}

const CatalogueSession *catalogue_session(const Catalogue *catalogue, size_t index)
{
    return &catalogue->sessions[index];
}

const char *catalogue_root(const Catalogue *catalogue, uint32_t root)
{
    return catalogue->roots[root];
}

uint64_t catalogue_left_out(const Catalogue *catalogue)
{
    return catalogue->left_out;
}

int catalogue_open(const Catalogue *catalogue, uint32_t root, Str path, int *ret_fd, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (root >= catalogue->root_count)
        return err_set(err, ERR_RULE, "the catalogue has no such root");
    if (path.len == 0) /* a file that was named itself */
        return regular_file_open(catalogue->roots[root], ret_fd, err);
    buf_add(&text, path);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "open a log: out of memory");
    return file_inside_open(catalogue->roots[root], buf_cstr(&text), ret_fd, err);
}
