#include "net/own_address.h"

#include "base/str.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* As IPv6 writes it, IPv4 addresses too; false for other families. */
static bool address_bytes(const struct sockaddr *address, uint8_t ret_bytes[static 16])
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

    if (address->sa_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof(four));
        memcpy(ret_bytes, mapped, sizeof(mapped));
        memcpy(ret_bytes + sizeof(mapped), &four.sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof(six));
        memcpy(ret_bytes, &six.sin6_addr, 16);
    }
    return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

bool own_address_has(const struct sockaddr *address)
{
    struct ifaddrs *all = NULL;
    uint8_t asked[16], own[16];
    bool found = false;

    if (!address_bytes(address, asked) || getifaddrs(&all))
        return true;
    for (const struct ifaddrs *one = all; one && !found; one = one->ifa_next)
        found = one->ifa_addr && address_bytes(one->ifa_addr, own) &&
                memcmp(own, asked, sizeof(own)) == 0;
    freeifaddrs(all);
    return found;
}

bool own_address_is_any(const char *host)
{
    Str text = str_of(host);

    return !text.len || str_eq(text, STR("*")) || str_eq(text, STR("0.0.0.0")) ||
           str_eq(text, STR("::"));
}
