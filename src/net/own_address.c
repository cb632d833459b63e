#include "net/own_address.h"

#include "base/str.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>

/* Bridges and pairs of containers and virtual machines: their addresses are of networks that end at
 * this machine. */
static bool is_inner(const char *interface)
{
    static const char *const names[] = {"docker", "veth", "br-", "virbr", "lxc", "vmnet", "tun"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (str_starts(str_of(interface), str_of(names[i])))
            return true;
    return false;
}

int own_address_rank(const char *interface, const char *address)
{
    Str text = str_of(address);
    int rank = 4;

    if (str_starts(text, STR("127.")) || str_eq(text, STR("::1")) || !text.len)
        return 0;
    if (str_starts(text, STR("169.254.")) || str_starts(text, STR("fe80:")))
        return 0;
    if (memchr(text.bytes, ':', text.len))
        rank = 2; /* telephones' networks more often have the other */
    return is_inner(interface) ? rank - 1 : rank;
}

bool own_address(char ret_address[static OWN_ADDRESS_BYTES])
{
    struct ifaddrs *all = NULL;
    int best = 0;

    if (getifaddrs(&all))
        return false;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        char text[OWN_ADDRESS_BYTES];
        if (!one->ifa_addr || !(one->ifa_flags & IFF_UP))
            continue;
        const void *bytes =
            one->ifa_addr->sa_family == AF_INET
                ? (const void *)&((const struct sockaddr_in *)(const void *)one->ifa_addr)->sin_addr
            : one->ifa_addr->sa_family == AF_INET6
                ? (const void *)&((const struct sockaddr_in6 *)(const void *)one->ifa_addr)
                      ->sin6_addr
                : NULL;
        if (!bytes || !inet_ntop(one->ifa_addr->sa_family, bytes, text, sizeof(text)))
            continue;
        int rank = own_address_rank(one->ifa_name, text);
        if (rank <= best)
            continue;
        best = rank;
        snprintf(ret_address, OWN_ADDRESS_BYTES, "%s", text);
    }
    freeifaddrs(all);
    return best > 0;
}

bool own_address_is_any(const char *host)
{
    Str text = str_of(host);

    return !text.len || str_eq(text, STR("*")) || str_eq(text, STR("0.0.0.0")) ||
           str_eq(text, STR("::"));
}
