/* fuzz_yaml.c - any bytes give a tree or an error, and every node of the tree is readable. */
#include "base/yaml.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const YamlNode *node)
{
    size_t bytes = node->text.len + node->key.len;
    unsigned count = 0;

    for (const YamlNode *child = node->first; child; child = child->next, count++)
        bytes += walk(child);
    assert(count == node->count);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const YamlNode *root = NULL;
    Arena arena = arena_new(1 << 20);
    Err err = {0};

    if (!arena.block)
        return 0;
    int status = yaml_read((Str){(const char *)data, size}, &arena, &root, &err);
    if (status == 0)
        walk(root);
    else
        assert(!root && err.code == (ErrCode)status && err.msg[0]);
    arena_done(&arena);
    return 0;
}
