/* The feed: whoever watches ends with the document, whatever the network does; limits, rights, what
 * each message gets. */
#include "sanitized.h"
#include "web/live_script.h"
#include "web/live_world.h"

/* ---- simulated networks ---- */

/* What happened in all worlds: a test in which nothing does is none. */
typedef struct Course {
    unsigned readers, whole, agains, cuts, stucks, restarts, delayed;
} Course;

static void count_course(const World *world, Course *course)
{
    for (size_t i = 0; i < world->client_count; i++) {
        const Client *client = &world->clients[i];
        course->readers++;
        course->whole += client->whole;
        course->agains += client->agains;
        course->cuts += client->cuts;
        course->stucks += client->stucks;
    }
    course->restarts += world->restarts;
    course->delayed += world->delay > 0;
}

/* Of one seed: until all have seen the ends of their games. */
static void run_world(uint64_t seed, Course *course)
{
    World *world = world_open(seed);
    unsigned steps = 0;

    while (!world_done(world)) {
        world_step(world);
        if (world->restarts < 2 && world_draw(world, 4000) == 0)
            world_restart(world);
        if (++steps > 200000)
            fail_msg("seed %llu: somebody waits for ever", (unsigned long long)seed);
    }
    count_course(world, course);
    world_close(world);
}

static void every_reader_ends_with_the_document(void **state)
{
    const uint64_t first = prop_env("WARG_PROP_SEED", 1);
    const uint64_t count = sanitized_share(1000) * prop_env("WARG_PROP_TIMES", 1);

    Course course = {0};

    (void)state;
    for (uint64_t i = 0; i < count; i++)
        run_world(rng_derive(first, i), &course);
    print_message("%u readers, %u whole; %u again, %u cuts, %u stuck, %u restarts, %u with delay\n",
                  course.readers, course.whole, course.agains, course.cuts, course.stucks,
                  course.restarts, course.delayed);
    assert_true(course.whole * 10 > course.readers * 6);
    assert_true(course.agains > count / 5 && course.cuts > count && course.stucks > count / 20 &&
                course.restarts > count / 10 && course.delayed > count / 4);
}

/* ---- one server, by hand ---- */

#define MS ((TimeUs)1000)
#define S  ((TimeUs)1000000)

/* A connection that keeps what it is sent. */
typedef struct Line {
    Buf text; /* messages, one a line */
    size_t queued;
    TimeUs stuck;
    uint16_t code;
    bool closed;
} Line;

static void line_send(void *conn, Str text)
{
    Line *line = conn;

    buf_add(&line->text, text);
    buf_add_char(&line->text, '\n');
}

static void line_close(void *conn, uint16_t code, const char *reason)
{
    Line *line = conn;

    (void)reason;
    line->closed = true;
    line->code = code;
}

static size_t line_queued(const void *conn)
{
    return ((const Line *)conn)->queued;
}

static TimeUs line_stuck(const void *conn)
{
    return ((const Line *)conn)->stuck;
}

static const FeedOut line_out = {
    .send = line_send, .close = line_close, .queued = line_queued, .stuck_since = line_stuck};

typedef struct Post {
    LiveTables *tables;
    Feed *feed;
    LiveSink sink;
    Line line;
    FeedReader *reader;
} Post;

static bool knows_secret(void *user, Str secret, TimeUs now)
{
    (void)user, (void)now;
    return str_eq(secret, STR("right"));
}

/* The reader of the post sits on seat 2 of game g. */
static bool sits_there(void *user, const FeedReader *reader, Str game, SeatNo seat)
{
    (void)user, (void)reader;
    return str_eq(game, STR("g")) && seat == 2;
}

static unsigned wrong_secrets; /* of all addresses */

static bool may_try(void *user, Str address, Str secret, TimeUs now)
{
    (void)user, (void)secret, (void)now;
    assert_true(str_eq(address, STR("192.0.2.1")));
    return ++wrong_secrets < 3;
}

/* Game "kept" is over, and its log is here; "later" is told to operators alone. */
static bool keeps_log(void *user, Str game, bool is_operator, TimeUs now)
{
    (void)user, (void)now;
    return str_eq(game, STR("kept")) || (is_operator && str_eq(game, STR("later")));
}

static void post_open_as(Post *post, TimeUs delay, bool closed)
{
    *post = (Post){.line = {.stuck = TIME_US_NEVER}};
    assert_int_equal(live_tables_new(&(LiveTablesSetup){.delay = delay}, &post->tables, NULL), 0);
    assert_int_equal(feed_new(&(FeedSetup){.tables = post->tables,
                                           .hooks = {.is_operator = knows_secret,
                                                     .wrong = may_try,
                                                     .sits = sits_there,
                                                     .keeps = keeps_log},
                                           .closed = closed},
                              &post->feed, NULL),
                     0);
    post->sink = live_tables_sink(post->tables);
    post->reader = feed_open_socket(post->feed, &line_out, &post->line, STR("192.0.2.1"), false, 0);
    assert_non_null(post->reader);
}

static void post_open(Post *post, TimeUs delay)
{
    post_open_as(post, delay, false);
}

static void post_close(Post *post)
{
    feed_free(post->feed);
    live_tables_free(post->tables);
    buf_done(&post->line.text);
}

static void say(Post *post, const char *text, TimeUs now)
{
    feed_message(post->reader, str_of(text), now);
    if (post->line.closed)
        post->reader = NULL;
}

/* All that came since it was asked for the last time. */
static const char *heard(Post *post)
{
    static char text[65536];

    snprintf(text, sizeof(text), "%s", buf_cstr(&post->line.text));
    buf_clear(&post->line.text);
    return text;
}

static void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected %s in: %s", part, text);
}

static void expect_none(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("did not expect %s in: %s", part, text);
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

#define WATCH(view) "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"" view "\"}"

static void events_of_50_ms_are_one_message(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    say(&post, WATCH("public"), 0);
    expect_part(heard(&post), "\"seats\":[");
    script_talk(&post.sink, "g", 1, 0, "one", 10 * MS);
    script_talk(&post.sink, "g", 2, 1, "two", 40 * MS);
    assert_int_equal(feed_deadline(post.feed), 60 * MS);
    feed_tick(post.feed, 59 * MS);
    assert_string_equal(heard(&post), "");
    feed_tick(post.feed, 60 * MS);
    const char *text = heard(&post);
    assert_int_equal(count_of(text, "\"type\":\"events\""), 1);
    expect_part(text, "\"one\"");
    expect_part(text, "\"two\"");
    expect_none(text, "\"seats\"");
    post_close(&post);
}

static void a_reader_goes_on_where_it_was_or_begins_again(void **state)
{
    char id[32], watch[128];
    const char *at;
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    say(&post, WATCH("public"), 0);
    at = strstr(heard(&post), "\"id\":\"");
    snprintf(id, sizeof(id), "%.*s", (int)strcspn(at + 6, "\""), at + 6);
    script_talk(&post.sink, "g", 1, 0, "one", 10 * MS);
    snprintf(watch, sizeof(watch),
             "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"public\",\"after\":\"%s\"}", id);
    say(&post, watch, 20 * MS);
    expect_part(heard(&post), "\"one\"");
    id[0] = id[0] == 'f' ? '0' : 'f'; /* another process */
    snprintf(watch, sizeof(watch),
             "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"public\",\"after\":\"%s\"}", id);
    say(&post, watch, 30 * MS);
    assert_string_equal(heard(&post), "{\"type\":\"again\",\"game\":\"g\",\"view\":\"public\"}\n");
    say(&post, "{\"type\":\"watch\",\"game\":\"other\",\"view\":\"public\"}", 30 * MS);
    expect_part(heard(&post), "\"type\":\"gone\"");
    post_close(&post);
}

static void views_of_others_are_forbidden_while_the_game_runs(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    script_begin(&post.sink, "h", DOC_NLP, 0);
    script_night(&post.sink, "g", S);
    say(&post, WATCH("all"), S);
    expect_part(heard(&post), "\"code\":\"forbidden\"");
    say(&post, WATCH("seat:1"), S);
    expect_part(heard(&post), "\"code\":\"forbidden\"");
    say(&post, WATCH("seat:2"), S);
    const char *own = heard(&post);
    expect_part(own, "\"view\":\"seat:2\"");
    expect_part(own, "VILLAGER");
    expect_none(own, "WEREWOLF");
    expect_none(own, "divine");
    say(&post, "{\"type\":\"watch\",\"game\":\"h\",\"view\":\"seat:2\"}", S);
    expect_part(heard(&post), "\"code\":\"forbidden\"");
    script_end(&post.sink, "g", 2 * S);
    say(&post, WATCH("all"), 2 * S);
    expect_part(heard(&post), "\"type\":\"reveal\"");
    post_close(&post);
}

static void the_operator_says_the_secret_first(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    say(&post, "{\"type\":\"login\",\"secret\":\"right\"}", 0);
    say(&post, WATCH("all"), 0);
    const char *text = heard(&post);
    expect_part(text, "WEREWOLF");
    expect_part(text, "zzann");
    say(&post, "{\"type\":\"login\",\"secret\":\"wrong\"}", 0);
    expect_part(heard(&post), "\"code\":\"login\"");
    assert_true(post.line.closed);
    assert_int_equal(post.line.code, 1008);
    post_close(&post);
}

/* Each ends its socket; the right secret is taken all the same. */
static void wrong_secrets_are_counted(void **state)
{
    static const char *const codes[] = {"\"login\"", "\"login\"", "\"tries\"", "\"tries\""};
    Post post;

    (void)state;
    wrong_secrets = 0;
    post_open(&post, 0);
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        say(&post, "{\"type\":\"login\",\"secret\":\"guess\"}", 0);
        expect_part(heard(&post), codes[i]);
        assert_true(post.line.closed);
        post.line.closed = false;
        post.reader =
            feed_open_socket(post.feed, &line_out, &post.line, STR("192.0.2.1"), false, 0);
    }
    say(&post, "{\"type\":\"login\",\"secret\":\"right\"}", 0);
    expect_none(heard(&post), "error");
    assert_int_equal(wrong_secrets, 4);
    post_close(&post);
}

/* Of closed pages who has no secret gets neither games nor their list; a seat is its own. */
static void a_closed_feed_is_for_who_has_a_secret(void **state)
{
    static const char *const views[] = {"public", "all", "seat:1"};
    Post post;

    (void)state;
    post_open_as(&post, 0, true);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        char watch[80];
        snprintf(watch, sizeof(watch), "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"%s\"}",
                 views[i]);
        say(&post, watch, 0);
        expect_part(heard(&post), "\"forbidden\"");
    }
    say(&post, "{\"type\":\"watch\",\"home\":true}", 0);
    expect_part(heard(&post), "\"live\":[]");
    say(&post, "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"seat:2\"}", 0);
    expect_part(heard(&post), "\"events\"");
    say(&post, "{\"type\":\"login\",\"secret\":\"right\"}", 0);
    say(&post, "{\"type\":\"watch\",\"home\":true}", 2000000);
    expect_part(heard(&post), "\"g\"");
    say(&post, "{\"type\":\"watch\",\"game\":\"g\",\"view\":\"public\"}", 2000000);
    expect_none(heard(&post), "forbidden");
    post_close(&post);
}

/* What ends a socket, with 1008. */
static void expect_refused(const char *message, const char *code)
{
    Post post;

    post_open(&post, 0);
    say(&post, message, 0);
    expect_part(heard(&post), code);
    assert_true(post.line.closed);
    assert_int_equal(post.line.code, 1008);
    assert_int_equal(feed_reader_count(post.feed), 0);
    post_close(&post);
}

static void what_is_no_message_ends_the_socket(void **state)
{
    static char longer[FEED_MESSAGE_BYTES + 100];

    (void)state;
    expect_refused("", "\"code\":\"protocol\"");
    expect_refused("[]", "\"code\":\"protocol\"");
    expect_refused("{\"type\":\"watch\"", "\"code\":\"protocol\"");
    expect_refused("{}", "\"code\":\"protocol\"");
    expect_refused("{\"type\":\"shout\"}", "\"code\":\"protocol\"");
    expect_refused("{\"type\":\"watch\",\"game\":\"g\"}", "\"code\":\"protocol\"");
    expect_refused("{\"type\":\"watch\",\"game\":\"g\",\"view\":\"seat:0\"}",
                   "\"code\":\"protocol\"");
    snprintf(longer, sizeof(longer), "{\"type\":\"ping\",\"t\":1,\"x\":\"%*s\"}",
             FEED_MESSAGE_BYTES, "");
    expect_refused(longer, "\"code\":\"protocol\"");
}

static void more_than_20_messages_a_second_end_the_socket(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    for (unsigned i = 0; i < 20; i++)
        say(&post, "{\"type\":\"ping\",\"t\":7}", 0);
    for (unsigned i = 0; i < 20; i++)
        say(&post, "{\"type\":\"ping\",\"t\":7}", S);
    assert_false(post.line.closed);
    assert_int_equal(count_of(heard(&post), "\"type\":\"pong\",\"t\":7"), 40);
    say(&post, "{\"type\":\"ping\",\"t\":7}", S);
    expect_part(heard(&post), "\"code\":\"rate\"");
    assert_int_equal(post.line.code, 1008);
    post_close(&post);
}

static void a_socket_watches_nine_games(void **state)
{
    char id[8], watch[96];
    Post post;

    (void)state;
    post_open(&post, 0);
    for (unsigned i = 0; i <= FEED_WATCHES_MAX; i++) {
        snprintf(id, sizeof(id), "g%u", i);
        script_begin(&post.sink, id, DOC_NLP, 0);
        snprintf(watch, sizeof(watch), "{\"type\":\"watch\",\"game\":\"%s\",\"view\":\"public\"}",
                 id);
        say(&post, watch, 0);
        if (i < FEED_WATCHES_MAX)
            expect_part(heard(&post), "\"type\":\"events\"");
    }
    expect_part(heard(&post), "\"code\":\"watches\"");
    say(&post, "{\"type\":\"unwatch\",\"game\":\"g3\"}", 0);
    say(&post, watch, 0);
    expect_part(heard(&post), "\"type\":\"events\"");
    post_close(&post);
}

static void an_address_has_64_readers(void **state)
{
    Line lines[FEED_ADDRESS_MAX] = {0};
    FeedReader *readers[FEED_ADDRESS_MAX];
    Post post;

    (void)state;
    post_open(&post, 0);
    for (unsigned i = 1; i < FEED_ADDRESS_MAX; i++) {
        readers[i] = feed_open_socket(post.feed, &line_out, &lines[i], STR("192.0.2.1"), false, 0);
        assert_non_null(readers[i]);
    }
    assert_false(feed_has_room(post.feed, STR("192.0.2.1")));
    assert_null(feed_open_socket(post.feed, &line_out, &lines[0], STR("192.0.2.1"), false, 0));
    assert_true(feed_has_room(post.feed, STR("192.0.2.2")));
    feed_left(readers[7]);
    assert_true(feed_has_room(post.feed, STR("192.0.2.1")));
    post_close(&post);
}

static void by_night_the_clock_has_no_action(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    say(&post, WATCH("public"), 0);
    heard(&post);
    post.sink.clock(post.sink.user, STR("g"), ACTION_TALK, 5 * S, false, S);
    feed_tick(post.feed, 2 * S);
    expect_part(heard(&post),
                "{\"type\":\"clock\",\"game\":\"g\",\"view\":\"public\",\"action\":\"talk\","
                "\"left_ms\":3000,\"paused\":false}");
    script_night(&post.sink, "g", 3 * S);
    feed_tick(post.feed, 4 * S);
    const char *text = heard(&post);
    expect_part(text, "{\"type\":\"clock\",\"game\":\"g\",\"view\":\"public\",\"paused\":false}");
    expect_none(text, "divine");
    expect_none(text, "left_ms");
    post_close(&post);
}

static void in_maw_the_night_is_one_time(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_MAW, 0);
    say(&post, WATCH("public"), 0);
    heard(&post);
    script_night(&post.sink, "g", S);
    feed_tick(post.feed, 2 * S);
    expect_part(heard(&post), "{\"type\":\"clock\",\"game\":\"g\",\"view\":\"public\","
                              "\"left_ms\":8000,\"paused\":false}");
    post_close(&post);
}

static void who_is_asked_by_day_is_typing(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    say(&post, WATCH("public"), 0);
    heard(&post);
    post.sink.asked(post.sink.user, STR("g"), 3, S);
    feed_tick(post.feed, 2 * S);
    expect_part(heard(&post),
                "{\"type\":\"typing\",\"game\":\"g\",\"view\":\"public\",\"seat\":3}");
    script_night(&post.sink, "g", 3 * S);
    post.sink.asked(post.sink.user, STR("g"), 5, 3 * S);
    feed_tick(post.feed, 4 * S);
    expect_none(heard(&post), "typing");
    post_close(&post);
}

static void a_delay_holds_back_list_clock_and_end(void **state)
{
    Buf list = {0};
    Json json = json_over(&list);
    Post post;

    (void)state;
    post_open(&post, 10 * S);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    post.sink.clock(post.sink.user, STR("g"), ACTION_TALK, 6 * S, false, 0);
    feed_tick(post.feed, 9 * S);
    live_tables_put(post.tables, false, &json);
    assert_string_equal(buf_cstr(&list), "[]");
    say(&post, WATCH("public"), 9 * S);
    expect_part(heard(&post), "\"type\":\"gone\"");
    script_end(&post.sink, "g", 9 * S);
    feed_tick(post.feed, 10 * S);
    say(&post, WATCH("public"), 10 * S);
    const char *text = heard(&post);
    expect_part(text, "\"type\":\"events\"");
    expect_part(text, "\"left_ms\":6000");
    expect_none(text, "reveal");
    assert_true(live_tables_withholds(post.tables, STR("g")));
    say(&post, WATCH("all"), 18 * S);
    expect_part(heard(&post), "forbidden");
    say(&post, WATCH("seat:2"), 18 * S); /* never delayed: for who sits there it is over */
    expect_part(heard(&post), "\"type\":\"reveal\"");
    say(&post, WATCH("public"), 18 * S);
    expect_none(heard(&post), "reveal");
    feed_tick(post.feed, 19 * S);
    assert_false(live_tables_withholds(post.tables, STR("g")));
    feed_tick(post.feed, 20 * S);
    expect_part(heard(&post), "\"type\":\"reveal\"");
    post_close(&post);
    buf_done(&list);
}

static void a_game_that_was_given_up_reveals_nothing(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_PROTOCOL, 0);
    say(&post, WATCH("public"), 0);
    heard(&post);
    post.sink.ends(post.sink.user, STR("g"), true, S);
    feed_tick(post.feed, 2 * S);
    const char *text = heard(&post);
    expect_part(text, "\"type\":\"gone\"");
    expect_none(text, "reveal");
    say(&post, WATCH("all"), 2 * S);
    expect_part(heard(&post), "forbidden");
    post_close(&post);
}

static void home_is_told_once_a_second(void **state)
{
    Post post;

    (void)state;
    post_open(&post, 0);
    say(&post, "{\"type\":\"watch\",\"home\":true}", 0);
    expect_part(heard(&post), "{\"type\":\"home\",\"live\":[]}");
    script_begin(&post.sink, "g", DOC_NLP, 2 * S);
    feed_tick(post.feed, 2 * S);
    expect_part(heard(&post), "\"id\":\"g\"");
    script_begin(&post.sink, "h", DOC_NLP, 2 * S + 1);
    feed_tick(post.feed, 2 * S + 100 * MS);
    assert_string_equal(heard(&post), "");
    feed_tick(post.feed, 3 * S);
    const char *text = heard(&post);
    expect_part(text, "\"id\":\"h\"");
    expect_none(text, "zz");
    post_close(&post);
}

/* Who was sent away by the operator, with a stream that knows no sockets. */
static void who_watched_as_a_seat_that_was_left_has_to_ask_again(void **state)
{
    Post post;
    Line line = {.stuck = TIME_US_NEVER};
    FeedStream stream = {.game = STR("g"), .kind = DOC_VIEW_SEAT, .seat = 2};

    (void)state;
    post_open(&post, 0);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    assert_non_null(
        feed_open_stream(post.feed, &line_out, &line, STR("192.0.2.2"), &stream, false, 0));
    say(&post, WATCH("public"), 0);
    post.sink.left(post.sink.user, STR("g"), 3);
    feed_tick(post.feed, S);
    assert_false(line.closed);
    post.sink.left(post.sink.user, STR("g"), 2);
    feed_tick(post.feed, 2 * S);
    expect_part(buf_cstr(&line.text), "again");
    assert_true(line.closed);
    expect_none(heard(&post), "again");
    post_close(&post);
    buf_done(&line.text);
}

static void a_stream_ends_with_the_game(void **state)
{
    FeedStream stream = {.game = STR("g")};
    Line line = {.stuck = TIME_US_NEVER};
    Post post;

    (void)state;
    post_open(&post, 0);
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_NOTHING);
    script_begin(&post.sink, "g", DOC_NLP, 0);
    stream.kind = DOC_VIEW_ALL;
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_FORBIDDEN);
    stream.kind = DOC_VIEW_PUBLIC;
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_GOES);
    assert_non_null(
        feed_open_stream(post.feed, &line_out, &line, STR("192.0.2.9"), &stream, false, 0));
    feed_tick(post.feed, 0);
    assert_true(str_starts(buf_str(&line.text), STR("retry: 2000\n\n\nid: ")));
    expect_part(buf_cstr(&line.text), "\nevent: events\ndata: {\"type\":\"events\"");
    buf_clear(&line.text);
    for (TimeUs now = S; now <= 26 * S; now += S)
        feed_tick(post.feed, now);
    assert_string_equal(buf_cstr(&line.text), ": nothing new\n\n\n");
    script_end(&post.sink, "g", 27 * S);
    feed_tick(post.feed, 28 * S);
    expect_part(buf_cstr(&line.text),
                "event: reveal\ndata: {\"type\":\"reveal\",\"game\":\"g\"}\n\n");
    assert_true(line.closed);
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_FINISHED);
    post_close(&post);
    buf_done(&line.text);
}

static void of_a_game_of_before_the_end_alone_is_told(void **state)
{
    FeedStream stream = {.game = STR("kept")};
    Post post;

    (void)state;
    post_open(&post, 0);
    say(&post, "{\"type\":\"watch\",\"game\":\"kept\",\"view\":\"public\"}", 0);
    assert_string_equal(heard(&post), "{\"type\":\"reveal\",\"game\":\"kept\"}\n");
    /* who has a part of it fetches all */
    say(&post,
        "{\"type\":\"watch\",\"game\":\"kept\",\"view\":\"public\",\"after\":\"0123abcd.7\"}", 0);
    assert_string_equal(heard(&post), "{\"type\":\"again\",\"game\":\"kept\"}\n");
    say(&post, "{\"type\":\"watch\",\"game\":\"later\",\"view\":\"public\"}", 0);
    expect_part(heard(&post), "\"type\":\"gone\"");
    say(&post, "{\"type\":\"login\",\"secret\":\"right\"}", 0);
    say(&post, "{\"type\":\"watch\",\"game\":\"later\",\"view\":\"public\"}", 0);
    expect_part(heard(&post), "{\"type\":\"reveal\",\"game\":\"later\"}\n");
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_FINISHED);
    stream.game = STR("later");
    assert_int_equal(feed_can_stream(post.feed, &stream, false, false, 0), FEED_NOTHING);
    assert_int_equal(feed_can_stream(post.feed, &stream, true, false, 0), FEED_FINISHED);
    post_close(&post);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_game_of_before_the_end_alone_is_told),
        cmocka_unit_test(every_reader_ends_with_the_document),
        cmocka_unit_test(events_of_50_ms_are_one_message),
        cmocka_unit_test(a_reader_goes_on_where_it_was_or_begins_again),
        cmocka_unit_test(views_of_others_are_forbidden_while_the_game_runs),
        cmocka_unit_test(the_operator_says_the_secret_first),
        cmocka_unit_test(wrong_secrets_are_counted),
        cmocka_unit_test(a_closed_feed_is_for_who_has_a_secret),
        cmocka_unit_test(what_is_no_message_ends_the_socket),
        cmocka_unit_test(more_than_20_messages_a_second_end_the_socket),
        cmocka_unit_test(a_socket_watches_nine_games),
        cmocka_unit_test(an_address_has_64_readers),
        cmocka_unit_test(by_night_the_clock_has_no_action),
        cmocka_unit_test(in_maw_the_night_is_one_time),
        cmocka_unit_test(who_is_asked_by_day_is_typing),
        cmocka_unit_test(a_delay_holds_back_list_clock_and_end),
        cmocka_unit_test(a_game_that_was_given_up_reveals_nothing),
        cmocka_unit_test(home_is_told_once_a_second),
        cmocka_unit_test(who_watched_as_a_seat_that_was_left_has_to_ask_again),
        cmocka_unit_test(a_stream_ends_with_the_game),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
