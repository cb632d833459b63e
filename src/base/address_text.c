#include "base/address_text.h"

#include <string.h>

/* "[::1]:80" is "::1", "192.0.2.7:80" is "192.0.2.7". */
static Str without_port(Str address)
{
    size_t end, last;

    if (address.len && address.bytes[0] == '[' && str_find(address, STR("]"), &end))
        return str_part(address, 1, end);
    if (str_find(address, STR(":"), &end) && str_find_last(address, ':', &last) && end == last)
        return str_part(address, 0, end);
    return address;
}

void address_text_cut(Str address, Buf *out)
{
    address = without_port(address);
    const bool six = address.len && memchr(address.bytes, ':', address.len) != NULL;
    const char sign = six ? ':' : '.';
    size_t end = 0, twice = 0;

    if (six && str_find(address, STR("::"), &twice))
        end = twice;
    else
        twice = address.len;
    for (size_t i = 0, signs = 0; i < twice && signs < 3; i++)
        if (address.bytes[i] == sign && ++signs == 3)
            end = i;
    if (!end && twice == address.len) { /* no address that we know */
        buf_add(out, address);
        return;
    }
    buf_add(out, str_part(address, 0, end));
    buf_add(out, six ? STR("::") : STR(".0"));
}

void address_text_cut_line(Str line, Buf *out)
{
    static const char key[] = " address=";
    size_t at, end;

    while (str_find(line, str_of(key), &at)) {
        at += strlen(key);
        buf_add(out, str_part(line, 0, at));
        line = str_part(line, at, line.len);
        if (!str_find(line, STR(" "), &end))
            end = line.len;
        address_text_cut(str_part(line, 0, end), out);
        line = str_part(line, end, line.len);
    }
    buf_add(out, line);
}
