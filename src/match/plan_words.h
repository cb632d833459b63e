/* plan_words.h - the words of a plan's choices, in the order of their enums in match/plan.h.
 *
 * For:    contest/contest_file.c; for one of them pairing_name and its like.
 * Memory: constant, ended by NULL.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 8.
 */
#ifndef WARG_MATCH_PLAN_WORDS_H
#define WARG_MATCH_PLAN_WORDS_H

extern const char *const pairing_words[];
extern const char *const cut_tie_words[];
extern const char *const on_fault_words[];
extern const char *const conduct_rule_words[];
extern const char *const conduct_action_words[];

#endif
