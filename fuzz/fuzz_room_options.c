/* fuzz_room_options.c - whatever an operator's request says of a room: what is accepted fits.
 *
 * The input: JSON, or words when its first byte is no '{'.
 */
#include "web/room_options.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    uint8_t counts[ROLE_COUNT];
    RoomOptions options;
    json_t *json = NULL;
    Ruleset rules;
    Err err = {0};
    int rc;

    room_options_default(&options);
    if (size && data[0] == '{') {
        if (json_read(text, 65536, &json, NULL))
            return 0;
        rc = room_options_read(json, &options, &err);
        json_done(json);
    } else {
        rc = room_options_read_words(text, &options, &err);
    }
    if (rc == 0)
        rc = room_options_check(&options, &err);
    assert((rc == 0) == (err.code == 0));
    if (rc)
        return 0;
    assert(options.players >= 3 && options.players <= ROOM_PLAYERS_MAX);
    assert(options.people >= 1 && options.people <= options.players);
    assert(options.pause_min_ms >= 0 && options.pause_max_ms >= options.pause_min_ms);
    assert(options.answer_ms > 0 && options.start_after_ms >= 0);
    assert(room_options_rules(&options, &rules, NULL) == 0);
    if (options.division != DOC_MAW)
        assert(ruleset_roles(&rules, options.players, counts, NULL) == 0);
    return 0;
}
