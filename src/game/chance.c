#include "game/chance.h"

Chance chance_from_key(const Key *key)
{
    return (Chance){.root = key_root(key)};
}

Chance chance_from_seed(uint64_t seed)
{
    return (Chance){.streams[0] = rng_new(seed), .made = 1, .one_stream = true};
}

Chance chance_from_script(ChanceScript script, void *user)
{
    return (Chance){.script = script, .user = user};
}

ChanceStream chance_stream_of(ChanceKind kind)
{
    static const uint8_t streams[] = {
        [CHANCE_DEAL] = CHANCE_STREAM_DEAL,           [CHANCE_WISHER] = CHANCE_STREAM_DEAL,
        [CHANCE_TALK_NEXT] = CHANCE_STREAM_PUBLIC,    [CHANCE_EXECUTE] = CHANCE_STREAM_PUBLIC,
        [CHANCE_WHISPER_NEXT] = CHANCE_STREAM_HIDDEN, [CHANCE_VOTE] = CHANCE_STREAM_HIDDEN,
        [CHANCE_ATTACK] = CHANCE_STREAM_HIDDEN,
    };

    return (ChanceStream)streams[kind];
}

/* Most games never need the hidden one, and games whose roles are all fixed no deal: a stream is
 * made when it is first drawn from. */
static void make_stream(Chance *chance, ChanceStream stream)
{
    static const Str labels[CHANCE_STREAM_COUNT] = {
        [CHANCE_STREAM_DEAL] = {"deal", 4},
        [CHANCE_STREAM_PUBLIC] = {"public", 6},
        [CHANCE_STREAM_HIDDEN] = {"hidden", 6},
    };
    const Key key = key_derive(&chance->root, labels[stream]);

    chance->streams[stream] = key_rng(&key);
    chance->made |= (uint8_t)(1u << stream);
}

Rng *chance_rng(Chance *chance, ChanceKind kind)
{
    ChanceStream stream = chance->one_stream ? (ChanceStream)0 : chance_stream_of(kind);

    if (!(chance->made >> stream & 1))
        make_stream(chance, stream);
    return &chance->streams[stream];
}

uint8_t chance_choose(Chance *chance, const ChanceQuestion *question)
{
    uint32_t index;

    if (!chance->script)
        return question->candidates[rng_below(chance_rng(chance, question->kind), question->count)];
    index = chance->script(chance->user, question);
    if (index >= question->count) {
        chance->script_failed = true;
        index = 0;
    }
    return question->candidates[index];
}
