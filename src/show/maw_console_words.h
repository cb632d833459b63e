/* maw_console_words.h - what the operator of a MAW table is answered, in English and Japanese.
 *
 * For:    maw_console.c. To add a text: a value here, a row in maw_console_words.c.
 * Memory: constant text.
 * Thread: any.
 * Source: docs/maw.md, the operator.
 */
#ifndef WARG_SHOW_MAW_CONSOLE_WORDS_H
#define WARG_SHOW_MAW_CONSOLE_WORDS_H

#include <stdbool.h>

/* {0} and {1} in a text are what person_fill puts there. */
typedef enum ConsoleWord {
    CONSOLE_PAUSED,
    CONSOLE_PAUSED_ALREADY,
    CONSOLE_NOT_PAUSED,
    CONSOLE_WAITS_FOR_LINK,
    CONSOLE_RESUMED,
    CONSOLE_EXTEND_WHAT,
    CONSOLE_EXTEND_NOTHING,
    CONSOLE_ENDED,
    CONSOLE_END_PAUSED,
    CONSOLE_END_NOTHING,
    CONSOLE_NO_MEMORY,
    CONSOLE_LONG,
    CONSOLE_INPUT_ENDED,
    CONSOLE_LEFT,
    CONSOLE_REMOVED,
    CONSOLE_REMOVED_LATER,
    CONSOLE_GONE_ALREADY,
    CONSOLE_KICK_NEAR,
    CONSOLE_KICK_NOBODY,
    CONSOLE_LOBBY,
    CONSOLE_LOBBY_PAUSED,
    CONSOLE_DAY,
    CONSOLE_DAY_PAUSED,
    CONSOLE_NIGHT,
    CONSOLE_NIGHT_PAUSED,
    CONSOLE_NO_ROLE,
    CONSOLE_WEREWOLF,
    CONSOLE_SEER,
    CONSOLE_VILLAGER,
    CONSOLE_GONE,
    CONSOLE_ABSENT,
    CONSOLE_THERE,
    CONSOLE_DEAD,
    CONSOLE_NO_VALUE,
    CONSOLE_SECONDS,
    CONSOLE_NAME,
    CONSOLE_HELP_PAUSE,
    CONSOLE_HELP_RESUME,
    CONSOLE_HELP_EXTEND,
    CONSOLE_HELP_END,
    CONSOLE_HELP_KICK,
    CONSOLE_HELP_WHO,
    CONSOLE_HELP_QUIT,
    CONSOLE_HELP_HELP,
    CONSOLE_COMMAND_NEAR,
    CONSOLE_COMMAND_UNKNOWN,
    CONSOLE_TAKES_NONE,
    CONSOLE_EXPECTED,
    CONSOLE_WORDS,
} ConsoleWord;

const char *console_word(ConsoleWord word, bool japanese);

#endif
