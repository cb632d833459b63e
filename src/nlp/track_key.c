#include "nlp/track_key.h"

void track_key(const Key *tokens, Str track, char ret_hex[static KEY_HEX_BYTES])
{
    const KeyRoot root = key_root(tokens);
    const Key key = key_derive(&root, track);

    key_to_hex(&key, ret_hex);
}
