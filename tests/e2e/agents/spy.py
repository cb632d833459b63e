"""A program that looks for secrets where an agent has no business, leaves a daemon behind, and then
plays as a bot. spy.py FINDINGS RESULTS WARG HOST PORT NAME: what it got stands in FINDINGS, a line
each."""
import ctypes
import os
import subprocess
import sys

findings, results, warg, host, port, name = sys.argv[1:]
got = []
PTRACE_ATTACH, PTRACE_DETACH = 16, 17
libc = ctypes.CDLL(None, use_errno=True)


def look(what, path):
    try:
        with open(path, "rb") as file:
            text = file.read(4096)
    except OSError:
        return
    if b"SPY_SECRET=" in text or b"journal" in text or b"seed" in text or b"record" in text:
        got.append("%s %s" % (what, path))


for variable in os.environ:
    got.append("variable " + variable)
for pid in (entry for entry in os.listdir("/proc") if entry.isdigit()):
    if int(pid) == os.getpid():
        continue
    try:
        with open("/proc/%s/cmdline" % pid, "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        continue
    # Only those of this contest: where nothing is hidden, the others have nothing to do with it.
    if not any(os.fsencode(os.path.dirname(findings)) in word for word in words):
        continue
    launcher = words[0].endswith(b"warg-cell")  # its command is ours, or one like it
    if b"run" in words and not launcher:
        got.append("command line of warg")
    if b"other-agent" in words and not launcher:
        got.append("another agent's process")
    look("environment", "/proc/%s/environ" % pid)
    try:
        os.close(os.open("/proc/%s/mem" % pid, os.O_RDONLY))
        got.append("memory of " + pid)
    except OSError:
        pass
    if libc.ptrace(PTRACE_ATTACH, int(pid), None, None) == 0:
        os.waitpid(int(pid), 0x40000000)
        libc.ptrace(PTRACE_DETACH, int(pid), None, None)
        got.append("traced " + pid)
for folder, _, files in os.walk(results):
    got.extend("result " + os.path.join(folder, file) for file in files)
look("result", results + "/journal.jsonl")
subprocess.Popen(["sh", "-c", "while :; do sleep 0.1; done # left by " + findings],
                 start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
with open(findings, "a", encoding="utf-8") as file:
    file.write("looked\n" + "".join(line + "\n" for line in got))
os.execv(warg, [warg, "bot", "aiwolf", "-h", host, "-p", port, "-n", name])
