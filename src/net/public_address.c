#include "net/public_address.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

/* Networks that are not everybody's: the first address, and how many of its bits count. */
static const struct {
    uint32_t network;
    unsigned bits;
} own_networks[] = {
    {0x00000000, 8},  /* this network */
    {0x0a000000, 8},  /* private */
    {0x64400000, 10}, /* shared, of providers */
    {0x7f000000, 8},  /* this machine */
    {0xa9fe0000, 16}, /* link-local, metadata of clouds */
    {0xac100000, 12}, /* private */
    {0xc0000000, 24}, /* IETF protocols */
    {0xc0000200, 24}, /* documentation */
    {0xc0586300, 24}, /* relays of 6to4, which are no more */
    {0xc0a80000, 16}, /* private */
    {0xc6120000, 15}, /* benchmarks */
    {0xc6336400, 24}, /* documentation */
    {0xcb007100, 24}, /* documentation */
    {0xe0000000, 3},  /* multicast, reserved, broadcast */
};

static bool is_public_4(uint32_t address)
{
    for (size_t i = 0; i < sizeof(own_networks) / sizeof(own_networks[0]); i++)
        if ((address ^ own_networks[i].network) >> (32 - own_networks[i].bits) == 0)
            return false;
    return true;
}

static uint32_t four_bytes(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Of IPv6 what is given out to everybody, 2000::/3, but for tunnels, whose other end is an IPv4
 * address, and documentation; and IPv4 addresses that are written so. */
static bool is_public_6(const uint8_t bytes[static 16])
{
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    static const uint8_t translated[12] = {0, 0x64, 0xff, 0x9b};

    if (memcmp(bytes, mapped, sizeof(mapped)) == 0 ||
        memcmp(bytes, translated, sizeof(translated)) == 0)
        return is_public_4(four_bytes(bytes + 12));
    if ((bytes[0] & 0xe0) != 0x20)
        return false;
    const uint32_t head = four_bytes(bytes);
    return head >> 9 != 0x20010000 >> 9 && head != 0x20010db8 && head >> 16 != 0x2002 &&
           head >> 12 != 0x3fff0000 >> 12;
}

bool public_address(const struct sockaddr *address, size_t bytes)
{
    if (address->sa_family == AF_INET && bytes >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof(four));
        return is_public_4(ntohl(four.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6 && bytes >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof(six));
        return is_public_6(six.sin6_addr.s6_addr);
    }
    return false;
}
