#include "net/rate_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

void rate_address(Str address, char ret_text[static RATE_ADDRESS_BYTES])
{
    struct in6_addr six;
    const size_t len = address.len < RATE_ADDRESS_BYTES ? address.len : RATE_ADDRESS_BYTES - 1;

    memcpy(ret_text, address.bytes, len);
    ret_text[len] = '\0';
    if (inet_pton(AF_INET6, ret_text, &six) != 1)
        return;
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
        inet_ntop(AF_INET, &six.s6_addr[12], ret_text, RATE_ADDRESS_BYTES);
        return;
    }
    memset(&six.s6_addr[8], 0, 8);
    inet_ntop(AF_INET6, &six, ret_text, RATE_ADDRESS_BYTES);
}
