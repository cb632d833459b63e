#include "base/localhost.h"

#include <strings.h>

bool localhost_names(Str host)
{
    static const char name[] = "localhost";
    size_t len = sizeof(name) - 1;

    if (host.len > 1 && host.bytes[host.len - 1] == '.')
        host.len--;
    if (host.len < len || strncasecmp(host.bytes + host.len - len, name, len) != 0)
        return false;
    return host.len == len || (host.bytes[host.len - len - 1] == '.' && host.len > len + 1);
}
