#include "maw/maw_names.h"

const char *maw_name(unsigned number)
{
    /* No name is the beginning of another one, so that three letters are enough to vote. */
    static const char *const names[MAW_NAMES] = {
        "Ada",   "Alma",   "Anton",  "Arlo",   "Bella",  "Boris", "Bruno",  "Carla",  "Cedric",
        "Clara", "Conrad", "Dalia",  "Darius", "Edgar",  "Elena", "Emil",   "Esther", "Fabian",
        "Felix", "Fiona",  "Frida",  "Gemma",  "Gloria", "Greta", "Gustav", "Hanna",  "Hector",
        "Helga", "Hugo",   "Ida",    "Igor",   "Ines",   "Ivan",  "Jasper", "Jonas",  "Julia",
        "Kara",  "Kevin",  "Klaus",  "Lara",   "Leo",    "Linus", "Lotte",  "Luisa",  "Magnus",
        "Marta", "Mila",   "Moritz", "Nadia",  "Nina",   "Noah",  "Olga",   "Oscar",  "Otto",
        "Paula", "Pedro",  "Petra",  "Quinn",  "Ralf",   "Rosa",  "Rufus",  "Sam",    "Selma",
        "Simon", "Stella", "Tara",   "Theo",   "Tilda",  "Ulla",  "Vera",   "Viktor", "Wanda",
    };

    return names[number % MAW_NAMES];
}

static bool is_letter(char c)
{
    char low = str_lower_char(c);

    return low >= 'a' && low <= 'z';
}

Str maw_name_in(Str text, Buf *out)
{
    size_t begin = out->len, at = 0;

    while (at < text.len && !is_letter(text.bytes[at]))
        at++;
    for (size_t i = 0; i < 16 && at + i < text.len && is_letter(text.bytes[at + i]); i++) {
        char low = str_lower_char(text.bytes[at + i]);
        buf_add_char(out, i == 0 ? (char)(low - 'a' + 'A') : text.bytes[at + i]);
    }
    return str_part(buf_str(out), begin, SIZE_MAX);
}
