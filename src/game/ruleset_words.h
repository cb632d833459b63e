/* ruleset_words.h - words of rules that other tables of keys know too.
 *
 * For:    game/ruleset_text.c; maw/maw_config.c, whose `end` and `ghosts_see` are these rules.
 * Memory: constant, ended by NULL; in the order of their enums in ruleset.h.
 * Thread: any.
 * Source: house rule: a word stands in one place.
 */
#ifndef WARG_GAME_RULESET_WORDS_H
#define WARG_GAME_RULESET_WORDS_H

extern const char *const ruleset_ghosts_words[];
extern const char *const ruleset_goal_words[];

#endif
