/* fuzz_catalogue_id.c - whatever a file is called: its ID has safe letters and a bounded length,
 * never begins with a dot, is its own ID, and is found again.
 */
#include "web/catalogue_own.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_safe(Str id)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "._-%";

    for (size_t i = 0; i < id.len; i++)
        if (!memchr(letters, id.bytes[i], sizeof(letters) - 1))
            return false;
    return id.len > 0 && id.len <= CATALOGUE_ID_MAX && id.bytes[0] != '.';
}

/* Lines are names: as those of a folder, of which several may give one ID. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Catalogue *catalogue = mem_new(sizeof(*catalogue));
    Str rest = {(const char *)data, size};

    assert(catalogue);
    while (rest.len && catalogue->game_count < 50) {
        CLEANUP(buf_done) Buf id = {0}, again = {0};
        Str name = str_cut(&rest, '\n');
        catalogue_id_encode(name, &id);
        assert(is_safe(buf_str(&id)));
        catalogue_id_encode(buf_str(&id), &again);
        assert(str_eq(buf_str(&id), buf_str(&again)));
        assert(catalogue_add_game(catalogue));
        size_t index = catalogue->game_count - 1;
        catalogue_name_game(catalogue, index, catalogue_stem(name), STR("folder"));
        Str given = catalogue->games[index].id;
        assert(is_safe(given));
        assert(catalogue_find(catalogue, given) == &catalogue->games[index]);
        catalogue_alias_game(catalogue, index, name);
        assert(catalogue_find(catalogue, given) == &catalogue->games[index]);
    }
    assert(!catalogue->no_memory);
    catalogue_free(catalogue);
    return 0;
}
