#include "record/finding.h"

static const char *const names[FINDING_RULES] = {
    [FINDING_NETWORK] = "network", [FINDING_WRITE] = "write",   [FINDING_PROCESS] = "process",
    [FINDING_THREAD] = "thread",   [FINDING_MEMORY] = "memory", [FINDING_OUTPUT] = "output",
    [FINDING_NAME] = "name"};

const char *finding_rule_name(FindingRule rule)
{
    return names[rule];
}

FindingRule finding_rule_of(Str name)
{
    FindingRule rule = FINDING_NETWORK;

    while (rule < FINDING_RULES && !str_eq(name, str_of(names[rule])))
        rule++;
    return rule;
}
