#!/usr/bin/env python3
"""Plants faults in copies of the sources and runs the room's own tests: who lives shows what no test holds.

    mutate.py [--count N] [--jobs N] [--only PATTERN] [--list] SEED

Places are drawn evenly over all lines of src/ on which a fault can be planted, then one of the faults that
the line can have. A fault that does not compile, or compiles to the same code, is drawn again. The rest
is found when a test of the room fails, or takes ten times as long as without it.

equivalents.txt, beside this file, names faults that change nothing, each with its reason. The last line is
`N of M found`, equivalents left out; the exit status is 0 when at least 90 % are.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EQUIVALENTS = os.path.join(ROOT, "tests", "mutate", "equivalents.txt")
BUILD = os.path.join(ROOT, "build-mutate")
GOAL = 0.90
SLOWEST = 10  # times what the tests take without a fault
LEAST_SECONDS = 60

# What holds a room beside tests/ROOM: rooms whose work is seen from outside only.
ALSO = {"cmd": ["e2e"], "show": ["e2e"], "serve": ["e2e"], "person": ["e2e"], "thinker": ["e2e"]}

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<number>(?:0[xX][0-9a-fA-F]+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?[uUlLfF]*)"""
    r"""|(?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])""",
    re.S,
)
NOT_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "assert", "CLEANUP", "defined", "else", "do"}


class Fault:
    """One change of one file: the text between two places becomes another."""

    def __init__(self, path, start, end, new, kind, line, function):
        self.path, self.start, self.end, self.new = path, start, end, new
        self.kind, self.line, self.function = kind, line, function

    def apply(self, text):
        return text[: self.start] + self.new + text[self.end :]

    def describe(self, text):
        """The line before and after, without its indentation."""
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
        make = lambda kind, start, stop, new: Fault(path, start, stop, new, kind, line_of(start), name)
        for i in range(body + 1, end):
            kind, word, start, stop = tokens[i]
            before, after = tokens[i - 1][1], tokens[i + 1][1]
            if kind == "sign" and word in COMPARISONS:
                yield make("comparison", start, stop, COMPARISONS[word])
            elif kind == "number" and before != "case":
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


def read_equivalents():
    """Lines `FILE | FUNCTION | BEFORE | AFTER | reason`; `#` begins a comment."""
    known = {}
    if os.path.exists(EQUIVALENTS):
        for line in open(EQUIVALENTS, encoding="utf-8"):
            parts = [part.strip() for part in line.rstrip("\n").split(" | ")]
            if len(parts) == 5 and not line.startswith("#"):
                known[tuple(parts[:4])] = parts[4]
    return known


class Tree:
    """A copy of the sources with a build of its own: one fault at a time."""

    def __init__(self, number):
        self.source = os.path.join(BUILD, "tree%d" % number)
        self.build = os.path.join(BUILD, "build%d" % number)
        self.targets = {}

    def run(self, command, seconds=1800):
        """Exit status; None when it took too long. All that it has started is gone afterwards."""
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            start_new_session=True,
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

    def prepare(self):
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
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            # What the compiler tells of is no test's business.
            errors = ["incompatible-pointer-types", "int-conversion", "return-type", "uninitialized",
                      "discarded-qualifiers", "sign-conversion", "conversion", "format", "unused-function",
                      "unused-variable", "unused-parameter", "unused-but-set-variable", "enum-conversion"]
            options = ["-Doptimization=1", "-Ddebug=false", "-Dc_args=" + " ".join("-Werror=" + e for e in errors)]
            if self.run(["meson", "setup", self.build, self.source, *options]) != 0:
                sys.exit("mutate: meson setup failed in %s" % self.build)
        elif self.run(["meson", "setup", "--reconfigure", self.build, self.source]) != 0:
            sys.exit("mutate: meson setup failed in %s" % self.build)
        if self.run(["ninja", "-C", self.build, "warg", "warg-cell"]) != 0:
            sys.exit("mutate: the sources do not build in %s" % self.build)

    def tests_of(self, room):
        """Targets to build and suites to run; None for a room without tests."""
        if room not in self.targets:
            suites = [suite for suite in [room] + ALSO.get(room, [])
                      if os.path.isdir(os.path.join(self.source, "tests", suite))]
            targets = []
            for suite in suites:
                for name in sorted(os.listdir(os.path.join(self.source, "tests", suite))):
                    if name.startswith("test_") and name.endswith(".c"):
                        targets.append("%s-%s" % (suite, name[:-2]))
                if suite == "e2e":
                    targets += ["warg", "warg-cell", "example-agent"]
            self.targets[room] = (targets, suites)
        return self.targets[room]

    def test(self, room, seconds):
        """True: all passed. None: it does not compile."""
        targets, suites = self.tests_of(room)
        if not suites:
            return True
        if self.run(["ninja", "-C", self.build, *targets]) != 0:
            return None
        # The room's own first: they are quick.
        for suite in suites:
            command = ["meson", "test", "-C", self.build, "--no-rebuild", "--num-processes", "2",
                       "--maxfail", "1", "--suite", suite]
            if self.run(command, seconds) != 0:
                return False
        return True

    def code_of(self, path):
        """A digest of what a file compiles to; None when it does not compile, or not without warnings."""
        room, name = path.split("/")[1:]
        parts = {"main.c": "warg.p", "cell_main.c": "warg-cell.p"}
        goal = "%s/%s.o" % (parts.get(name, "libwarg-%s.a.p" % room), path.replace("/", "_"))
        if not path.endswith(".c"):
            goal = "warg"
        if self.run(["ninja", "-C", self.build, goal]) != 0:
            return None
        with open(os.path.join(self.build, goal), "rb") as file:
            return hashlib.sha256(file.read()).digest()


def judge(tree, fault, known, seconds):
    """("found" | "lived" | "equivalent" | "redrawn", text)"""
    path = os.path.join(tree.source, fault.path)
    with open(os.path.join(ROOT, fault.path), encoding="utf-8") as file:
        original = file.read()
    before, after = fault.describe(original)
    text = "%s:%d %s, in %s: %s  ->  %s" % (fault.path, fault.line, fault.kind, fault.function, before, after)
    try:
        whole = tree.code_of(fault.path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(fault.apply(original))
        changed = tree.code_of(fault.path)
        if changed is None or changed == whole:
            return "redrawn", text
        passed = tree.test(fault.path.split("/")[1], seconds)
        if passed is None:
            return "redrawn", text
        if not passed:
            return "found", text
        reason = known.get((fault.path, fault.function, before, after))
        return ("equivalent", text + "  (" + reason + ")") if reason else ("lived", text)
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)


class Run:
    def __init__(self, arguments):
        self.rng = random.Random(arguments.seed)
        self.lines = all_faults(arguments.only)
        self.left = arguments.count
        self.known = read_equivalents()
        self.counts = {"found": 0, "lived": 0, "equivalent": 0}
        self.seconds = {}
        self.list = arguments.list

    def draw(self):
        return self.rng.choice(self.rng.choice(self.lines))

    def limit(self, tree, room):
        """How long the tests of a room may take; they are run once without a fault."""
        if room not in self.seconds:
            started = time.monotonic()
            if tree.test(room, 1800) is not True:
                sys.exit("mutate: the tests of %s fail without a fault" % room)
            self.seconds[room] = max(LEAST_SECONDS, SLOWEST * (time.monotonic() - started))
        return self.seconds[room]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", metavar="SEED")
    parser.add_argument("--count", type=int, default=40, help="faults to plant (40)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="trees that work side by side")
    parser.add_argument("--only", metavar="PATTERN", help="files, as src/game/*")
    parser.add_argument("--list", action="store_true", help="say what was found, too")
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
                room = fault.path.split("/")[1]
                busy[pool.submit(lambda t, f, r: judge(t, f, run.known, run.limit(t, r)), tree, fault, room)] = tree
            ended, _ = concurrent.futures.wait(busy, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                free.append(busy.pop(future))
                result, text = future.result()
                if result == "redrawn":
                    continue
                todo -= 1
                run.counts[result] += 1
                if result != "found" or run.list:
                    print("%-10s %s" % (result, text), flush=True)
    found, lived = run.counts["found"], run.counts["lived"]
    if run.counts["equivalent"]:
        print("%d equivalent to the program as it is" % run.counts["equivalent"])
    print("%d of %d found" % (found, found + lived))
    return 0 if found >= GOAL * (found + lived) else 1


if __name__ == "__main__":
    sys.exit(main())
