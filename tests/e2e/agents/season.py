"""A season of small contests on a real site while faults fall out of a seed; then whether all is whole.

    season.py FAULTS SEED [CONTESTS]        $WARG, $WARG_FAULTS, SEASON_AGENT (a native agent) in the environment

A contest goes from its draft to PUBLISHED in steps. At each step a storm of faults falls (`Storm.kinds`) while people and
the organiser do what they do, repeating what was not answered; then it is calm, the step comes to its end, and `Checks`
looks at all that was ever acknowledged. Nothing may be lost, double or left running.

To add a kind of fault: a method `fault_NAME` of Storm, and its weight in `Storm.kinds`. To add a check: a method
`check_NAME` of Checks. Standard library only."""
import glob
import hashlib
import http.client
import io
import json
import mmap
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from site_people import Person, Refused, Site  # noqa: E402

WORK = os.getcwd()
SITE = WORK + "/site"
DATA = SITE + "/data"
URL = "http://127.0.0.1"
PATIENCE = int(os.environ.get("SEASON_PATIENCE", "300"))  # seconds, for what comes at once on a machine that does nothing else
DAY = 86400000
BEGIN = 1806537600000  # 2027-04-01


class Broken(Exception):
    """Something is lost, double, or left."""


def fail(text):
    raise Broken(text)


def date(ms):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + ".%03dZ" % (ms % 1000)


class Admin(Person):
    """Whoever asks over the socket in the data folder."""

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", timeout=100)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(100)
        connection.sock.connect(DATA + "/admin.sock")
        return connection


class Page:
    """The rates of tests/season_page.h, in memory of all processes."""
    FORMAT = "=IIIiQQQQQQ"
    DISK_RATE, STORE_RATE, KILL_RATE, LEFT, SEED, DISK_CALLS, STORE_CALLS, DISK_FAILED, STORE_FAILED, KILLED = range(10)
    PLACES = [0, 4, 8, 12, 16, 24, 32, 40, 48, 56]

    def __init__(self, seed):
        self.path = WORK + "/page"
        with open(self.path, "wb") as file:
            file.write(struct.pack(self.FORMAT, 0, 0, 0, 0, seed, 0, 0, 0, 0, 0))
        self.file = open(self.path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), struct.calcsize(self.FORMAT))

    def get(self, field):
        return struct.unpack_from("=i" if field < 4 else "=Q", self.map, self.PLACES[field])[0]

    def set(self, field, value):
        struct.pack_into("=i", self.map, self.PLACES[field], value)

    def failed(self):
        return self.get(self.DISK_FAILED) + self.get(self.STORE_FAILED)

    def calm(self):
        for field in (self.DISK_RATE, self.STORE_RATE, self.LEFT):
            self.set(field, 0)


class Process:
    def __init__(self, pid):
        self.pid = pid
        with open("/proc/%d/stat" % pid) as file:
            text = file.read()
        rest = text[text.rindex(")") + 2:].split()
        self.comm = text[text.index("(") + 1:text.rindex(")")]
        self.state, self.parent = rest[0], int(rest[1])
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            self.words = file.read().decode("utf-8", "replace").split("\0")

    def kind(self):
        words = self.words
        if len(words) > 2 and words[1] == "contest" and any(word.startswith(SITE) for word in words):
            return {"serve": "server", "runner": "runner", "--job": "job"}.get(words[2])
        return None


def processes():
    """{pid: Process} of this machine."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                found[int(name)] = Process(int(name))
            except (OSError, ValueError):
                pass
    return found


def own_processes(tag):
    """[(kind, Process)] of the site: server, runner, job, cell, agent."""
    everyone, out = processes(), []
    for process in everyone.values():
        kind = process.kind()
        if not kind:
            above = everyone.get(process.parent)
            while above and above.pid > 1 and above.kind() != "job":
                above = everyone.get(above.parent)
            if above and above.kind() == "job":
                kind = "cell" if process.comm == "warg-cell" else "agent"
            elif any(tag in word for word in process.words):
                kind = "agent"
        if kind and process.state not in "ZX":
            out.append((kind, process))
    return out


class Serving:
    """`warg contest serve`, started again when it has ended."""

    def __init__(self, page, clock):
        self.page, self.clock, self.process, self.site = page, clock, None, Site(0, URL)
        self.lock, self.starts, self.ends, self.wanted = threading.RLock(), 0, {}, False

    def start(self):
        self.wanted = True
        self.keep_up()

    def begin(self):
        environment = dict(os.environ, WARG_SEASON_PAGE=self.page.path)
        self.told = open(WORK + "/serve.txt", "w+")
        self.errors = open(WORK + "/serve.err", "a")
        self.process = subprocess.Popen([os.environ["WARG_FAULTS"], "contest", "serve", SITE, "--clock", self.clock.path],
                                        stdout=self.told, stderr=self.errors, env=environment, start_new_session=True)
        self.starts += 1

    def is_listening(self):
        with open(WORK + "/serve.txt") as file:
            line = file.read()
        if " port " not in line or not line.endswith("\n"):
            return False
        self.site.port = int(line.split(" port ")[1])
        return True

    def keep_up(self, wait=True):
        """True when it listens."""
        with self.lock:
            end = time.monotonic() + PATIENCE
            while self.wanted:
                if self.process is None or self.process.poll() is not None:
                    if self.process is not None:
                        code = self.process.returncode
                        self.ends[code] = self.ends.get(code, 0) + 1
                    self.begin()
                if self.is_listening():
                    return True
                if not wait:
                    return False
                if time.monotonic() > end:
                    fail("the server does not start: " + open(WORK + "/serve.err").read()[-2000:])
                time.sleep(0.01)
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        with self.lock:
            self.wanted = False
            self.process.send_signal(signal.SIGTERM)
            try:
                code = self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                fail("the server does not end")
            if code != 0:
                fail("the server ended with %d: %s" % (code, open(WORK + "/serve.err").read()[-1000:]))


class Clock:
    def __init__(self):
        self.path, self.ms = WORK + "/clock", BEGIN
        self.write(self.ms)

    def write(self, ms):
        with open(self.path + ".new", "w") as file:
            file.write(date(ms) + "\n")
        os.rename(self.path + ".new", self.path)

    def to(self, ms):
        self.ms = max(self.ms, ms)
        self.write(self.ms)


class Season:
    def __init__(self, faults, seed, contests):
        self.faults, self.seed, self.contests = faults, seed, contests
        self.random = random.Random(seed)
        self.page, self.clock = Page(seed), Clock()
        self.serving = Serving(self.page, self.clock)
        self.tag = "s%dx" % (os.getpid() % 100000)
        self.counts = {}
        self.persons, self.finished, self.retried = {}, [], 0
        self.storm = Storm(self)
        self.checks = Checks(self)

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def total(self):
        return sum(self.counts.values()) + self.page.failed() + self.storm.mails_failed()

    # ---- asking ----

    def address(self):
        return "198.%d.%d.%d" % (18 + random.getrandbits(1), random.getrandbits(8), random.getrandbits(8))

    def ask(self, who, method, path, body=None, kind="application/json", seconds=PATIENCE):
        """The answer, after as many tries as it takes; errors of the moment are none. (answer, tries)."""
        end, tries = time.monotonic() + seconds, 0
        if method == "POST" and body is None:
            body = {}
        while True:
            tries += 1
            try:
                self.serving.keep_up()
                person = type(who)(self.serving.site, self.address())
                person.cookie, person.csrf = who.cookie, who.csrf
                answer = person.ask(method, path, body, kind)
                who.cookie, who.csrf = person.cookie, person.csrf
                return answer, tries
            except Refused as no:
                if no.status == 401 and who.name and path != "login":  # a login ends behind 14 days
                    self.log_in(who)
                    continue
                if no.status < 500 and no.status not in (408, 429):
                    no.tries = tries
                    no.args = ("%s %s: %s" % (method, path, no.args[0]),)
                    raise
                last = no
            except (OSError, http.client.HTTPException) as no:
                last = no
            if time.monotonic() > end:
                fail("%s %s is never answered: %r" % (method, path, last))
            time.sleep(0.02)

    def get(self, who, path, seconds=PATIENCE):
        return self.ask(who, "GET", path, seconds=seconds)[0]

    def anybody(self):
        who = Person(self.serving.site, self.address())
        who.name = None
        return who

    def log_in(self, who):
        who.cookie = who.csrf = None
        words = {"login": who.name, "password": "a long phrase of " + who.name}
        who.csrf = self.ask(who, "POST", "login", words)[0]["csrf"]

    def account(self, login):
        """A person who is logged in; made when there is none."""
        if login in self.persons:
            return self.persons[login]
        who = self.anybody()
        words = {"login": login, "password": "a long phrase of " + login, "mail": login + "@example.org"}
        try:
            who.csrf = self.ask(who, "POST", "account", words)[0]["csrf"]
            who.name = login
        except Refused as no:  # it was made, and the answer was lost
            if no.tries == 1:
                raise
            who.name = login
            self.log_in(who)
        self.persons[login] = who
        self.checks.acknowledge("account", who, "account", lambda got: got["login"] == login)
        return who

    def until(self, what, look, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while True:
            found = look()
            if found:
                return found
            if time.monotonic() > end:
                fail("waited in vain: " + what)
            self.serving.keep_up()
            time.sleep(0.1)

    # ---- the season ----

    def run(self):
        self.install()
        self.serving.start()
        self.organiser = Admin(self.serving.site, "")
        self.organiser.name = None
        number = 0
        while number < self.contests or self.total() < self.faults:
            number += 1
            began, before = time.monotonic(), self.total()
            Contest(self, number).run()
            if self.faults >= 1000:
                seconds = time.monotonic() - began
                print("contest %d: %d faults in %.0f s, all whole; %d faults so far"
                      % (number, self.total() - before, seconds, self.total()), flush=True)
        self.end()

    def install(self):
        subprocess.run([os.environ["WARG"], "contest", "init", SITE], stdout=subprocess.DEVNULL, check=True)
        with open(SITE + "/server.yml") as file:
            lines = [line for line in file.read().splitlines()
                     if not line.startswith(("listen:", "public_url:", "trust_proxy:", "mail:", "disk_reserve:"))]
        lines += ["listen: 127.0.0.1:0", "public_url: " + URL, "trust_proxy: [127.0.0.1]", "disk_reserve: 1MiB",
                  "mail: {command: %s/sendmail, from: contest@example.org}" % WORK]
        with open(SITE + "/server.yml", "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(WORK + "/sendmail", "w") as file:
            file.write("#!/bin/sh\n[ -e '%s/mails/fail' ] && { echo no >>'%s/mails/failed'; exit 75; }\n"
                       "exec cat >'%s/mails/'$$.$(date +%%N)\n" % (WORK, WORK, WORK))
        os.chmod(WORK + "/sendmail", 0o755)
        os.mkdir(WORK + "/mails")

    def end(self):
        self.checks.all()
        self.serving.stop()
        self.checks.nothing_runs(("server", "runner", "job", "cell", "agent"))


class Contest:
    """One contest, from its draft to its bundle. Its steps are between storms."""
    TEAMS = 6

    def __init__(self, season, number):
        self.season, self.number = season, number
        self.name = "c%d" % number
        # Agents that are killed change games: there the course is not compared with an undisturbed one.
        self.rough = number % 3 == 2
        self.two_stages = number % 2 == 1
        self.begins = max(season.clock.ms, BEGIN) + DAY
        self.teams = [season.tag + "%d%s" % (number, chr(ord("a") + i)) for i in range(self.TEAMS)]
        self.state = "DRAFT"
        self.plan = None

    def text(self):
        day = lambda n: date(self.begins + n * DAY)  # noqa: E731
        first = "  - {name: first, parts: [{players: 5}], games_per_set: 2, min_games: 4, advance: 5, tie: lot}\n"
        return ("contest: %s\ntitle: {en: %s}\ndivision: protocol\n"
                "dates: {zone: UTC, opens: '%s', submission_closes: '%s', preliminary: '%s', revision_closes: '%s',\n"
                "        appeals_close: '%s'}\n"
                "lot_window: 12h\ncheck: {games: 1, name: refuse}\nlimits: {time_limit: 20s, startup: 60s}\n"
                "submit: {languages: [native], versions_per_day: 1000, keep: 1000}\n"
                "testing: {at: ['03:00'], parts: [{players: 5, sets_each: 1}], fill: sample, on_error: note}\n"
                "cell: {level: strict, memory: 256MiB, threads: 16}\n"
                "stages:\n%s  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 4}\n"
                "conduct: {strikes: 1000, confirm: true}\npublish: {logs: own, live: standings, sources: all}\n"
                % (self.name, self.name, day(0), day(10), day(12), day(20), day(30), first if self.two_stages else ""))

    def path(self, rest=""):
        return "contests/" + self.name + rest

    # ---- steps ----

    def run(self):
        season = self.season
        self.step("new", self.make, None)
        season.clock.to(self.begins)
        self.step("open", self.register, "OPEN", agents=False)
        self.step("check", self.hand_in, "OPEN", agents=False)
        self.wait_active()
        for _ in range(1 if season.faults < 1000 else 3):
            season.clock.to(season.clock.ms + DAY)
            self.step("testing", self.test, "OPEN", agents=True)
        season.clock.to(self.begins + 10 * DAY)
        self.step("freeze", self.open_lots, "FROZEN")
        season.clock.to(self.begins + 12 * DAY)
        self.step("stage", self.watch, "REVISION" if self.two_stages else "APPEALS", agents=self.rough)
        if self.number == 1:
            Plants(self).all()
        if self.two_stages:
            self.step("revision", self.revise, "REVISION", agents=False)
            season.clock.to(self.begins + 20 * DAY)
            self.step("close", self.watch, "FINAL|APPEALS", agents=False, settles=False)
            season.clock.to(self.begins + 21 * DAY)  # lots that nobody opened count as zeros
            self.step("final", self.watch, "APPEALS", agents=self.rough)
        season.clock.to(self.begins + 30 * DAY)
        self.step("publish", self.watch, "PUBLISHED", agents=False)
        self.check_bundle()
        season.finished.append(self)

    def step(self, what, act, state, agents=False, settles=True):
        """`act` in a storm; then, when it is calm, until the contest is in `state` and all is whole."""
        season = self.season
        season.doing = "contest %d, %s" % (self.number, what)
        began = time.monotonic()
        season.storm.begin(self, agents)
        try:
            act()
            season.storm.last()
        finally:
            season.storm.calm()
        stormy = time.monotonic() - began
        if state:
            season.until("%s is %s" % (self.name, state), lambda: self.is_in(state))
        if not settles:
            return
        self.settle()
        settled = time.monotonic() - began
        season.checks.all()
        if os.environ.get("SEASON_TIMES"):
            print("%s: storm %.1f, settled %.1f, checked %.1f; %d faults"
                  % (season.doing, stormy, settled, time.monotonic() - began, season.total()), flush=True)

    def is_in(self, state):
        got = self.season.get(self.season.organiser, self.path())
        self.sentence = got.get("sentence")
        self.organise()
        return got["state"] in state.split("|")

    def organise(self):
        """What an organiser does about jobs that failed five times: tries them again."""
        season = self.season
        jobs = season.get(season.organiser, self.path("/jobs"))["items"]
        open_jobs = [job for job in jobs if job["state"] in ("NEW", "PUT")]
        failed = [job for job in jobs if job["state"] == "FAILED"]
        if failed and not open_jobs and failed[0]["id"] != getattr(self, "seen_failed", None):
            self.seen_failed, self.failed_at = failed[0]["id"], time.monotonic()
        if failed and not open_jobs and time.monotonic() - self.failed_at > float(os.environ.get("SEASON_ORGANISE", "2")):
            self.failed_at = time.monotonic()
            season.retried += 1
            if os.environ.get("SEASON_TIMES"):
                print("tried again:", failed[0], [(j["id"][-4:], j["kind"], j["state"]) for j in jobs][:8], self.sentence, flush=True)
            try:
                season.ask(season.organiser, "POST", self.path("/jobs/%s/retry" % failed[0]["id"]))
            except Refused:
                pass

    def settle(self):
        """Until no job is under way or waits."""
        def is_settled():
            jobs = self.season.get(self.season.organiser, self.path("/jobs"))["items"]
            return not [job for job in jobs if job["state"] in ("NEW", "PUT")] and self.season.checks.spool_left() == []
        if self.name in [c.get("name") for c in self.season.get(self.season.organiser, "contests")["items"]]:
            self.season.until("the jobs of " + self.name, is_settled)

    # ---- what people do ----

    def make(self):
        season = self.season
        try:
            season.ask(season.organiser, "POST", "contests", {"text": self.text()})
        except Refused:  # it was made, and the answer was lost, or the storm was quicker
            pass
        season.checks.acknowledge("contest", season.organiser, self.path(), lambda got: got["name"] == self.name)

    def register(self):
        season = self.season
        season.until(self.name + " is open", lambda: self.is_in("OPEN"))
        for team in self.teams:
            who = season.account(team)
            try:
                season.ask(who, "POST", self.path("/teams"), {"name": team})
            except Refused:
                pass
            season.checks.acknowledge("team", who, self.path("/teams/" + team), lambda got, team=team: got["name"] == team)
        lot = hashlib.sha256(self.teams[0].encode()).digest()
        self.lot = lot.hex()
        entry = hashlib.sha256(lot).hexdigest()
        stage = "first" if self.two_stages else "final"
        self.lot_stage = stage
        self.affiliate(self.teams[1])

    def affiliate(self, team):
        season, who = self.season, self.season.persons[team]
        value = "affiliation %d" % season.random.getrandbits(60)
        season.ask(who, "PATCH", self.path("/teams/" + team), {"affiliation": value})
        season.checks.acknowledge(("affiliation", team), who, self.path("/teams/" + team), lambda got: got["affiliation"] == value)

    def archive(self, team, text):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as out:
            entry = zipfile.ZipInfo("agent", (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o755 << 16
            with open(os.environ["SEASON_AGENT"], "rb") as agent:
                out.writestr(entry, agent.read())
            out.writestr(zipfile.ZipInfo("note.txt", (1980, 1, 1, 0, 0, 0)), team + text)
        return file.getvalue()

    def submit(self, team, text=""):
        """A version whose file has come: its id."""
        season, who = self.season, self.season.persons[team]
        data = self.archive(team, text)
        digest = hashlib.sha256(data).hexdigest()
        version, _ = season.ask(who, "POST", self.path("/teams/%s/versions" % team), {"language": "native", "entry": "agent"})
        path = self.path("/versions/" + version["id"])
        try:
            season.ask(who, "PUT", path + "/file", data, "application/octet-stream")
        except Refused as no:  # it was taken, and the answer was lost
            if no.tries == 1:
                raise
        season.checks.acknowledge("version", who, path, lambda got: got.get("sha256") == digest and self.has_blob(digest))
        return version["id"]

    def has_blob(self, digest):
        path = "%s/blobs/%s/%s" % (DATA, digest[:2], digest)
        if not os.path.exists(path):
            return False
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest() == digest

    def hand_in(self):
        self.handed = {team: self.submit(team) for team in self.teams}

    def wait_active(self):
        """All versions have passed; one that did not, by a fault of ours, is an error of the site's."""
        season = self.season
        for team, version in self.handed.items():
            def look(team=team, version=version):
                self.organise()
                got = season.get(season.persons[team], self.path("/versions/" + version))
                if got["state"] == "REFUSED":
                    fail("a good version was refused: %s" % got)
                return got["state"] == "ACTIVE"
            season.until("the check of %s" % team, look)
        self.settle()
        season.checks.all()

    def test(self):
        season = self.season
        for _ in range(2):
            try:
                season.ask(season.organiser, "POST", self.path("/rounds"))
            except Refused:
                pass
            time.sleep(season.random.random())
        self.announce()
        self.affiliate(season.random.choice(self.teams[1:]))

    def announce(self):
        season = self.season
        text = "announcement %d" % season.random.getrandbits(60)
        season.ask(season.organiser, "POST", self.path("/announcements"), {"text": {"en": text}})
        team = self.teams[2]
        season.checks.acknowledge("announcement", season.persons[team], self.path("/teams/" + team),
                                  lambda got: text in json.dumps(got["notices"]))

    def open_lots(self):
        self.watch()

    def revise(self):
        season = self.season
        team = season.random.choice(self.teams)
        body = b"PK source of " + team.encode()
        digest = hashlib.sha256(body).hexdigest()
        season.ask(season.persons[team], "PUT", self.path("/teams/%s/documents/source?media=application/zip&licence=MIT" % team),
                   body, "application/octet-stream")
        season.checks.acknowledge("document", season.persons[team], self.path("/teams/" + team),
                                  lambda got: digest in json.dumps(got["documents"]) and self.has_blob(digest))

    def watch(self):
        """Somebody looks at it all the time."""
        season = self.season
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            season.get(season.anybody(), self.path("/standings"))
            time.sleep(0.1)

    # ---- its end ----

    def check_bundle(self):
        season, anybody = self.season, self.season.anybody()
        folder = WORK + "/bundle"
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)


        def look():  # until it has the end of the ledger, 503
            self.organise()
            person = Person(season.serving.site, season.address())
            try:
                return person.get(self.path("/bundle"))
            except (Refused, OSError, http.client.HTTPException):
                return None
        data = season.until("the bundle of " + self.name, look)
        with open(folder + ".tar.gz", "wb") as file:
            file.write(data)
        subprocess.run(["tar", "xzf", folder + ".tar.gz", "-C", folder], check=True)
        os.remove(folder + ".tar.gz")
        top = glob.glob(folder + "/*")[0]
        with open(WORK + "/note", "wb") as file:
            file.write(season.checks.notes[self.name][0])
        audit = subprocess.run([os.environ["WARG"], "audit", top, "--key", season.get(anybody, self.path("/key")).decode().strip(),
                                "--checkpoint", WORK + "/note"], capture_output=True, text=True)
        if audit.returncode or "everything follows from the commitment" not in audit.stdout:
            fail("the audit of %s: %s %s" % (self.name, audit.stdout, audit.stderr))
        if not self.rough:
            self.compare_undisturbed()
        shutil.rmtree(folder)

    def compare_undisturbed(self):
        """The same stages by a runner that nobody disturbs: the same games."""
        calm, data = WORK + "/calm", WORK + "/calm/data"
        shutil.rmtree(calm, ignore_errors=True)
        os.makedirs(data + "/contests/" + self.name)
        os.makedirs(data + "/spool/new")
        os.chmod(data, 0o700)
        shutil.copy(SITE + "/server.yml", calm)
        shutil.copy(DATA + "/contests/%s/contest.yml" % self.name, data + "/contests/" + self.name)
        shutil.copytree(DATA + "/secrets/" + self.name, data + "/secrets/" + self.name)
        os.symlink(DATA + "/trees", data + "/trees")
        db = sqlite3.connect("file:%s/site.db?mode=ro" % DATA, uri=True)
        rows = db.execute("SELECT job.id, job.spec FROM job JOIN play ON play.job = job.id JOIN contest ON contest.id = job.contest"
                          " WHERE contest.name = ? AND play.stage <> 'testing' ORDER BY job.created, job.id", (self.name,)).fetchall()
        db.close()
        environment = {name: value for name, value in os.environ.items() if name != "WARG_SEASON_PAGE"}
        runner = subprocess.Popen([os.environ["WARG"], "contest", "runner", calm], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for job, spec in rows:
                text = dict(json.loads(spec), job=job, kind="play", contest=self.name)
                with open(data + "/spool/tmp", "w") as file:
                    json.dump(text, file)
                os.rename(data + "/spool/tmp", data + "/spool/new/%s.json" % job)
                done = data + "/spool/done/%s/result.json" % job
                self.season.until("the undisturbed " + job, lambda done=done: os.path.exists(done))
        finally:
            runner.terminate()
            runner.wait()
        disturbed, undisturbed = games_of(DATA + "/contests/%s/play" % self.name), games_of(data + "/contests/%s/play" % self.name)
        if disturbed != undisturbed or not disturbed:
            fail("%s: other games than undisturbed: %d and %d: %s"
                 % (self.name, len(disturbed), len(undisturbed), sorted(set(disturbed.items()) ^ set(undisturbed.items()))[:3]))
        shutil.rmtree(calm)


class Plants:
    """What each check has to find: planted at a quiet moment, found, and taken away."""

    def __init__(self, contest):
        self.season, self.contest = contest.season, contest
        self.home = DATA + "/contests/" + contest.name

    def all(self):
        checks, names = self.season.checks, [name for name in sorted(dir(self)) if name.startswith("plant_")]
        checks.patience = 0.5
        for name in names:
            ledgers, notes = dict(checks.ledgers), {of: list(all_of) for of, all_of in checks.notes.items()}
            undo = getattr(self, name)()
            try:
                checks.all()
            except Broken:
                pass
            else:
                raise SystemExit("no check finds: " + name)
            finally:
                undo()
                checks.ledgers, checks.notes = ledgers, notes
        checks.patience = 60
        checks.all()
        print("%d planted faults, each found" % len(names))

    def changed(self, path, change):
        """The same file with other bytes: what was opened before goes on with it."""
        with open(path, "rb") as file:
            before = file.read()

        def write(data):
            with open(path, "r+b") as file:
                file.write(data)
                file.truncate()
        write(change(before))
        return lambda: write(before)

    def made(self, path):
        with open(path, "w"):
            pass
        return lambda: os.remove(path)

    def stored(self, do, undo):
        def run(sql):
            db = sqlite3.connect(DATA + "/site.db", timeout=30)
            db.execute(sql)
            db.commit()
            db.close()
        run(do)
        return lambda: run(undo)

    def plant_blob_lost(self):
        path = glob.glob(DATA + "/blobs/*/*")[0]
        os.rename(path, WORK + "/blob")
        return lambda: os.rename(WORK + "/blob", path)

    def plant_change_lost(self):
        return self.stored("UPDATE team SET affiliation = affiliation || '!'",
                           "UPDATE team SET affiliation = substr(affiliation, 1, length(affiliation) - 1)")

    def plant_version_lost(self):
        return self.stored("UPDATE version SET blob = 'x' || blob", "UPDATE version SET blob = substr(blob, 2)")

    def plant_ledger_cut(self):
        return self.changed(self.home + "/ledger.jsonl", lambda text: text[:text.rindex(b"\n", 0, -1) + 1])

    def plant_ledger_torn(self):
        return self.changed(self.home + "/ledger.jsonl", lambda text: text + b'{"half')

    def plant_game_twice(self):
        return self.changed(self.home + "/ledger.jsonl",
                            lambda text: text + [line for line in text.splitlines(True) if b'"type":"game"' in line][-1])

    def plant_game_lost(self):
        def without(text):
            lines = text.splitlines(True)
            lines.remove([line for line in lines if b'"record":"game"' in line][-1])
            return b"".join(lines)
        return self.changed(self.home + "/play/journal.jsonl", without)

    def plant_uneven_score(self):
        return self.stored("UPDATE score SET games = games + 1 WHERE team = (SELECT min(team) FROM score)",
                           "UPDATE score SET games = games - 1 WHERE team = (SELECT min(team) FROM score)")

    def plant_checkpoint_back(self):
        notes = self.season.checks.notes[self.contest.name]
        lines = notes[-1].split(b"\n")
        notes.append(b"\n".join([lines[0], b"%d" % (int(lines[1]) + 1)] + lines[2:]))
        return lambda: None

    def plant_job_left(self):
        return self.made(DATA + "/spool/new/01MJM59S00K1RNEZZR0GM0A090.jso")

    def plant_upload_left(self):
        return self.made(DATA + "/incoming/1")

    def plant_temporary_left(self):
        return self.made(self.home + "/contest.yml.tmp")

    def plant_process_left(self):
        process = subprocess.Popen(["bash", "-c", "exec -a %s sleep 1000" % self.season.tag])

        def end():
            process.kill()
            process.wait()
        return end


def games_of(folder):
    """{(stage, set, game): (winner, digest of the log)} of a journal."""
    import gzip
    games = {}
    with open(folder + "/journal.jsonl") as file:
        for line in file:
            entry = json.loads(line)
            if entry["record"] == "game":
                key = (entry["stage"], entry["set"], entry["game"])
                if key in games:
                    fail("game %s is in the journal twice" % (key,))
                with gzip.open(folder + "/" + entry["log"]) as log:
                    games[key] = entry["winner"], hashlib.sha256(log.read()).hexdigest()
    return games


class Storm:
    """Faults, one behind the other, out of the seed."""

    def __init__(self, season):
        self.season, self.random = season, random.Random(season.seed + 1)
        self.thread, self.blows = None, False
        self.stopped = []  # processes that stand still
        self.kinds = {"cut": 8, "repeat": 6, "double": 4, "disk": 14, "kill_server": 2, "kill_runner": 2, "kill_job": 2,
                      "kill_all": 1, "stop": 2, "clock": 4, "mail": 3, "kill_agent": 2, "kill_cell": 1, "stop_agent": 1}
        self.errors = []

    def mails_failed(self):
        try:
            return os.path.getsize(WORK + "/mails/failed") // 3
        except OSError:
            return 0

    def begin(self, contest, agents):
        season = self.season
        left = max(0, season.faults - season.total())
        self.contest, self.agents = contest, agents
        self.goal = min(left, 3 if season.faults < 200 else 60)
        self.begun = season.total()
        self.blows = True
        self.thread = threading.Thread(target=self.blow)
        self.thread.start()

    def last(self):
        """Until as many have fallen as were to fall."""
        end = time.monotonic() + 20
        while self.thread.is_alive() and self.season.total() - self.begun < self.goal and time.monotonic() < end:
            time.sleep(0.02)

    def calm(self):
        self.blows = False
        self.thread.join()
        self.season.page.calm()
        self.wake()
        for path in (WORK + "/mails/fail",):
            if os.path.exists(path):
                os.remove(path)
        self.season.clock.write(self.season.clock.ms)
        if self.errors:
            raise self.errors[0]
        self.season.serving.keep_up()

    def wake(self):
        for pid in self.stopped:
            try:
                os.kill(pid, signal.SIGCONT)
            except OSError:
                pass
        self.stopped = []

    def blow(self):
        names, weights = zip(*self.kinds.items())
        while self.blows and self.season.total() - self.begun < self.goal:
            kind = self.random.choices(names, weights)[0]
            if kind.endswith(("agent", "cell")) and not self.agents:
                continue
            try:
                getattr(self, "fault_" + kind)()
            except (OSError, http.client.HTTPException):
                pass
            except Exception as no:  # of the test itself, or Broken
                self.errors.append(no)
                return
            time.sleep(self.random.random() * 0.02)
            self.season.serving.keep_up(wait=False)

    # ---- processes ----

    def pick(self, *kinds):
        found = [process for kind, process in own_processes(self.season.tag) if kind in kinds]
        return self.random.choice(sorted(found, key=lambda p: p.pid)) if found else None

    def kill(self, kind):
        process = self.pick(kind)
        if process:
            os.kill(process.pid, signal.SIGKILL)
            self.season.count("kill -9 of a " + kind)
        return process

    def fault_kill_server(self):
        with self.season.serving.lock:
            self.season.serving.kill()
            self.season.count("kill -9 of a server")
        if self.random.random() < 0.3:
            time.sleep(self.random.random())  # games go on meanwhile
        self.season.serving.keep_up()

    def fault_kill_runner(self):
        self.kill("runner")

    def fault_kill_job(self):
        self.kill("job")

    def fault_kill_agent(self):
        self.kill("agent")

    def fault_kill_cell(self):
        self.kill("cell")

    def fault_kill_all(self):
        """The power fails, but for what the disk had in its memory."""
        with self.season.serving.lock:
            for _, process in own_processes(self.season.tag):
                try:
                    os.kill(process.pid, signal.SIGKILL)
                except OSError:
                    pass
            self.season.serving.kill()
        self.season.count("kill -9 of all")
        self.season.serving.keep_up()

    def stop_for_a_while(self, *kinds):
        process = self.pick(*kinds)
        if not process:
            return
        os.kill(process.pid, signal.SIGSTOP)
        self.stopped.append(process.pid)
        self.season.count("SIGSTOP of a " + kinds[0])
        time.sleep(self.random.random() * 0.3)
        self.wake()

    def fault_stop(self):
        self.stop_for_a_while(self.random.choice(["server", "runner"]))

    def fault_stop_agent(self):
        self.stop_for_a_while(self.random.choice(["agent", "job"]))

    # ---- disk, clock, mail ----

    def fault_disk(self):
        """For a while calls fail; each that did is a fault."""
        page, most = self.season.page, self.random.choice([1, 2, 4, 8])
        page.set(page.KILL_RATE, self.random.choice([0, 3]))
        page.set(page.LEFT, most)
        if self.random.random() < 0.5:
            page.set(page.STORE_RATE, self.random.choice([3, 10, 50, 200]))
        else:
            page.set(page.DISK_RATE, self.random.choice([2, 5, 20, 100]))
        end = time.monotonic() + 0.1
        while page.get(page.LEFT) > 0 and time.monotonic() < end:
            time.sleep(0.005)
        page.calm()

    def fault_clock(self):
        clock, season = self.season.clock, self.season
        kind = self.random.choice(["on", "back", "none", "words"])
        if kind == "on":
            clock.to(clock.ms + self.random.randrange(1, 600000))
        elif kind == "back":
            clock.write(clock.ms - self.random.randrange(1, 86400000))
        elif kind == "none":
            os.remove(clock.path)
        else:
            with open(clock.path, "w") as file:
                file.write(self.random.choice(["", "now", "2027-", "9999-99-99T99:99:99Z"]))
        season.count("clock " + kind)
        time.sleep(0.02)
        clock.write(clock.ms)

    def fault_mail(self):
        path = WORK + "/mails/fail"
        if os.path.exists(path):
            os.remove(path)
        else:
            with open(path, "w"):
                pass

    # ---- connections ----

    def head(self, who, method, path, length=None):
        lines = ["%s /api/v1/%s HTTP/1.1" % (method, path), "Host: 127.0.0.1", "Origin: " + URL,
                 "X-Forwarded-For: " + self.season.address(), "Content-Type: application/octet-stream"]
        if who.cookie:
            lines += ["Cookie: " + who.cookie, "X-Warg-Token: " + who.csrf]
        if length is not None:
            lines += ["Content-Length: %d" % length]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def cut_off(self, data, reads):
        """Sends so much, reads so much, and is gone."""
        with socket.create_connection(("127.0.0.1", self.season.serving.site.port), timeout=5) as peer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.sendall(data)
            if reads:
                peer.recv(reads)

    def fault_cut(self):
        season, contest = self.season, self.contest
        if getattr(contest, "handed", None) and self.random.random() < 0.6:
            team = self.random.choice(contest.teams)
            who = season.persons[team]
            if self.random.random() < 0.5:
                data = contest.archive(team, " cut %d" % self.random.getrandbits(30))
                path = contest.path("/versions/%s/file" % contest.handed[team])
            else:
                data = bytes(self.random.getrandbits(8) for _ in range(2000)) * 30
                path = contest.path("/teams/%s/documents/source?media=application/zip&licence=MIT" % team)
            request = self.head(who, "PUT", path, len(data) + 1) + data
            self.cut_off(request[:self.random.randrange(10, len(request))], 0)
            season.count("upload cut off")
        else:
            path = self.random.choice(["/ledger", "/teams", "/games", "/events", "/checkpoint", "/standings"])
            self.cut_off(self.head(season.anybody(), "GET", contest.path(path)), self.random.randrange(0, 300))
            season.count("download cut off")

    def change(self):
        """A change that anybody of the contest may make once more: (who, method, path, body)."""
        season, contest = self.season, self.contest
        people = [team for team in contest.teams if team in season.persons]
        if not people:
            return season.organiser, "POST", "contests", {"text": contest.text()}
        team = self.random.choice(people)
        return self.random.choice([
            (season.persons[team], "POST", contest.path("/teams"), {"name": team}),
            (season.persons[team], "PUT", contest.path("/teams/%s/lots/%s" % (team, "final")), {"entry": "0" * 64}),
            (season.organiser, "POST", "contests", {"text": contest.text()}),
            (season.organiser, "POST", contest.path("/rounds"), {})])

    def send(self, change):
        who, method, path, body = change
        person = type(who)(self.season.serving.site, self.season.address())
        person.cookie, person.csrf = who.cookie, who.csrf
        try:
            person.ask(method, path, body)
        except (Refused, OSError, http.client.HTTPException, ValueError):
            pass

    def fault_repeat(self):
        """The same request again, though it was answered."""
        change = self.change()
        self.send(change)
        self.send(change)
        self.season.count("request repeated")

    def fault_double(self):
        """Two at once."""
        change = self.change()
        threads = [threading.Thread(target=self.send, args=(change,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.season.count("two requests at once")


class Checks:
    """What has to be so at each quiet moment."""

    def __init__(self, season):
        self.season, self.acknowledged = season, {}
        self.ledgers, self.notes, self.games = {}, {}, {}
        self.made, self.patience = 0, 60

    def acknowledge(self, key, who, path, holds):
        """What was answered with success: `holds` of GET `path`, from now on."""
        if isinstance(key, str):
            key = (key, path, len(self.acknowledged))
        self.acknowledged[key] = (who, path, holds)

    def all(self):
        self.season.serving.keep_up()
        for name in sorted(dir(self)):
            if name.startswith("check_"):
                getattr(self, name)()
        self.made += 1

    def check_acknowledged(self):
        # Those of contests that are over were looked at when they ended.
        answers = {}
        for key, (who, path, holds) in self.acknowledged.items():
            if (id(who), path) not in answers:
                answers[id(who), path] = self.season.get(who, path)
            if not holds(answers[id(who), path]):
                fail("acknowledged, and lost: %s %s: %s" % (key[0], path, json.dumps(answers[id(who), path])[:1500]))

    def contests(self):
        return self.season.get(self.season.organiser, "contests")["items"]

    def whole_ledger(self, path, name):
        """A line that is being written, or that a fault has cut behind the last checkpoint, is whole at the next turns."""
        end = time.monotonic() + self.patience
        while True:
            with open(path, "rb") as file:
                text = file.read()
            lost = not text.startswith(self.ledgers.get(name, b""))
            if not lost and (not text or text.endswith(b"\n")):
                return text
            if time.monotonic() >= end:
                fail("the ledger of %s has %s" % (name, "lost lines" if lost else "half a line"))
            time.sleep(0.1)

    def check_ledgers(self):
        """What was there is there still; checkpoints only grow; no game is there twice."""
        for contest in self.contests():
            name = contest["name"]
            if contest["state"] in ("DRAFT", "CANCELLED") or name in [done.name for done in self.season.finished]:
                continue
            path = DATA + "/contests/%s/ledger.jsonl" % name
            text = self.whole_ledger(path, name)
            self.ledgers[name] = text
            games = [json.dumps([e.get("stage"), e.get("round"), e.get("set"), e.get("game")])
                     for e in map(json.loads, text.splitlines()) if e["type"] == "game"]
            if len(games) != len(set(games)):
                fail("a game is in the ledger of %s twice" % name)
            note = self.season.get(self.season.anybody(), "contests/%s/checkpoint" % name)
            notes = self.notes.setdefault(name, [])
            if notes and int(note.split(b"\n")[1]) < int(notes[-1].split(b"\n")[1]):
                fail("the checkpoint of %s went back" % name)
            if int(note.split(b"\n")[1]) > len(text.splitlines()):
                fail("the checkpoint of %s signs what the ledger lacks" % name)
            if not notes or notes[-1] != note:
                notes.append(note)

    def check_played(self):
        """Journal, store and ledger have the same games, each once; all have played equally often."""
        done = [contest.name for contest in self.season.finished]
        db = sqlite3.connect("file:%s/site.db?mode=ro" % DATA, uri=True, timeout=30)
        try:
            for name in [c["name"] for c in self.contests() if c["name"] not in done]:
                path = DATA + "/contests/%s/play" % name
                if not os.path.exists(path + "/journal.jsonl"):
                    continue
                played = games_of(path)
                stored = db.execute("SELECT count(*) FROM game JOIN run ON run.id = game.run JOIN contest ON"
                                    " contest.id = run.contest WHERE contest.name = ? AND run.round = 0", (name,)).fetchone()[0]
                entered = sum(e["type"] == "game" for e in map(json.loads, self.ledgers[name].splitlines()))
                if not len(played) == stored == entered:
                    fail("%s: %d games in the journal, %d in the store, %d in the ledger" % (name, len(played), stored, entered))
                for row in db.execute("SELECT stage, count(DISTINCT games) FROM (SELECT score.stage, score.team, sum(score.games) games"
                                      " FROM score JOIN contest ON contest.id = score.contest WHERE contest.name = ?"
                                      " AND score.stage <> 'testing' GROUP BY score.stage, score.team) GROUP BY stage", (name,)):
                    if row[1] > 1:
                        fail("%s: in stage %s not all have played equally often" % (name, row[0]))
        finally:
            db.close()

    def spool_left(self):
        return [path for folder in ("new", "run", "done") for path in glob.glob(DATA + "/spool/%s/*" % folder)]

    def check_files(self):
        """Nothing half made is left."""
        def look():
            left = self.spool_left() + glob.glob(DATA + "/incoming/*") + glob.glob(os.environ["TMPDIR"] + "/*")
            for folder, _, files in os.walk(DATA):
                left += [folder + "/" + name for name in files
                         if ".tmp" in name or name.endswith((".part", ".new"))]
            return left
        # What is just being written, as the runner's beat, is gone at the next look.
        left, end = set(look()), time.monotonic() + self.patience
        while left and time.monotonic() < end:
            time.sleep(0.1)
            left &= set(look())
        if left:
            fail("left: %s" % sorted(left))

    def nothing_runs(self, kinds):
        def look():
            self.running = [(kind, p.pid, p.words) for kind, p in own_processes(self.season.tag) if kind in kinds]
            return not self.running
        end = time.monotonic() + self.patience
        while not look():
            if time.monotonic() > end:
                fail("left running: %s" % self.running)
            time.sleep(0.05)

    def check_processes(self):
        self.nothing_runs(("job", "cell", "agent"))
        end = time.monotonic() + self.patience
        while True:
            found = [kind for kind, _ in own_processes(self.season.tag)]
            if sorted(found) == ["runner", "server"]:
                return
            if time.monotonic() > end:
                fail("not one server and one runner: %s" % [(k, p.pid, p.words) for k, p in own_processes(self.season.tag)])
            self.season.serving.keep_up()
            time.sleep(0.05)


def main():
    faults, seed = int(sys.argv[1]), int(sys.argv[2])
    contests = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    season = Season(faults, seed, contests)
    began = time.monotonic()
    try:
        season.run()
    except (Broken, Refused) as no:
        season.storm.blows = False
        print("seed %d, %s, behind %d faults: %s" % (seed, getattr(season, "doing", "the beginning"), season.total(), no))
        print("jobs: %s" % os.listdir(DATA + "/spool/run"))
        with open(WORK + "/serve.err") as file:
            print(file.read()[-1500:])
        if os.environ.get("SEASON_KEEP"):
            print("kept: %s, server %d" % (WORK, season.serving.process.pid))
            os._exit(1)
        for _, process in own_processes(season.tag):
            try:
                os.kill(process.pid, signal.SIGKILL)
            except OSError:
                pass
        os._exit(1)
    seconds = time.monotonic() - began
    page = season.page
    season.counts["calls to the disk that failed"] = page.get(page.DISK_FAILED)
    season.counts["calls of the store that failed"] = page.get(page.STORE_FAILED)
    season.counts["mails that failed"] = season.storm.mails_failed()
    print("seed %d: %d faults in %.0f s (%.1f a second), %d contests, %d checks of everything, %d starts of the server, %d jobs tried"
          " again by an organiser: nothing lost, double, or left running"
          % (seed, sum(season.counts.values()), seconds, sum(season.counts.values()) / seconds, len(season.finished),
             season.checks.made, season.serving.starts, season.retried))
    print(", ".join("%s: %d" % (what, count) for what, count in sorted(season.counts.items())))


main()
