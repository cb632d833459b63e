#!/usr/bin/env python3
"""Plants faults in copies of the sources and runs the room's own tests: who lives shows what no test holds.

    mutate.py [--count N] [--jobs N] [--only PATTERN] [--list] SEED

Places are drawn evenly over all lines of src/ on which a fault can be planted, then one of the faults that
the line can have. A fault that does not compile, or compiles to the same code, is drawn again. The rest
is found when a test of the room fails, crashes, leaks memory, or takes ten times as long as without it.
The copies are built for the address sanitizer, which CI runs the tests with: what reads behind its end or
after its time crashes, what is never freed is told at the end of each program, and what is freed or new
holds no values that could pass for its own.

The room's own tests are the programs of tests/ROOM; for rooms and commands that are seen from outside only,
also the scripts of tests/e2e that OTHER_TESTS names, those that take seconds. The test that is called like
the file runs first, and the first that fails is the last that is run.

Not planted: faults in what an assert looks at, which is the program looking at itself; in how large an array
is; and the exchange of two texts that are only asked whether they are the same. equivalents.txt, beside this file, names faults that change nothing, each with its reason.

The last line is `N of M found`, equivalents left out; the exit status is 0 when at least 90 % are.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EQUIVALENTS = os.path.join(ROOT, "tests", "mutate", "equivalents.txt")
BUILD = os.path.join(ROOT, "build-mutate")
TOOK = os.path.join(BUILD, "took.json")
GOAL = 0.90
SLOWEST = 10  # times what a test takes without a fault
LEAST_SECONDS = 20
FIRST_SECONDS = 300  # of a test that has not passed yet, in this run or an earlier one

# What holds a room, or one file of it, beside the programs of tests/ROOM: `contest/` is another folder of
# programs, other names are scripts of tests/e2e. Only what runs in seconds.
OTHER_TESTS = {
    "agent": ["agent"],
    "audit": ["rerun", "audit"],
    "bot": ["wire-stats", "bot"],
    "contest": ["printed", "edges", "resume-sets", "starter", "slips", "sprt", "ranking", "keys", "restart"],
    "disk": ["journal/", "disk-run", "fifo"],
    "journal": ["resume-sets", "standings", "disk-run", "maw-results", "nlp-results"],
    "llm": ["llm-check", "llm-agents"],
    "llm/llm_check.c": ["cmd/"],
    "match": ["contest/", "printed", "edges", "slips", "restart", "faults", "ranking"],
    "maw": ["maw-log", "maw-results", "maw", "maw-agents", "maw-join", "disk-maw"],
    "net": ["edges", "spies", "restart"],
    "nlp": ["nlp-extras", "nlp-keys", "nlp-results", "nlp-kill", "disk-nlp", "nlp-loops", "nlp"],
    "person": ["play", "maw-join", "tables-ja"],
    "record": ["log", "maw-log", "printed"],
    "referee": ["match/"],
    "results": ["report", "standings", "ranking", "log-list", "tables-ja", "folders", "nlp-results", "maw-results"],
    "seat": ["bot-nlp", "bot", "restart", "edges"],
    "serve": ["agent", "bot-nlp", "nlp-keys", "nlp-hostile", "nlp-kill", "nlp-extras", "edges", "serve-doors",
              "nlp-secrecy", "nlp-results", "nlp-loops", "serve-maw"],
    "serve/maw_door.c": ["maw-log", "maw-xmpp", "maw", "maw-agents", "maw-results"],
    "show": ["printed", "tables-ja", "standings", "ranking", "log", "log-list", "maw-log", "edges", "folders"],
    "stats": ["printed", "sprt"],
    "store": ["results/", "standings", "log-list"],
    "table": ["match/", "nlp/"],
    "terminal": ["play", "maw-join"],
    "thinker": ["llm-agents", "maw"],
    "wire": ["seat/", "maw-log", "agent"],
    "cmd": ["frame", "printed", "edges"],
    "cmd/bot_nlp.c": ["bot-nlp"],
    "cmd/cell_main.c": ["memory", "spies"],
    "cmd/chance_arg.c": ["keys"],
    "cmd/bot_kind_arg.c": ["bot", "bot-nlp"],
    "cmd/live_arg.c": ["serve-doors", "maw", "nlp"],
    "cmd/seed_arg.c": ["keys", "nlp-keys"],
    "cmd/cmd_bot.c": ["bot", "bot-nlp", "keys", "localhost", "llm-agents"],
    "cmd/cmd_completion.c": ["completion"],
    "cmd/cmd_join.c": ["maw-join", "fifo"],
    "cmd/cmd_lang.c": ["lang", "fifo"],
    "cmd/cmd_llm.c": ["llm-check"],
    "cmd/cmd_log.c": ["log", "log-list", "maw-log", "fifo"],
    "cmd/cmd_maw.c": ["maw-log", "maw-xmpp", "maw", "maw-agents", "maw-results"],
    "cmd/cmd_play.c": ["play", "fifo"],
    "cmd/cmd_report.c": ["report", "keys", "folders"],
    "cmd/cmd_rules.c": ["fifo", "run"],
    "cmd/cmd_run.c": ["resume-sets", "starter", "slips", "keys", "run", "ranking", "sprt", "disk-run"],
    "cmd/cmd_serve.c": ["agent", "fifo", "served-names", "nlp-keys", "serve-doors", "serve-maw"],
    "cmd/cmd_standings.c": ["standings", "ranking", "tables-ja", "resume-sets", "folders"],
    "cmd/cmd_token.c": ["token"],
    "cmd/completion.c": ["completion"],
    "cmd/log_games.c": ["log-list"],
    "cmd/results_arg.c": ["standings", "report", "log-list", "folders"],
    "cmd/ruleset_arg.c": ["slips", "run"],
    "cmd/serve_aiwolf.c": ["agent", "served-names", "fifo", "keys", "serve-doors"],
    "cmd/serve_maw.c": ["maw", "maw-xmpp", "serve-maw"],
    "cmd/serve_nlp.c": ["bot-nlp", "nlp-keys", "nlp-kill", "nlp-extras", "fifo", "serve-doors", "nlp-loops"],
    "cli/session_line.c": ["maw", "maw-agents", "maw-xmpp", "maw-join"],
}

# Functions of two values that don't care which is which; and those that are only asked whether they are 0.
SYMMETRIC = {"str_eq", "fmin", "fmax", "memcmp", "strcmp", "strncmp"}

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<number>(?:0[xX][0-9a-fA-F]+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?[uUlLfF]*)"""
    r"""|(?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])""",
    re.S,
)
NOT_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "assert", "CLEANUP", "defined", "else", "do"}


class Fault:
    """One change of one file, whose text it keeps: what is between two places becomes another."""

    def __init__(self, path, text, start, end, new, kind, line, function):
        self.path, self.text, self.start, self.end, self.new = path, text, start, end, new
        self.kind, self.line, self.function = kind, line, function

    def apply(self):
        return self.text[: self.start] + self.new + self.text[self.end :]

    def describe(self):
        """The line before and after, without its indentation."""
        text = self.text
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        before = " ".join(text[first:last].split())
        after = " ".join((text[first : self.start] + self.new + text[self.end : last]).split())
        return before, after


def tokens_of(text):
    """Tokens with their places; comments and lines of the preprocessor are left out."""
    blank = re.sub(
        r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M
    )
    return [
        (m.lastgroup, m[0], m.start(), m.end())
        for m in TOKEN.finditer(blank)
        if m.lastgroup != "comment"
    ]


def closing(tokens, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i][1] in "([{" and tokens[i][0] == "sign":
            depth += 1
        elif tokens[i][1] in ")]}" and tokens[i][0] == "sign":
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def functions_of(tokens):
    """(name, return type, first and last token of the body) of each function."""
    i, start, depth = 0, 0, 0
    while i < len(tokens):
        kind, word = tokens[i][0], tokens[i][1]
        if kind == "sign" and word == "{":
            end = closing(tokens, i)
            if i > 0 and tokens[i - 1][1] == ")":
                head = tokens[start:i]
                paren = next((n for n, t in enumerate(head) if t[1] == "("), None)
                if paren and head[paren - 1][0] == "word":
                    words = [t[1] for t in head[: paren - 1] if t[1] not in ("static", "inline", "const", "extern")]
                    yield head[paren - 1][1], words, i, end
            i = end
            if i + 1 < len(tokens) and tokens[i + 1][1] != ";":
                start = i + 1
        elif kind == "sign" and word == ";":
            start = i + 1
        i += 1


def arguments_of(tokens, opening):
    """(start, end) in the text of each argument of the call whose bracket opens at `opening`."""
    end, parts, first, depth = closing(tokens, opening), [], opening + 1, 0
    for i in range(opening + 1, end + 1):
        word = tokens[i][1] if tokens[i][0] == "sign" else ""
        if (word == "," and depth == 0) or i == end:
            if i > first:
                parts.append((tokens[first][2], tokens[i - 1][3]))
            first = i + 1
        elif word in ("(", "[", "{"):
            depth += 1
        elif word in (")", "]", "}"):
            depth -= 1
    return parts


def own_asserts(tokens, first, last):
    """Places of tokens inside `assert(...)` and `static_assert(...)`."""
    inside = set()
    for i in range(first, last):
        if tokens[i][1] in ("assert", "static_assert", "_Static_assert") and tokens[i + 1][1] == "(":
            inside.update(range(i, closing(tokens, i + 1) + 1))
    return inside


def is_array_size(tokens, i):
    """Of a declaration, as in `char text[64]`."""
    return (
        tokens[i - 1][1] == "[" and tokens[i + 1][1] == "]" and tokens[i - 2][0] == "word"
        and tokens[i - 3][0] == "word" and tokens[i - 3][1] not in ("return", "case", "else", "sizeof")
    )


def is_asked_for_zero(tokens, call, last):
    """`f(a, b) == 0` and what else does not ask which is larger; always true of those that return no order."""
    if not tokens[call][1].endswith("cmp"):
        return True
    after, value, before = tokens[last + 1][1], tokens[last + 2][1], tokens[call - 1][1]
    return (after in ("==", "!=") and value == "0") or before in ("!", "&&", "||")


def empty_value(words):
    if words == ["void"]:
        return "return;"
    if "*" in words or words[:1] in (["int"], ["bool"], ["char"], ["double"], ["unsigned"], ["size_t"]):
        return "return 0;"
    return "return (%s){0};" % " ".join(words)


def faults_of(path, text):
    tokens = tokens_of(text)
    line_of = lambda at: text.count("\n", 0, at) + 1
    for name, returns, body, end in functions_of(tokens):
        make = lambda kind, start, stop, new: Fault(path, text, start, stop, new, kind, line_of(start), name)
        skipped = own_asserts(tokens, body, end)
        for i in range(body + 1, end):
            if i in skipped:
                continue
            kind, word, start, stop = tokens[i]
            before, after = tokens[i - 1][1], tokens[i + 1][1]
            if kind == "sign" and word in COMPARISONS:
                yield make("comparison", start, stop, COMPARISONS[word])
            elif kind == "number" and before != "case" and not is_array_size(tokens, i):
                number = re.match(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$", word)
                if number:
                    value = int(number[1], 16) if number[1][:2] in ("0x", "0X") else int(number[1])
                    yield make("constant", start, stop, str(value + 1) + number[2])
            elif kind == "word" and word in ("true", "false"):
                yield make("constant", start, stop, "false" if word == "true" else "true")
            elif kind == "word" and after == "(" and word not in NOT_CALLS:
                last = closing(tokens, i + 1)
                if before in (";", "{", "}", ")", "else") and tokens[last + 1][1] == ";":
                    yield make("missing call", start, tokens[last + 1][2], "")
                parts = arguments_of(tokens, i + 1)
                if word in SYMMETRIC and is_asked_for_zero(tokens, i, last):
                    parts = parts[1:]
                for one, two in zip(parts, parts[1:]):
                    a, b = text[one[0] : one[1]], text[two[0] : two[1]]
                    if a != b:
                        yield make("swapped argument", one[0], two[1], b + text[one[1] : two[0]] + a)
            if kind == "sign" and word in (";", "{") and after not in ("}", "case", "default", "break", "return"):
                depth = sum(t[1] == "(" for t in tokens[body:i]) - sum(t[1] == ")" for t in tokens[body:i])
                behind = tokens[i + 1]
                if depth == 0 and (word == ";" or before == ")" or i == body) and behind[0] == "word":
                    yield make("early return", behind[2], behind[2], empty_value(returns) + " ")


def all_faults(only):
    by_line = {}
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "src"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith((".c", ".h")) and (not only or fnmatch.fnmatch(path, only)):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    for fault in faults_of(path, file.read()):
                        by_line.setdefault((path, fault.line), []).append(fault)
    return [by_line[key] for key in sorted(by_line)]


class Equivalents:
    """Lines `FILE | FUNCTION | BEFORE | AFTER | reason`; `*` alone stands for anything, `#` begins a comment."""

    def __init__(self):
        self.lines = []
        if os.path.exists(EQUIVALENTS):
            for line in open(EQUIVALENTS, encoding="utf-8"):
                parts = [part.strip() for part in line.rstrip("\n").split(" | ")]
                if len(parts) == 5 and not line.startswith("#"):
                    self.lines.append(parts)

    def reason(self, *fault):
        """Why this fault (file, function, line before, line after) changes nothing; None: nobody says so."""
        for parts in self.lines:
            if all(part in ("*", own) for part, own in zip(parts, fault)):
                return parts[4]
        return None


# What reads beside an array of its own stops, as in CI. A trap knows no places in the text, by which two
# objects of the same code would differ.
BOUNDS = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]


class Tree:
    """A copy of the sources with a build of its own: one fault at a time."""

    def __init__(self, number):
        # The same paths from the build to the sources in all trees, so that ccache knows them again.
        self.folder = os.path.join(BUILD, str(number))
        self.source = os.path.join(self.folder, "source")
        self.build = os.path.join(self.folder, "build")
        self.scratch = os.path.join(self.folder, "tmp")
        self.environment = dict(
            os.environ, WARG=os.path.join(self.build, "warg"), WARG_SOURCE=self.source,
            WARG_WHOLE=os.environ.get("WARG_WHOLE", "1"),  # tests/sanitized.h
            WARG_TEST_DATA=os.path.join(self.source, "tests", "data"),
            WARG_EXAMPLE=os.path.join(self.build, "example-agent"),
            WARG_FAULTS=os.path.join(self.build, "warg-faults"),
            WARG_LIBRARY="",  # as under the sanitizers: programs that others link don't have its allocator
            TMPDIR=self.scratch, CCACHE_NOHASHDIR="1",
            ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=4000"
            ":detect_stack_use_after_return=1:malloc_fill_byte=165:max_malloc_fill_size=1048576"
            ":free_fill_byte=165:max_free_fill_size=1048576",
        )
        self.codes = {}

    def run(self, command, seconds=1800, **more):
        """Exit status; None when it took too long. All that it has started is gone afterwards."""
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            start_new_session=True, env=self.environment, **more,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()

    def make(self, *goals):
        return self.run(["ninja", "-C", self.build, *goals]) == 0

    def prepare(self):
        """Brings the copy up to date with the sources, and builds it."""
        os.makedirs(self.source, exist_ok=True)
        files = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True
        ).stdout.split("\n")
        for name in filter(None, files):
            source, copy = os.path.join(ROOT, name), os.path.join(self.source, name)
            if not os.path.isfile(source):
                continue
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            if not os.path.exists(copy) or open(source, "rb").read() != open(copy, "rb").read():
                shutil.copy2(source, copy)
                os.utime(copy)
        kept = set(files)
        for folder, _, names in os.walk(self.source):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.source) not in kept:
                    os.unlink(path)
        # What the compiler tells of is no test's business.
        errors = ["incompatible-pointer-types", "int-conversion", "return-type", "uninitialized",
                  "discarded-qualifiers", "sign-conversion", "conversion", "format", "unused-function",
                  "unused-variable", "unused-parameter", "unused-but-set-variable", "enum-conversion"]
        options = ["-Doptimization=1", "-Ddebug=false", "-Db_sanitize=address",
                   "-Dc_link_args=" + ("-fuse-ld=lld" if shutil.which("ld.lld") else ""),
                   "-Dc_args=" + " ".join(BOUNDS + ["-Werror=" + error for error in errors])]
        self.set_up(options, filter(None, files))
        if not self.make("warg", "warg-cell"):
            sys.exit("mutate: the sources do not build in %s" % self.build)

    def set_up(self, options, files):
        """A build that was made with other options is made anew: it would keep some of the old ones. One of other
        files looks for them again."""
        made, told = os.path.join(self.folder, "made.json"), {"options": options, "files": sorted(files)}
        was = {}
        if os.path.exists(made):
            with open(made, encoding="utf-8") as file:
                was = json.load(file)
        if was == told:
            return
        again = ["--reconfigure"] if was.get("options") == options else []
        if not again:
            shutil.rmtree(self.build, ignore_errors=True)
        if self.run(["meson", "setup", *again, *options, self.build, self.source]) != 0:
            sys.exit("mutate: meson setup failed in %s" % self.build)
        with open(made, "w", encoding="utf-8") as file:
            json.dump(told, file)

    def code_of(self, path):
        """A digest of what a file compiles to; None when it does not compile, or not without warnings."""
        room, name = path.split("/")[1:]
        parts = {"main.c": "warg.p", "cell_main.c": "warg-cell.p"}
        goal = "%s/%s.o" % (parts.get(name, "libwarg-%s.a.p" % room), path.replace("/", "_"))
        if not path.endswith(".c"):
            goal = "warg"
        if not self.make(goal):
            return None
        with open(os.path.join(self.build, goal), "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def is_changed(self, fault):
        """Writes the file with its fault: whether it compiles, and to other code than before."""
        if fault.path not in self.codes:
            self.codes[fault.path] = self.code_of(fault.path)
        self.write(fault.path, fault.apply())
        return self.code_of(fault.path) not in (None, self.codes[fault.path])

    def write(self, path, text):
        with open(os.path.join(self.source, path), "w", encoding="utf-8") as file:
            file.write(text)

    def fails(self, test, seconds):
        """True or False; None when it can't be built. What runs wild is stopped by its processor time, too."""
        if not self.make("warg-cell", *test.goals):
            return None
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)

        def limit():  # what runs wild takes neither the processor nor the disk for long
            resource.setrlimit(resource.RLIMIT_CPU, (test.cpu_seconds, test.cpu_seconds))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 29, 1 << 29))

        # 77: a script that can't be run on this machine.
        return self.run(test.command(self), seconds, cwd=self.build, preexec_fn=limit) not in (0, 77)


class Test:
    """One program of tests/ROOM, or one script of tests/e2e."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.passed, self.broken, self.seconds = False, False, 0
        if folder == "e2e":
            self.goals, self.cpu_seconds = ["warg", "warg-faults", "example-agent"], 20  # each of its programs
        else:
            self.goals, self.cpu_seconds = ["%s-test_%s" % (folder, name)], 100

    def command(self, tree):
        if self.folder == "e2e":
            return ["bash", os.path.join(tree.source, "tests", "e2e", self.name + ".sh")]
        return [os.path.join(tree.build, self.goals[0])]

    def run(self, tree):
        """True: it failed. None: it can't be built. How long it takes is learnt when it passes."""
        started = time.monotonic()
        failed = tree.fails(self, max(LEAST_SECONDS, SLOWEST * self.seconds) if self.seconds else FIRST_SECONDS)
        if failed is False:
            self.passed = True
            self.seconds = max(self.seconds, time.monotonic() - started)
        return failed

    def is_good(self, tree):
        """Whether it passes without a fault; asked once, when it has failed before it has ever passed."""
        if not self.passed and self.run(tree) is not False:
            print("left out: %s/%s fails without a fault" % (self.folder, self.name), flush=True)
            self.broken = True
        return self.passed


class Tests:
    """All tests, by room. How long each takes is kept from run to run, for their order and for what hangs."""

    def __init__(self):
        self.known, self.took = {}, {}
        if os.path.exists(TOOK):
            with open(TOOK, encoding="utf-8") as file:
                self.took = json.load(file)

    def keep(self):
        self.took.update({"/".join(key): test.seconds for key, test in self.known.items() if test.passed})
        with open(TOOK, "w", encoding="utf-8") as file:
            json.dump(self.took, file)

    def test(self, folder, name):
        if (folder, name) not in self.known:
            self.known[folder, name] = Test(folder, name)
            self.known[folder, name].seconds = self.took.get(folder + "/" + name, 0)
        return self.known[folder, name]

    def of_folder(self, folder):
        path = os.path.join(ROOT, "tests", folder)
        names = sorted(os.listdir(path)) if os.path.isdir(path) else []
        return [self.test(folder, name[5:-2]) for name in names if re.match(r"test_\w+\.c$", name)]

    def of_room(self, room, name):
        tests = self.of_folder(room)
        for other in OTHER_TESTS.get(room, []) + OTHER_TESTS.get(room + "/" + name, []):
            tests += self.of_folder(other[:-1]) if other.endswith("/") else [self.test("e2e", other)]
        return tests

    def of_file(self, path):
        """Those of its room, the likely ones first, then the quick ones."""
        room, name = path.split("/")[1:]
        words = set(re.split(r"[_.-]", name)[:-1])

        def rank(test):
            own = set(re.split(r"[_-]", test.name))
            return (test.folder == "e2e", -len(words & own) / len(words | own), test.seconds)

        return sorted((test for test in dict.fromkeys(self.of_room(room, name)) if not test.broken), key=rank)


def judge(tree, fault, known, tests):
    """("found" | "lived" | "equivalent" | "redrawn", text)"""
    before, after = fault.describe()
    text = "%s:%d %s, in %s: %s  ->  %s" % (fault.path, fault.line, fault.kind, fault.function, before, after)
    reason = known.reason(fault.path, fault.function, before, after)
    try:
        if not tree.is_changed(fault):
            return "redrawn", text
        for test in tests.of_file(fault.path):
            failed = test.run(tree)
            if failed is None:
                return "redrawn", text
            if failed and not test.passed:
                tree.write(fault.path, fault.text)
                good = test.is_good(tree)
                tree.write(fault.path, fault.apply())
                failed = good and test.run(tree)
            elif failed and test.folder == "e2e":  # not only because the machine is busy
                failed = test.run(tree)
            if failed:
                return "found", text + "  (" + test.folder + "/" + test.name + ")"
        return ("equivalent", text + "  (" + reason + ")") if reason else ("lived", text)
    finally:
        tree.write(fault.path, fault.text)


class Run:
    def __init__(self, arguments):
        self.rng = random.Random(arguments.seed)
        self.lines = all_faults(arguments.only)
        self.known = Equivalents()
        self.tests = Tests()
        self.counts = {}  # room: results
        self.list = arguments.list

    def draw(self):
        return self.rng.choice(self.rng.choice(self.lines))

    def note(self, fault, result, text):
        counts = self.counts.setdefault(fault.path.split("/")[1], {"found": 0, "lived": 0, "equivalent": 0})
        counts[result] += 1
        if result != "found" or self.list:
            print("%-10s %s" % (result, text), flush=True)

    def sum(self, result):
        return sum(counts[result] for counts in self.counts.values())

    def show(self):
        for room, counts in sorted(self.counts.items()):
            print("%-10s %3d planted, %3d found, %3d lived, %3d equivalent"
                  % (room, sum(counts.values()), counts["found"], counts["lived"], counts["equivalent"]))
        if self.sum("equivalent"):
            print("%d equivalent to the program as it is" % self.sum("equivalent"))
        print("%d of %d found" % (self.sum("found"), self.sum("found") + self.sum("lived")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", metavar="SEED")
    parser.add_argument("--count", type=int, default=40, help="faults to plant (40)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="trees that work side by side")
    parser.add_argument("--only", metavar="PATTERN", help="files, as src/game/*")
    parser.add_argument("--list", action="store_true", help="say what was found, too, and by which test")
    arguments = parser.parse_args()
    run = Run(arguments)
    if not run.lines:
        sys.exit("mutate: no line of src matches '%s'" % arguments.only)
    print("%d lines can have a fault; building" % len(run.lines), flush=True)
    trees = [Tree(number) for number in range(max(1, min(arguments.jobs, arguments.count)))]
    for tree in trees:
        tree.prepare()
    free, todo = list(trees), arguments.count
    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        busy = {}
        while todo or busy:
            while free and len(busy) < todo:
                fault, tree = run.draw(), free.pop()
                busy[pool.submit(judge, tree, fault, run.known, run.tests)] = fault, tree
            ended, _ = concurrent.futures.wait(busy, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                fault, tree = busy.pop(future)
                free.append(tree)
                result, text = future.result()
                if result != "redrawn":
                    todo -= 1
                    run.note(fault, result, text)
    run.tests.keep()
    run.show()
    return 0 if run.sum("found") >= GOAL * (run.sum("found") + run.sum("lived")) else 1


if __name__ == "__main__":
    sys.exit(main())
