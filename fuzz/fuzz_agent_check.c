/* fuzz_agent_check.c - any bytes as what an agent prints, says as its name, has in its command, and
 * as a line of /proc/net: all is judged, and written as text and as JSON. */
#include "show/agent_check_output.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    CLEANUP(buf_done) Buf out = {0};
    SocketLine line = {0};
    AgentCheck *check = calloc(1, sizeof(*check));

    assert(check);
    buf_add(&check->name, STR("foo"));
    agent_check_command(check, text);
    agent_check_named(check, PLAY_DIALOGUE_5, text, 1000);
    agent_check_output(check, PLAY_SET_5, size, text);
    agent_check_last_lines(check, PLAY_SET_5, text);
    agent_check_left(check, text);
    const Fault fault = {.kind = FAULT_VIOLATION, .request = "TALK", .bytes = text};
    agent_check_fault(check, PLAY_SET_5, 0, &fault, false);
    if (process_use_socket_line("tcp", text, &line))
        agent_check_finding(check, RULE_NETWORK, str_of(line.text), PLAY_SET_5, 0, 0);
    agent_check_judge(check);
    assert(!check->passed && !agent_check_failed(check));
    agent_check_write_text(check, false, &out);
    agent_check_write_text(check, true, &out);
    agent_check_write_json(check, false, &out);
    assert(!buf_failed(&out));
    agent_check_done(check);
    free(check);
    return 0;
}
