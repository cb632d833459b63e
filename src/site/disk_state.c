#include "site/disk_state.h"

#include "store/db_row.h"

#define KEY "disk_low" /* in `meta`, while it is */

int disk_state_note(Db *db, bool low, Err *err)
{
    return db_run(db, err,
                  low ? "INSERT INTO meta(key, value) VALUES(?1, 'yes') ON CONFLICT(key) DO NOTHING"
                      : "DELETE FROM meta WHERE key = ?1",
                  "t", STR(KEY));
}

int disk_state_read(Db *db, bool *ret_low, Err *err)
{
    int64_t count = 0;
    int rc = db_ask(db, 0, &count, err, "SELECT count(*) FROM meta WHERE key = ?1", "t", STR(KEY));

    *ret_low = count > 0;
    return rc;
}

int disk_state_look(Db *db, DiskRoom *room, Err *err)
{
    room->low = false;
    int rc = db ? disk_state_read(db, &room->low, err) : 0;

    return rc ? rc : disk_room_look(room, NULL, err);
}
