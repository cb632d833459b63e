/* agent.c - a whole agent with libwarg: the seer comes out and tells what it saw, everybody else
 * votes with a seer who found a wolf, and wolves vote with the crowd.
 *
 * cc agent.c -o agent $(pkg-config --cflags --libs warg) && ./agent -h HOST -p PORT -n NAME
 */
#include <warg_agent.h>

static int accused; /* whom a seer called a wolf; 0 = nobody yet */
static int told;    /* my own results that I have told */
static int results;
static int seen[WARG_AGENT_MAX];
static WargSpecies found[WARG_AGENT_MAX];

static void initialize(const WargGame *game, void *user)
{
    (void)game, (void)user;
    accused = told = results = 0;
}

static void day_start(const WargGame *game, void *user)
{
    (void)user;
    if (results < WARG_AGENT_MAX && (seen[results] = warg_divined(game, &found[results])) != 0)
        if (found[results++] == WARG_SPECIES_WEREWOLF)
            accused = seen[results - 1];
}

static void heard(const WargGame *game, const WargTalk *talk, void *user)
{
    WargStatement said[8];
    int count = warg_read(talk->text, talk->agent, said, 8);

    (void)user;
    for (int i = 0; i < count && i < 8; i++)
        if (said[i].topic == WARG_DIVINED && said[i].result == WARG_SPECIES_WEREWOLF &&
            said[i].target != warg_me(game) && warg_my_role(game) != WARG_SEER)
            accused = said[i].target;
}

static const char *talk(const WargGame *game, void *user)
{
    static char text[128]; /* the library copies it before it calls back again */

    (void)user;
    if (warg_my_role(game) != WARG_SEER || told > results)
        return "Over";
    if (told == 0) /* first of all: who I am; then a result an utterance */
        warg_say_comingout(text, sizeof(text), warg_me(game), WARG_SEER);
    else
        warg_say_divined(text, sizeof(text), seen[told - 1], found[told - 1]);
    told++;
    return text;
}

static int vote(const WargGame *game, void *user)
{
    (void)user;
    return warg_lives(game, accused) ? accused : warg_random_living(game);
}

int main(int argc, char **argv)
{
    static const WargAgent agent = {.name = "example",
                                    .initialize = initialize,
                                    .day_start = day_start,
                                    .heard = heard,
                                    .talk = talk,
                                    .vote = vote};

    return warg_agent_main(argc, argv, &agent);
}
