/* fuzz_game_doc.c - any bytes as the log of a game: what can be read becomes a document in every
 * view, and every one is valid by docs/spec/web/game.schema.json. */
#include "../tests/record/game_schema.h"
#include "record/game_doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_view(const GameDoc *doc, DocView view)
{
    CLEANUP(buf_done) Buf out = {0};
    SchemaError error = {0};

    game_doc_write(doc, &view, &out);
    json_t *json = schema_check(buf_str(&out), &error);
    if (!json) {
        fprintf(stderr, "view %d, seat %u: %s\n", (int)view.kind, view.seat, error.text);
        __builtin_trap();
    }
    json_decref(json);
}

/* Faults may come to a game that is told already. */
static void add_faults(GameDoc *doc, const uint8_t *data, size_t size)
{
    static const char *const requests[] = {"TALK", "DIVINE", "", "VOTE", "GUARD"};

    for (size_t i = 0; i + 2 < size && i < 24; i += 3) {
        const Fault fault = {.kind = (FaultKind)(data[i] % FAULT_COUNT),
                             .seat = data[i + 1] % 32,
                             .day = data[i + 2] % 8,
                             .request = requests[data[i] % 5],
                             .elapsed_us = data[i + 1] * 1000,
                             .bytes = {(const char *)data, size}};
        game_doc_fault(doc, &fault, 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    uint32_t rounds = game_doc_rounds(text);

    for (uint32_t round = 0; round <= rounds && round < 3; round++) {
        CLEANUP(game_doc_freep) GameDoc *doc = NULL;
        Err err = {0};
        if (game_doc_read(text, STR("x"), round, &doc, &err)) {
            if (doc || !err.msg[0])
                __builtin_trap();
            continue;
        }
        add_faults(doc, data, size);
        check_view(doc, (DocView){.kind = DOC_VIEW_ALL, .names = true});
        check_view(doc, (DocView){.kind = DOC_VIEW_PUBLIC, .sealed = true});
        for (SeatNo seat = 1; seat <= game_doc_seats(doc); seat++)
            check_view(doc, (DocView){.kind = DOC_VIEW_SEAT, .seat = seat});
    }
    return 0;
}
