/* season_agent.c - an agent that costs nearly nothing, and whose answers follow from what it was
 * sent in the game: started anew in the middle of a set it plays the next game as it would have.
 *
 *     season_agent -h HOST -p PORT -n NAME */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PLAYERS 32

static char line[1 << 20];

static int number_after(const char *key, int none)
{
    const char *at = strstr(line, key);

    return at ? atoi(at + strlen(key)) : none;
}

/* Whom the map `key` calls `value`, but for `me`; how many. */
static int read_map(const char *key, const char *value, int me, int players[static PLAYERS])
{
    const char *at = strstr(line, key);
    int count = 0;

    for (at = at ? strchr(at, '{') : NULL; at && *at != '}'; at = strpbrk(at + 1, ",}")) {
        const int player = atoi(at + 2);
        const char *is = strchr(at + 2, ':');
        if (is && strncmp(is + 2, value, strlen(value)) == 0 && player != me && count < PLAYERS)
            players[count++] = player;
    }
    return count;
}

/* The living who are no wolves as far as we know. */
static int read_victims(int me, int victims[static PLAYERS])
{
    int living[PLAYERS], wolves[PLAYERS], count = 0;
    const int alive = read_map("\"statusMap\":{", "ALIVE", me, living);
    const int known = read_map("\"roleMap\":{", "WEREWOLF", me, wolves);

    for (int i = 0; i < alive; i++) {
        int wolf = 0;
        for (int j = 0; j < known; j++)
            wolf |= wolves[j] == living[i];
        if (!wolf)
            victims[count++] = living[i];
    }
    return count;
}

static int asks(const char *request)
{
    char text[64];

    snprintf(text, sizeof(text), "\"request\":\"%s\"", request);
    return strstr(line, text) != NULL;
}

static void answer(FILE *peer, const char *name)
{
    static int me, day, living[PLAYERS], count, talked;

    if (strstr(line, "\"gameInfo\":{")) {
        me = number_after("\"agent\":", me);
        day = number_after("\"day\":", day);
        count = asks("ATTACK") ? read_victims(me, living)
                               : read_map("\"statusMap\":{", "ALIVE", me, living);
    }
    if (asks("NAME"))
        fprintf(peer, "%s\n", name);
    else if (asks("ROLE"))
        fprintf(peer, "none\n");
    else if (asks("INITIALIZE") || asks("DAILY_INITIALIZE"))
        talked = 0;
    else if (asks("TALK") || asks("WHISPER"))
        fprintf(peer, talked++ || !count ? "Over\n" : "ESTIMATE Agent[%02d] WEREWOLF\n",
                count ? living[(me + day) % count] : 0);
    else if (asks("VOTE") || asks("DIVINE") || asks("GUARD") || asks("ATTACK"))
        fprintf(peer, "{\"agentIdx\":%d}\n", count ? living[(3 * me + 5 * day) % count] : -1);
    fflush(peer);
}

int main(int argc, char **argv)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    const char *name = "season";

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "-h") == 0)
            inet_pton(AF_INET, argv[i + 1], &to.sin_addr);
        else if (strcmp(argv[i], "-p") == 0)
            to.sin_port = htons((unsigned short)atoi(argv[i + 1]));
        else if (strcmp(argv[i], "-n") == 0)
            name = argv[i + 1];
    }
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
        return 1;
    FILE *from = fdopen(fd, "r"), *peer = fdopen(dup(fd), "w");
    while (from && peer && fgets(line, sizeof(line), from))
        answer(peer, name);
    return 0;
}
