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

int disk_state_look(Db *db, DiskRoom *room, Err *err)
{
    int64_t count = 0;
    int rc =
        db ? db_ask(db, 0, &count, err, "SELECT count(*) FROM meta WHERE key = ?1", "t", STR(KEY))
           : 0;

    room->low = count > 0;
    return rc ? rc : disk_room_look(room, NULL, err);
}
