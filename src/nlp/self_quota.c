#include "nlp/self_quota.h"

#include "base/mem.h"

#define HOUR_US ((TimeUs)3600 * 1000000)

typedef struct QuotaTeam {
    char *name;
    TimeUs began; /* its hour */
    uint32_t count;
} QuotaTeam;

struct SelfQuota {
    uint32_t most;
    QuotaTeam *teams;
    size_t count;
};

int self_quota_new(uint32_t most, SelfQuota **ret_quota, Err *err)
{
    *ret_quota = mem_new(sizeof(**ret_quota));
    if (!*ret_quota)
        return err_set(err, ERR_MEMORY, "self matches: out of memory");
    (*ret_quota)->most = most;
    return 0;
}

SelfQuota *self_quota_free(SelfQuota *quota)
{
    for (size_t i = 0; quota && i < quota->count; i++)
        mem_free(quota->teams[i].name);
    if (quota)
        mem_free(quota->teams);
    return mem_free(quota);
}

static QuotaTeam *find_team(const SelfQuota *quota, Str name)
{
    for (size_t i = 0; i < quota->count; i++)
        if (str_eq(str_of(quota->teams[i].name), name))
            return &quota->teams[i];
    return NULL;
}

static QuotaTeam *add_team(SelfQuota *quota, Str name)
{
    QuotaTeam *more = mem_resize(quota->teams, quota->count + 1, sizeof(*more));
    char *copy = mem_new(name.len + 1);

    if (more)
        quota->teams = more;
    if (!more || !copy) {
        mem_free(copy);
        return NULL;
    }
    if (name.len)
        memcpy(copy, name.bytes, name.len);
    more[quota->count] = (QuotaTeam){.name = copy};
    return &more[quota->count++];
}

void self_quota_note(SelfQuota *quota, Str team, TimeUs now)
{
    QuotaTeam *own = quota->most ? find_team(quota, team) : NULL;

    if (!own && quota->most)
        own = add_team(quota, team);
    if (!own)
        return;
    if (own->count == 0 || now - own->began >= HOUR_US) {
        own->began = now;
        own->count = 0;
    }
    own->count++;
}

TimeUs self_quota_wait(const SelfQuota *quota, Str team, TimeUs now)
{
    const QuotaTeam *own = quota->most ? find_team(quota, team) : NULL;

    return own && own->count >= quota->most && now - own->began < HOUR_US
               ? own->began + HOUR_US - now
               : 0;
}

uint32_t self_quota_most(const SelfQuota *quota)
{
    return quota->most;
}
