/* test_disk_room.c - a data folder on a small disk that fills up and is emptied again.
 *
 * Source: docs/spec/contest-operations.md 16.2, O43. In a mount namespace of its own where that can
 * be had: else it is skipped. */
#include "small_disk.h"

#include "disk/disk_room.h"
#include "site/account.h"
#include "site/site_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((uint64_t)1024 * 1024)

static SmallDisk disk;

static int set_up(void **state)
{
    (void)state;
    return small_disk_begin(&disk, "disk-room", "size=64m,mode=0700");
}

static int tear_down(void **state)
{
    (void)state;
    return small_disk_end(&disk);
}

static void path_of(const char *name, char path[static 128])
{
    snprintf(path, 128, "%s/%s", disk.path, name);
}

static bool is_there(const char *name)
{
    char path[128];

    path_of(name, path);
    return access(path, F_OK) == 0;
}

/* Fills with zeros until `left` MiB are left, or all. */
static void fill(const char *name, uint64_t mib)
{
    static char piece[1024 * 1024];
    char path[128];

    path_of(name, path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(fd >= 0);
    for (uint64_t i = 0; i < mib; i++)
        if (write(fd, piece, sizeof(piece)) != (ssize_t)sizeof(piece))
            break;
    close(fd);
}

static void a_disk_that_fills_up_is_low_until_twice_the_reserve_is_free(void **state)
{
    DiskRoom room = {.data = disk.path, .reserve_bytes = 12 * MIB, .reserve_permil = 50};
    bool changed = true;
    char path[128];
    Db *db = NULL;

    (void)state;
    small_disk_need(&disk);
    path_of("site.db", path);
    assert_int_equal(site_store_open(path, &db, NULL), 0);
    assert_int_equal(disk_room_look(&room, &changed, NULL), 0);
    assert_false(room.low || changed);
    assert_true(room.reserve == 12 * MIB); /* the larger one */
    assert_int_equal(disk_room_keep(&room, NULL), 0);
    assert_true(is_there(DISK_ROOM_FILE));
    fill("full", 38);
    assert_int_equal(disk_room_look(&room, &changed, NULL), 0);
    assert_true(room.low && changed);
    assert_int_equal(disk_room_keep(&room, NULL), 0);
    assert_true(is_there(DISK_ROOM_FILE)); /* there is still some */
    fill("more", 100);
    assert_int_equal(disk_room_look(&room, &changed, NULL), 0);
    assert_true(room.low && !changed && room.free < DISK_ROOM_LAST);
    /* Nothing can be written any more, then the store can. */
    const AccountSetup ann = {.login = STR("ann"), .language = STR("en")};
    int64_t id = 0;
    assert_int_equal(disk_room_keep(&room, NULL), 0);
    assert_false(is_there(DISK_ROOM_FILE));
    assert_int_equal(account_make(db, &ann, 1, &id, NULL), 0);
    /* A little more room is not enough to go on, and none for a new ballast. */
    path_of("more", path);
    assert_int_equal(unlink(path), 0);
    fill("more", 6);
    assert_int_equal(disk_room_look(&room, &changed, NULL), 0);
    assert_true(room.free > room.reserve && room.free < 2 * room.reserve);
    assert_true(room.low && !changed);
    assert_int_equal(disk_room_keep(&room, NULL), 0);
    assert_false(is_there(DISK_ROOM_FILE));
    assert_int_equal(unlink(path), 0);
    path_of("full", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(disk_room_look(&room, &changed, NULL), 0);
    assert_true(!room.low && changed);
    assert_int_equal(disk_room_keep(&room, NULL), 0);
    assert_true(is_there(DISK_ROOM_FILE));
    db_close(db);
}

static void what_can_not_be_looked_at_is_low(void **state)
{
    DiskRoom room = {.data = "/nowhere/at/all", .reserve_bytes = 1};

    (void)state;
    assert_int_equal(disk_room_look(&room, NULL, NULL), ERR_IO);
    assert_true(room.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_that_fills_up_is_low_until_twice_the_reserve_is_free),
        cmocka_unit_test(what_can_not_be_looked_at_is_low),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
