/* What names may be, and lines: docs/spec/maw.md A33, A35. */
#include "base/utf8.h"
#include "maw/session_state.h"

typedef struct Range {
    uint32_t first;
    uint32_t last;
} Range;

/* No letters or digits there: punctuation, symbols, marks without width, private use. Combining
 * marks are refused as well (they have no width), so that a name has one spelling: what could be
 * written as one character must be. */
static const Range no_letters[] = {
    {0x00, 0x2C},       {0x2E, 0x2F},       {0x3A, 0x40},          {0x5B, 0x5E},
    {0x60, 0x60},       {0x7B, 0xA9},       {0xAB, 0xB4},          {0xB6, 0xB9},
    {0xBB, 0xBF},       {0xD7, 0xD7},       {0xF7, 0xF7},          {0x37E, 0x37E},
    {0x387, 0x387},     {0x55A, 0x55F},     {0x589, 0x58F},        {0x5BE, 0x5C6},
    {0x5F3, 0x5F4},     {0x600, 0x61F},     {0x66A, 0x66D},        {0x6D4, 0x6D4},
    {0x2000, 0x2070},   {0x207A, 0x207E},   {0x208A, 0x208F},      {0x20A0, 0x20FF},
    {0x2190, 0x2BFF},   {0x2E00, 0x2E7F},   {0x2FF0, 0x3004},      {0x3008, 0x3020},
    {0x3030, 0x3030},   {0x303D, 0x303F},   {0x30A0, 0x30A0},      {0x30FB, 0x30FB},
    {0x3164, 0x3164},   {0x3200, 0x33FF},   {0x4DC0, 0x4DFF},      {0xD800, 0xF8FF},
    {0xFD3E, 0xFD4F},   {0xFE00, 0xFE6F},   {0xFEFF, 0xFF0F},      {0xFF1A, 0xFF20},
    {0xFF3B, 0xFF40},   {0xFF5B, 0xFF65},   {0xFFA0, 0xFFA0},      {0xFFE0, 0xFFFF},
    {0x1D000, 0x1D3FF}, {0x1F000, 0x1FAFF}, {0xE0000, UINT32_MAX},
};

static bool in_ranges(uint32_t code, const Range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static bool is_name_character(uint32_t code, Str itself)
{
    return !in_ranges(code, no_letters, sizeof(no_letters) / sizeof(no_letters[0])) &&
           utf8_width(itself) > 0;
}

const char *maw_session_name_problem(Str name)
{
    static const char *const reserved[] = {"System",    "GM",    "Village",  "Hideout",
                                           "Graveyard", "Lobby", "Everyone", "Nobody"};

    if (name.len == 0 || name.len > NAME_BYTES_MAX || utf8_count(name) > NAME_CHARS_MAX)
        return "it must have 1 to 24 characters";
    for (Str rest = name; rest.len;) {
        Str before = rest;
        uint32_t code = utf8_next(&rest);
        if (!is_name_character(code, str_part(before, 0, before.len - rest.len)))
            return "it may have letters, digits, _ and - only";
    }
    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
        if (name_same(name, str_of(reserved[i])))
            return "that word has a meaning of its own";
    return NULL;
}

/* Lower case for the scripts that have it and are common in names; the rest stays. */
static uint32_t fold_code(uint32_t code)
{
    static const struct {
        Range capitals;
        uint32_t distance;
    } rows[] = {
        {{'A', 'Z'}, 32},     {{0xC0, 0xDE}, 32},   {{0x391, 0x3AB}, 32},   {{0x410, 0x42F}, 32},
        {{0x400, 0x40F}, 80}, {{0x531, 0x556}, 48}, {{0xFF21, 0xFF3A}, 32},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (code >= rows[i].capitals.first && code <= rows[i].capitals.last && code != 0xD7)
            return code + rows[i].distance;
    /* Latin Extended-A and Cyrillic supplements: capital and small letter stand side by side. */
    if ((code >= 0x100 && code <= 0x137 && code != 0x130) || (code >= 0x14A && code <= 0x177) ||
        (code >= 0x460 && code <= 0x481) || (code >= 0x48A && code <= 0x4BF) ||
        (code >= 0x1E00 && code <= 0x1EFF))
        return code | 1;
    if ((code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17E))
        return (code & 1) ? code + 1 : code;
    return code;
}

size_t name_prefix(Str name, Str prefix)
{
    size_t count = 0;

    for (; prefix.len; count++)
        if (name.len == 0 || fold_code(utf8_next(&name)) != fold_code(utf8_next(&prefix)))
            return 0;
    return count;
}

bool name_same(Str a, Str b)
{
    return utf8_count(a) == utf8_count(b) && (a.len == 0 || name_prefix(a, b) > 0);
}

/* Control characters, and those that turn the direction of all that follows or can't be seen. */
static bool is_control(uint32_t code)
{
    static const Range ranges[] = {{0, 0x1F},        {0x7F, 0x9F},      {0x200E, 0x200F},
                                   {0x202A, 0x202E}, {0x2060, 0x2069},  {0xFEFF, 0xFEFF},
                                   {0xFFF9, 0xFFFB}, {0xE0000, 0xE001F}};

    return in_ranges(code, ranges, sizeof(ranges) / sizeof(ranges[0]));
}

static bool is_break(uint32_t code)
{
    return code == '\n' || code == '\r' || code == '\t' || code == 0x0B || code == 0x0C ||
           code == 0x85 || code == 0x2028 || code == 0x2029;
}

void line_clean(Str text, Buf *out)
{
    buf_clear(out);
    for (Str rest = text; rest.len;) {
        Str before = rest;
        uint32_t code = utf8_next(&rest);
        Str itself = str_part(before, 0, before.len - rest.len);

        if (is_break(code))
            itself = STR(" ");
        else if (code == UTF8_INVALID)
            itself = STR("\xEF\xBF\xBD");
        else if (is_control(code))
            continue;
        if (str_eq(itself, STR(" ")) &&
            (out->len == 0 || out->bytes[out->len - 1] == ' ')) /* also of "\r\n" only one */
            continue;
        buf_add(out, itself);
    }
    while (out->len && out->bytes[out->len - 1] == ' ')
        out->bytes[--out->len] = '\0';
    if (out->len && utf8_width(buf_str(out)) == 0) /* nothing of it can be seen */
        buf_clear(out);
}
