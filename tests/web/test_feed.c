/* The feed: whoever watches ends with the document, whatever the network does; limits, rights, what
 * each message gets. */
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
    const uint64_t count = 1000 * prop_env("WARG_PROP_TIMES", 1);

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_ends_with_the_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
