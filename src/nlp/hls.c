#include "nlp/hls.h"

void hls_begin(Buf *playlist, int64_t target_ms)
{
    /* Whole seconds that no segment's rounded length may exceed (4.3.3.1). */
    int64_t seconds = target_ms <= 1000 ? 1 : (target_ms + 999) / 1000;

    buf_printf(playlist,
               "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:%lld\n"
               "#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n",
               (long long)seconds);
}

void hls_add(Buf *playlist, Str name, int64_t length_us)
{
    buf_printf(playlist, "#EXT-X-DISCONTINUITY\n#EXTINF:%lld.%06lld,\n%.*s\n",
               (long long)(length_us / 1000000), (long long)(length_us % 1000000), STR_ARG(name));
}

void hls_end(Buf *playlist)
{
    buf_add(playlist, STR("#EXT-X-ENDLIST\n"));
}

/* "1.536" in microseconds; what is behind the sixth digit is cut. */
static bool read_seconds(Str line, int64_t *ret_us)
{
    uint64_t seconds;
    uint64_t micro = 0;
    Str whole = str_cut(&line, '.');

    if (!str_to_uint(whole, HLS_LENGTH_MAX_US / 1000000 - 1, &seconds))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.bytes[i] < '0' || line.bytes[i] > '9')
            return false;
    }
    for (size_t i = 0; i < 6; i++)
        micro = micro * 10 + (i < line.len ? (uint64_t)(line.bytes[i] - '0') : 0);
    *ret_us = (int64_t)(seconds * 1000000 + micro);
    return *ret_us > 0;
}

bool hls_length(Str printed, int64_t *ret_us)
{
    bool found = false;
    int64_t us;

    while (printed.len) {
        if (read_seconds(str_trim(str_cut(&printed, '\n')), &us)) {
            *ret_us = us;
            found = true;
        }
    }
    return found;
}
