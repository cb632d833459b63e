#include "nlp/dynamic_profiles.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "nlp/profile_ask.h"

#define WHY_CHARS 200

typedef struct Seat {
    DynamicProfiles *owner;
    HttpCall *call; /* NULL: not asked now */
    int32_t tries;
    bool got;
    Buf name;
    Buf text;
    Str avatar;
} Seat;

struct DynamicProfiles {
    HttpClient *http;
    DynamicPlan plan;
    DynamicDone *done;
    void *user;
    Timer *limit; /* of all calls; what is under way then is given up */
    Buf url;
    Buf authorization; /* empty = no key */
    Seat seats[SEAT_MAX];
    Str taken[SEAT_MAX];
    uint32_t taken_count;
    ConfigProfile profiles[SEAT_MAX];
    Err err;
};

static ProfileKeys keys_of(const DynamicProfiles *all)
{
    return (ProfileKeys){all->plan.encoding, all->plan.encoding_count};
}

static ProfileNames names_of(const DynamicProfiles *all)
{
    return (ProfileNames){all->taken, all->taken_count};
}

/* ---- the end ---- */

static void stop_asking(DynamicProfiles *all)
{
    for (uint32_t i = 0; i < all->plan.agent_count; i++) {
        if (all->seats[i].call)
            http_call_cancel(all->seats[i].call);
        all->seats[i].call = NULL;
    }
    if (all->limit)
        timer_stop(all->limit);
}

/* all->err says why. */
static void give_up(DynamicProfiles *all, TimeUs now)
{
    stop_asking(all);
    all->done(all->user, NULL, &all->err, now); /* may free all */
}

static void finish_asking(DynamicProfiles *all, TimeUs now)
{
    for (uint32_t i = 0; i < all->plan.agent_count; i++) {
        Seat *seat = &all->seats[i];

        all->profiles[i] = (ConfigProfile){
            .name = buf_str(&seat->name),
            .avatar_url = seat->avatar,
            .voice_id = -1,
            .text = buf_str(&seat->text),
        };
    }
    stop_asking(all);
    all->done(all->user, all->profiles, NULL, now); /* may free all */
}

static void on_limit(void *user, TimeUs now)
{
    DynamicProfiles *all = user;

    all->err = (Err){0};
    err_set(&all->err, ERR_LIMIT, "characters of a model: not complete after %u ms",
            all->plan.limit_ms);
    give_up(all, now);
}

/* ---- one seat ---- */

static void on_answer(void *user, const HttpAnswer *answer);

static int ask_profile(Seat *seat, Err *err)
{
    DynamicProfiles *all = seat->owner;
    CLEANUP(buf_done) Buf body = {0};
    const char *const headers[] = {"Content-Type: application/json",
                                   all->authorization.len ? buf_cstr(&all->authorization) : NULL,
                                   NULL};

    profile_ask_write(all->plan.config, keys_of(all), seat->avatar, names_of(all), &body);
    if (buf_failed(&body))
        return err_set(err, ERR_MEMORY, "characters of a model: out of memory");
    HttpAsk request = {
        .method = "POST",
        .url = buf_cstr(&all->url),
        .headers = headers,
        .body = buf_str(&body),
        .timeout_ms = all->plan.limit_ms,
        .answer_bytes = PROFILE_ANSWER_MAX,
    };
    seat->tries++;
    return http_call(all->http, &request, on_answer, seat, &seat->call, err);
}

static int read_answer(Seat *seat, const HttpAnswer *answer, Err *err)
{
    DynamicProfiles *all = seat->owner;
    CLEANUP(buf_done) Buf why = {0};

    if (answer->status == 200) {
        int rc = profile_answer_read(answer->body, keys_of(all), &seat->name, &seat->text, err);

        return rc ? rc : profile_name_check(buf_str(&seat->name), names_of(all), err);
    }
    utf8_add_printable(answer->status ? answer->body : answer->why, WHY_CHARS, &why);
    if (answer->status)
        return err_set(err, ERR_IO, "status %u: %s", answer->status, buf_cstr(&why));
    return err_set(err, ERR_IO, "%s", buf_cstr(&why));
}

/* Whether asking once more can help: not when the key or the request is wrong. */
static bool may_pass(unsigned status)
{
    return status < 400 || status >= 500 || status == 408 || status == 429;
}

static void keep_profile(Seat *seat, TimeUs now)
{
    DynamicProfiles *all = seat->owner;

    seat->got = true;
    all->taken[all->taken_count++] = buf_str(&seat->name);
    if (all->taken_count == all->plan.agent_count)
        finish_asking(all, now);
}

static void on_answer(void *user, const HttpAnswer *answer)
{
    Seat *seat = user;
    DynamicProfiles *all = seat->owner;

    seat->call = NULL;
    all->err = (Err){0};
    int rc = read_answer(seat, answer, &all->err);
    if (!rc) {
        keep_profile(seat, answer->at);
        return;
    }
    if (may_pass(answer->status) && seat->tries < all->plan.config->attempts) {
        all->err = (Err){0};
        rc = ask_profile(seat, &all->err);
    }
    if (rc) {
        err_wrap(&all->err, "characters of a model, after %d tries: ", (int)seat->tries);
        give_up(all, answer->at);
    }
}

/* ---- the beginning ---- */

/* Fisher and Yates, over indices of the configuration's avatars. */
static int deal_avatars(DynamicProfiles *all, Err *err)
{
    const ConfigDynamic *config = all->plan.config;
    CLEANUP(mem_freep) uint32_t *order = mem_new(config->avatar_count * sizeof(*order));
    Rng rng = rng_new(all->plan.seed);

    if (!order)
        return err_set(err, ERR_MEMORY, "characters of a model: out of memory");
    for (uint32_t i = 0; i < config->avatar_count; i++)
        order[i] = i;
    for (uint32_t i = 0; i < all->plan.agent_count; i++) {
        uint32_t j = i + rng_below(&rng, config->avatar_count - i);
        uint32_t index = order[j];

        order[j] = order[i];
        order[i] = index;
        all->seats[i].avatar = config->avatars[index];
    }
    return 0;
}

static int set_address(DynamicProfiles *all, Err *err)
{
    Str endpoint = str_of(all->plan.config->endpoint);
    Str key = str_of(all->plan.config->api_key);

    while (endpoint.len && endpoint.bytes[endpoint.len - 1] == '/')
        endpoint.len--;
    buf_add(&all->url, endpoint);
    buf_add(&all->url, STR("/chat/completions"));
    for (size_t i = 0; i < key.len; i++) {
        if ((unsigned char)key.bytes[i] <= ' ' || key.bytes[i] == 0x7F) /* it goes into a header */
            return err_set(err, ERR_USAGE, "OPENAI_API_KEY: blanks or line breaks in it");
    }
    if (key.len) {
        buf_add(&all->authorization, STR("Authorization: Bearer "));
        buf_add(&all->authorization, key);
    }
    if (buf_failed(&all->url) || buf_failed(&all->authorization))
        return err_set(err, ERR_MEMORY, "characters of a model: out of memory");
    return 0;
}

static int check_plan(const DynamicPlan *plan, Err *err)
{
    if (plan->agent_count < 1 || plan->agent_count > SEAT_MAX)
        return err_set(err, ERR_RULE, "characters of a model: %u seats; expected 1 to %d",
                       plan->agent_count, SEAT_MAX);
    if (plan->config->avatar_count < plan->agent_count)
        return err_set(err, ERR_RULE, "dynamic_profile.avatars: %u for %u seats",
                       plan->config->avatar_count, plan->agent_count);
    return 0;
}

int dynamic_profiles_begin(Loop *loop, HttpClient *http, const DynamicPlan *plan, DynamicDone *done,
                           void *user, DynamicProfiles **ret_profiles, Err *err)
{
    int rc = check_plan(plan, err);
    if (rc)
        return rc;

    DynamicProfiles *all = mem_new(sizeof(*all));
    if (!all)
        return err_set(err, ERR_MEMORY, "characters of a model: out of memory");
    all->http = http;
    all->plan = *plan;
    if (!all->plan.limit_ms)
        all->plan.limit_ms = DYNAMIC_LIMIT_MS;
    all->done = done;
    all->user = user;

    rc = set_address(all, err);
    if (!rc)
        rc = deal_avatars(all, err);
    if (!rc)
        rc = timer_new(loop, on_limit, all, &all->limit, err);
    for (uint32_t i = 0; i < plan->agent_count && !rc; i++) {
        all->seats[i].owner = all;
        rc = ask_profile(&all->seats[i], err);
    }
    if (rc) {
        dynamic_profiles_free(all);
        return rc;
    }
    timer_in(all->limit, (TimeUs)all->plan.limit_ms * 1000);
    *ret_profiles = all;
    return 0;
}

DynamicProfiles *dynamic_profiles_free(DynamicProfiles *all)
{
    if (!all)
        return NULL;
    stop_asking(all);
    timer_free(all->limit);
    for (uint32_t i = 0; i < all->plan.agent_count; i++) {
        buf_done(&all->seats[i].name);
        buf_done(&all->seats[i].text);
    }
    buf_done(&all->url);
    buf_done(&all->authorization);
    return mem_free(all);
}
