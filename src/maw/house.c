#include "maw/house.h"

/* Who answers answers never ends: the rest is for the next call. */
#define DELIVER_MAX 1000000u

typedef struct Resident {
    Buf jid; /* folded */
    void (*receive)(void *user, const MawStanza *stanza, TimeUs now);
    void *user;
} Resident;

/* A stanza on its way: it and all its texts in one block. */
typedef struct Letter {
    MawStanza stanza;
    struct Letter *next;
    char texts[];
} Letter;

struct MawHouse {
    Resident *residents; /* few: found by looking at each */
    size_t count;
    size_t room;
    void (*link)(void *user, const MawStanza *stanza);
    void *link_user;
    Letter *first;
    Letter **last;
};

/* ---- residents ---- */

int maw_house_new(MawHouse **ret_house, Err *err)
{
    MawHouse *house = mem_new(sizeof(*house));

    if (!house)
        return err_set(err, ERR_MEMORY, "house: out of memory");
    house->last = &house->first;
    *ret_house = house;
    return 0;
}

MawHouse *maw_house_free(MawHouse *house)
{
    if (!house)
        return NULL;
    while (house->first) {
        Letter *letter = house->first;
        house->first = letter->next;
        mem_free(letter);
    }
    for (size_t i = 0; i < house->count; i++)
        buf_done(&house->residents[i].jid);
    mem_free(house->residents);
    return mem_free(house);
}

static Resident *find_resident(const MawHouse *house, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (size_t i = 0; i < house->count && !buf_failed(&folded); i++)
        if (str_eq(buf_str(&folded), buf_str(&house->residents[i].jid)))
            return &house->residents[i];
    return NULL;
}

int maw_house_add(MawHouse *house, Str jid,
                  void (*receive)(void *user, const MawStanza *stanza, TimeUs now), void *user,
                  Err *err)
{
    if (jid.len == 0)
        return err_set(err, ERR_RULE, "house: a resident needs a JID");
    if (find_resident(house, jid))
        return err_set(err, ERR_RULE, "house: '%.*s' lives here already", STR_ARG(jid));
    if (house->count == house->room) {
        size_t room = house->room ? 2 * house->room : 16;
        Resident *more = mem_resize(house->residents, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "house: out of memory");
        house->residents = more;
        house->room = room;
    }
    Resident *resident = &house->residents[house->count];
    *resident = (Resident){.receive = receive, .user = user};
    jid_fold(jid, &resident->jid);
    if (buf_failed(&resident->jid)) {
        buf_done(&resident->jid);
        return err_set(err, ERR_MEMORY, "house: out of memory");
    }
    house->count++;
    return 0;
}

bool maw_house_has(const MawHouse *house, Str jid)
{
    return find_resident(house, jid) != NULL;
}

void maw_house_remove(MawHouse *house, Str jid)
{
    Resident *gone = find_resident(house, jid);

    if (!gone)
        return;
    buf_done(&gone->jid);
    size_t at = (size_t)(gone - house->residents);
    memmove(gone, gone + 1, (house->count - at - 1) * sizeof(*gone));
    house->count--;
}

void maw_house_link(MawHouse *house, void (*send)(void *user, const MawStanza *stanza), void *user)
{
    house->link = send;
    house->link_user = user;
}

/* ---- letters ---- */

/* The texts of a stanza, one after the other: `visit` may replace them. */
static void each_text(MawStanza *stanza, void (*visit)(void *user, Str *text), void *user)
{
    Str *texts[] = {
        &stanza->from,
        &stanza->to,
        &stanza->id,
        &stanza->conversation_id,
        &stanza->reply_with,
        &stanza->in_reply_to,
        &stanza->thread,
        &stanza->body,
        &stanza->error_condition,
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        visit(user, texts[i]);
    for (uint32_t i = 0; i < stanza->other_count && i < MAW_METADATA_MAX; i++) {
        visit(user, &stanza->other[i].key);
        visit(user, &stanza->other[i].value);
    }
}

static void measure_text(void *user, Str *text)
{
    size_t *bytes = user;

    *bytes += text->len;
}

static void move_text(void *user, Str *text)
{
    char **to = user;

    if (text->len)
        memcpy(*to, text->bytes, text->len);
    if (text->bytes) /* NULL is absent, others may be empty */
        text->bytes = *to;
    *to += text->len;
}

void maw_house_post(MawHouse *house, const MawStanza *stanza)
{
    MawStanza copy = *stanza;
    size_t bytes = 0;

    each_text(&copy, measure_text, &bytes);
    Letter *letter = mem_new(sizeof(*letter) + bytes);
    if (!letter)
        return; /* as on a network: it is lost, and who waits for an answer asks again */
    char *to = letter->texts;
    each_text(&copy, move_text, &to);
    letter->stanza = copy;
    *house->last = letter;
    house->last = &letter->next;
}

/* The answer of a server for an address that does not exist. */
static void bounce_stanza(MawHouse *house, const MawStanza *stanza)
{
    MawStanza answer = {
        .from = stanza->to,
        .to = stanza->from,
        .id = stanza->id,
        .type = STANZA_ERROR,
        .error_condition = STR("item-not-found"),
    };

    if (stanza->type != STANZA_ERROR && stanza->from.len)
        maw_house_post(house, &answer);
}

uint64_t maw_house_deliver(MawHouse *house, TimeUs now)
{
    uint64_t count = 0;

    while (house->first && count < DELIVER_MAX) {
        Letter *letter = house->first;
        house->first = letter->next;
        if (!house->first)
            house->last = &house->first;
        const Resident *resident = find_resident(house, letter->stanza.to);
        if (resident)
            resident->receive(resident->user, &letter->stanza, now);
        else if (house->link)
            house->link(house->link_user, &letter->stanza);
        else
            bounce_stanza(house, &letter->stanza);
        mem_free(letter);
        count++;
    }
    return count;
}
