#!/usr/bin/env python3
"""An agent that tries everything that an agent may not do, from Python, and says what came of it.

    attack.py [-h HOST] -p PORT -n NAME [--game] [--only WHAT,...] [--but WHAT,...] [--list] [OPTION...]

The same options, kinds and lines as attack.c, which tells of them; names that both have are the same attack.
Here are those that Python programs make: the modules that start programs, open files and sockets, and calls of the
kernel by ctypes. Standard library only. To add one: a function with @attack here, and a row in attacks.txt.
"""
import ctypes
import errno
import glob
import json
import mmap
import os
import platform
import signal
import socket
import struct
import sys
import threading
import time

KINDS = ("network", "files", "secrets", "processes", "kernel", "extra", "eater")
PATIENCE = 0.3
SELF = os.path.abspath(__file__)
FOLDER = os.path.dirname(SELF)
VICTIM = FOLDER + "/victim.txt"
ATTACKS = []  # (name, kind, function), in the order in which they are tried
libc = ctypes.CDLL(None, use_errno=True)

# Calls without a function in libc; those from 424 on have one number everywhere.
NUMBERS = {
    "x86_64": {"clone": 56, "add_key": 248, "keyctl": 250, "perf_event_open": 298, "kcmp": 312, "seccomp": 317,
               "bpf": 321, "userfaultfd": 323, "kexec_load": 246, "reboot": 169, "settimeofday": 164,
               "clock_settime": 227},
    "aarch64": {"clone": 220, "add_key": 217, "keyctl": 219, "perf_event_open": 241, "kcmp": 272, "seccomp": 277,
                "bpf": 280, "userfaultfd": 282, "kexec_load": 104, "reboot": 142, "settimeofday": 170,
                "clock_settime": 112},
}.get(platform.machine(), {})
NUMBERS.update(io_uring_setup=425, open_tree=428, fsopen=430, clone3=435, openat2=437, pidfd_getfd=438)


class Skipped(Exception):
    """There is nothing to attack here."""


class TooLong(Exception):
    """It did not come to an end."""


def attack(name, kind):
    def register(function):
        ATTACKS.append((name, kind, function))
        return function
    return register


class Try:
    """One attack: what it was given, what it reached, why it was refused first."""

    def __init__(self, given):
        self.given = given
        self.reached = []
        self.reason = ""

    def reach(self, what):
        self.reached.append(what)

    def refuse(self, why):
        self.reason = self.reason or why

    def each(self, things, way):
        """Calls way(thing) for each; what comes back without an error, and is not False, is a hole."""
        for thing in things:
            try:
                if way(thing) is not False:
                    self.reach(str(thing))
                else:
                    self.refuse("nothing there")
            except (OSError, ValueError) as error:
                self.refuse(reason_of(error))
        self.refuse("nobody else")


def reason_of(error):
    number = getattr(error, "errno", None)
    if isinstance(error, socket.gaierror):
        return "EAI_%d" % abs(number)
    if isinstance(number, int):
        return errno.errorcode.get(number, str(number))
    if isinstance(error, TimeoutError):
        return "ETIMEDOUT"
    return type(error).__name__


def call(result):
    """The result of a function of libc; -1 becomes an exception."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(name, *args):
    if name not in NUMBERS:
        raise Skipped("not on this processor")
    words = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return call(libc.syscall(ctypes.c_long(NUMBERS[name]), *words))


def let_through(way, *args):
    """A call that fails behind the check of rights: another error than a refusal says so."""
    try:
        way(*args)
        return "done"
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EROFS):
            raise
        return "let through to " + reason_of(error)


def apart(t, way):
    """What can't be taken back, in a process of its own where nothing is confined; else here."""
    if not t.given.control:
        return way()
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(2)
        try:
            os.write(writable, ("+" + str(way())).encode())
        except Exception as error:
            os.write(writable, b"-%d" % (getattr(error, "errno", None) or errno.EPERM))
        finally:
            os._exit(0)
    os.close(writable)
    said = os.read(readable, 4096)
    os.close(readable)
    os.waitpid(pid, 0)
    if said[:1] == b"-":
        raise OSError(int(said[1:]), "apart")
    if not said:
        raise OSError(errno.EPERM, "ended")
    return said[1:].decode()


def needs(value, option):
    if not value:
        raise Skipped("no " + option)
    return value


def own_first(t):
    """Whether the first process that is seen is that of an own cell."""
    return not t.given.control and os.getppid() <= 1


def foreign(t):
    """Processes that an agent has no business with."""
    pids = [] if own_first(t) else [os.getppid(), 1]
    return list(dict.fromkeys(pids + t.given.host_pid))


def listed(t):
    """The processes that /proc lists, and those of the test's, without this one."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in dict.fromkeys(pids + t.given.host_pid) if pid != os.getpid()]


# ---- network ----

def connect(family, address, kind=socket.SOCK_STREAM, protocol=0):
    with socket.socket(family, kind, protocol) as sock:
        sock.settimeout(PATIENCE)
        sock.connect(address)
    return address


def host_attack(name, host, family=socket.AF_INET, protocol=0):
    @attack(name, "network")
    def run(t):
        t.each([host], lambda host: connect(family, (host, needs(t.given.host_port, "--host-port")),
                                            protocol=protocol))


host_attack("host-loopback", "127.0.0.1")
host_attack("host-any", "0.0.0.0")
host_attack("loopback6", "::1", socket.AF_INET6)
host_attack("loopback-mapped", "::ffff:127.0.0.1", socket.AF_INET6)
host_attack("mptcp", "127.0.0.1", protocol=262)


@attack("http", "network")
def http(t):
    import http.client
    connection = http.client.HTTPConnection("127.0.0.1", needs(t.given.host_port, "--host-port"), timeout=PATIENCE)
    connection.connect()
    connection.close()
    t.reach("a web server")


@attack("fastopen-sendto", "network")
def fastopen(t):
    with socket.socket() as sock:
        sock.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", needs(t.given.host_port, "--host-port")))
        sock.settimeout(PATIENCE)
        try:
            sock.recv(1)
        except (TimeoutError, ConnectionResetError):
            pass  # somebody took it
    t.reach("connected")


@attack("own-port", "network")
def own_port(t):
    address = (t.given.host, needs(t.given.port, "-p"))
    first = None
    if not t.given.game:
        first = socket.create_connection(address, timeout=PATIENCE)
        time.sleep(0.1)
    try:
        with socket.create_connection(address, timeout=PATIENCE) as second:
            second.settimeout(0.1)
            try:
                second.recv(1)
                t.refuse("closed")
            except TimeoutError:
                t.reach("a second connection")
    finally:
        if first:
            first.close()


@attack("outside", "network")
def outside(t):
    needs(t.given.outside, "--outside")
    t.each([("8.8.8.8", 53)], lambda address: connect(socket.AF_INET, address))


@attack("metadata", "network")
def metadata(t):
    needs(t.given.outside, "--outside")
    t.each([("169.254.169.254", 80)], lambda address: connect(socket.AF_INET, address))


@attack("udp-outside", "network")
def udp_outside(t):
    needs(t.given.outside, "--outside")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"x", ("8.8.8.8", 53))
    t.reach("8.8.8.8:53")


@attack("dns", "network")
def dns(t):
    needs(t.given.outside, "--outside")
    os.environ["RES_OPTIONS"] = "timeout:1 attempts:1"
    try:
        socket.getaddrinfo("example.org", 80)
    finally:
        del os.environ["RES_OPTIONS"]
    t.reach("an address of example.org")


@attack("host-abstract", "network")
def host_abstract(t):
    t.each([needs(t.given.host_abstract, "--host-abstract")], lambda name: connect(socket.AF_UNIX, "\0" + name))


@attack("host-socket", "network")
def host_socket(t):
    t.each([needs(t.given.host_socket, "--host-socket")], lambda path: connect(socket.AF_UNIX, path))


@attack("udp-loopback", "network")
def udp_loopback(t):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("127.0.0.1", needs(t.given.host_port, "--host-port")))
        sock.settimeout(0.1)
        sock.send(b"x")
        try:
            sock.recv(1)  # who is not there is told of
        except TimeoutError:
            pass
    t.reach("a datagram")


def socket_of(family):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind).close()
            return family
        except OSError as error:
            last = error
    raise last


def family_attack(name, families):
    @attack(name, "network")
    def run(t):
        t.each(families, socket_of)


USUAL = {1, 2, 10}
NAMED = {"vsock": 40, "netlink": 16, "packet": 17, "alg": 38}
for word, number in NAMED.items():
    family_attack(word, [number])
family_attack("families", [n for n in range(64) if n not in USUAL and n not in NAMED.values()])


def raw_attack(name, family, kind):
    @attack(name, "network")
    def run(t):
        socket.socket(family, kind, socket.IPPROTO_ICMP).close()
        t.reach("a socket")


raw_attack("raw-icmp", socket.AF_INET, socket.SOCK_RAW)
raw_attack("raw-icmp6", socket.AF_INET6, socket.SOCK_RAW)
raw_attack("ping", socket.AF_INET, socket.SOCK_DGRAM)


@attack("interfaces", "network")
def interfaces(t):
    t.each([name for _, name in socket.if_nameindex() if name != "lo"], str)


@attack("listeners", "network")
def listeners(t):
    wanted = ":%04X " % needs(t.given.host_port, "--host-port")
    with open("/proc/self/net/tcp", encoding="ascii") as lines:
        if any(wanted in line for line in lines):
            t.reach("the listener is listed")


# ---- files ----

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/", "/usr", "/etc", "/agent", "/run", "/proc", "/sys", ".", FOLDER)


def temporary(folder):
    return "%s/attack.%d.tmp" % (folder, os.getpid())


def write_into(folder):
    path = temporary(folder)
    with open(path, "x", encoding="ascii") as file:
        file.write("x")
    os.unlink(path)


def place_attack(name, folders):
    @attack(name, "files")
    def run(t):
        t.each(folders, write_into)


place_attack("write-own", (FOLDER, "/agent", "."))
place_attack("write-usr", ("/usr",))
place_attack("write-tmp", ("/tmp",))
place_attack("write-root", ("/",))
place_attack("write-shm", ("/dev/shm",))
place_attack("write-var-tmp", ("/var/tmp",))
place_attack("write-etc", ("/etc",))
place_attack("write-system", ("/bin", "/lib", "/sbin", "/boot", "/opt", "/var", "/srv", "/mnt", "/root", "/home",
                              "/sys", "/run", "/proc", "/dev", "/usr/bin"))


def make_attack(name, way, undo=os.unlink):
    @attack(name, "files")
    def run(t):
        def make(folder):
            path = temporary(folder)
            way(path)
            undo(path)
        t.each(PLACES, make)


def bind_socket(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(path)


def make_database(path):
    import sqlite3
    try:
        database = sqlite3.connect(path)
        database.execute("create table memo (text)")
        database.close()
    except sqlite3.Error as error:
        raise OSError(errno.EACCES, str(error)) from error


def copy_file(path):
    import shutil
    shutil.copy("/etc/passwd", path)


def log_file(path):
    import logging
    handler = logging.FileHandler(path)
    handler.close()


def compile_file(path):
    import py_compile
    os.stat(os.path.dirname(path))  # it would make the folder
    py_compile.compile(SELF, cfile=path, doraise=True)


make_attack("open-creat", lambda path: os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)))
make_attack("open-append", lambda path: open(path, "ab").close())
make_attack("mkdir", os.mkdir, os.rmdir)
make_attack("symlink", lambda path: os.symlink("/etc/shadow", path))
make_attack("mknod", os.mknod)
make_attack("mknod-device", lambda path: os.mknod(path, 0o20600, os.makedev(1, 3)))
make_attack("mkfifo", os.mkfifo)
make_attack("bind-socket", bind_socket)
make_attack("copy", copy_file)
make_attack("log-file", log_file)
make_attack("sqlite", make_database)
make_attack("bytecode", compile_file)


@attack("tmpfile", "files")
def tmpfile(t):
    import tempfile

    def make(folder):
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    t.each(PLACES, make)


@attack("tempfile", "files")
def named_temporary(t):
    import tempfile
    with tempfile.NamedTemporaryFile() as file:
        t.reach(file.name)
    tempfile.tempdir = None


def change_attack(name, way, others=()):
    """On the file beside the program, and on others that it only opens."""
    @attack(name, "files")
    def run(t):
        t.each((VICTIM,) + others, way)


HOST_FILES = ("/usr/share/common-licenses/GPL-3", "/etc/passwd")


def reopen(path):
    with open(path, "rb") as file:
        os.close(os.open("/proc/self/fd/%d" % file.fileno(), os.O_WRONLY))


def rename(path):
    os.rename(path, path + ".moved")
    os.rename(path + ".moved", path)


def link(path):
    os.link(path, path + ".linked")
    os.unlink(path + ".linked")


def extended(path):
    os.setxattr(path, "user.attack", b"x")
    os.removexattr(path, "user.attack")


def mapped(path):
    with open(path, "r+b") as file:
        mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED).close()


change_attack("open-write", lambda path: open(path, "r+b").close(), HOST_FILES)
change_attack("mmap-write", mapped, HOST_FILES)
change_attack("reopen", reopen, HOST_FILES)
change_attack("truncate", lambda path: os.truncate(path, os.stat(path).st_size))
change_attack("chmod", lambda path: os.chmod(path, os.stat(path).st_mode & 0o7777))
change_attack("chown", lambda path: os.chown(path, os.getuid(), -1))
change_attack("utimes", os.utime)
change_attack("setxattr", extended)
change_attack("rename", rename)
change_attack("link", link)


def restore():
    with open(VICTIM, "w", encoding="ascii") as file:
        file.write("victim\n")


@attack("open-trunc", "files")
def open_trunc(t):
    open(VICTIM, "w", encoding="ascii").close()
    restore()
    t.reach(VICTIM)


@attack("unlink", "files")
def unlink(t):
    os.unlink(VICTIM)
    restore()
    t.reach(VICTIM)


@attack("rmtree", "files")
def rmtree(t):
    import shutil
    try:
        os.mkdir(temporary(FOLDER))
    except OSError as error:
        t.refuse(reason_of(error))
    shutil.rmtree(temporary(FOLDER))
    t.reach("a folder removed")


@attack("write-proc-sys", "files")
def write_proc_sys(t):
    t.each(("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory",
            "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/1/comm"),
           lambda path: os.close(os.open(path, os.O_WRONLY)))


@attack("devices", "files")
def devices(t):
    t.each(("/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/kmsg", "/dev/ptmx", "/dev/console", "/dev/tty"),
           lambda path: os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)))


@attack("shm-open", "files")
def shm_open(t):
    import _posixshmem  # multiprocessing.shared_memory starts a process beside it
    name = "/attack-py-%d" % os.getpid()
    os.close(_posixshmem.shm_open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    _posixshmem.shm_unlink(name)
    t.reach("shared memory by name")


@attack("sem-open", "files")
def sem_open(t):
    import _multiprocessing
    _multiprocessing.SemLock(1, 1, 1, "/attack-py-%d" % os.getpid(), True)
    t.reach("a semaphore by name")


# ---- secrets ----

def can_read(path):
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb", buffering=0) as file:
            file.read(1)


def read_attack(name, paths, kind="secrets"):
    @attack(name, kind)
    def run(t):
        t.each(paths, can_read)


def list_attack(name, paths):
    @attack(name, "secrets")
    def run(t):
        t.each(paths, lambda path: bool(os.listdir(path)))


read_attack("read-shadow", ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private"))
list_attack("read-root", ("/root",))
list_attack("read-home", ("/home",))
list_attack("read-sys", ("/sys",))
list_attack("read-var", ("/var", "/run", "/boot", "/srv", "/mnt", "/media"))
list_attack("read-tmp", ("/tmp",))
read_attack("read-etc", ("/etc/resolv.conf", "/etc/fstab", "/etc/crontab", "/etc/ssh", "/etc/systemd"))
read_attack("machine-id", ("/etc/machine-id", "/var/lib/dbus/machine-id"))


@attack("accounts", "secrets")
def accounts(t):
    import grp
    import pwd
    if len(pwd.getpwall()) > 1 or len(grp.getgrall()) > 1:
        t.reach("accounts of the host")
    t.refuse("one line")


def secret_attack(name, prefixes):
    """prefixes(t): what stands in front of the path, each."""
    @attack(name, "secrets")
    def run(t):
        t.each([prefix + path for prefix in prefixes(t) for path in needs(t.given.secret, "--secret")], can_read)


def seen(t):
    return foreign(t) + ([1] if own_first(t) else [])


secret_attack("secret", lambda t: [""])
secret_attack("secret-dots", lambda t: ["../../../../../../../../../.."])
secret_attack("secret-self-root", lambda t: ["/proc/self/root"])
secret_attack("secret-other-root", lambda t: ["/proc/%d/root" % pid for pid in seen(t)])
secret_attack("secret-other-cwd", lambda t: ["/proc/%d/cwd/../../../../../../../../.." % pid for pid in seen(t)])


def changed_at(path):
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


@attack("secret-walk", "secrets")
def secret_walk(t):
    """Looks for them everywhere, as a program does that knows no path: where something has changed last, first."""
    wanted = {os.path.basename(path) for path in needs(t.given.secret, "--secret")}
    until = time.monotonic() + 2
    for top in ("/tmp", "/var", "/srv", "/run", "/agent", "/"):
        for folder, folders, files in os.walk(top):
            folders[:] = [name for name in folders if folder != "/" or name not in ("proc", "sys", "dev")]
            folders.sort(key=lambda name: changed_at(os.path.join(folder, name)), reverse=True)
            for name in wanted.intersection(files):
                t.each([os.path.join(folder, name)], can_read)
            if time.monotonic() > until or t.reached:
                return


@attack("proc-list", "secrets")
def proc_list(t):
    others = [pid for pid in listed(t) if pid not in t.given.host_pid and not (pid == 1 and own_first(t))]
    if others:
        t.reach("%d other processes are seen" % len(others))
    t.refuse("nobody else")


def process_attack(name, way):
    @attack(name, "secrets")
    def run(t):
        reached = 0
        for pid in listed(t):
            try:
                reached += bool(way(t, pid))
            except OSError as error:
                t.refuse(reason_of(error))
        if reached:
            t.reach("%d processes" % reached)
        t.refuse("nobody else")


def read_of(path):
    with open(path, "rb", buffering=0) as file:
        return file.read(65536)


def command_line(t, pid):
    text = read_of("/proc/%d/cmdline" % pid)
    if pid == 1 and own_first(t):
        return any(os.path.dirname(path).encode() in text for path in t.given.secret)
    return text


process_attack("proc-cmdline", command_line)
process_attack("proc-environ", lambda t, pid: read_of("/proc/%d/environ" % pid))
process_attack("proc-maps", lambda t, pid: read_of("/proc/%d/maps" % pid))
process_attack("proc-fd", lambda t, pid: os.listdir("/proc/%d/fd" % pid))
process_attack("proc-mem", lambda t, pid: os.close(os.open("/proc/%d/mem" % pid, os.O_RDONLY)) is None)


@attack("descriptors", "secrets")
def descriptors(t):
    if t.given.open_fds:
        t.reach("open at the start: " + " ".join(map(str, t.given.open_fds)))
    t.refuse("three")


@attack("stdin", "secrets")
def standard_input(t):
    if os.fstat(0).st_rdev != os.stat("/dev/null").st_rdev:
        t.reach("something else than /dev/null")
    t.refuse("nothing to read")


@attack("environment", "secrets")
def environment(t):
    allowed = {"PATH", "PWD", "HOME", "USER", "LANG", "TZ", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
               "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}
    # What it was at the start: Python sets LC_CTYPE itself.
    given = {text.split(b"=")[0].decode() for text in read_of("/proc/self/environ").split(b"\0") if text}
    for name in sorted(given - allowed):
        t.reach(name)
    t.refuse("the list only")


@attack("host-name", "secrets")
def host_name(t):
    if socket.gethostname() != "agent" or platform.node() != "agent":
        t.reach("the name of the host")
    if os.path.exists("/etc/hostname") and read_of("/etc/hostname").strip() != b"agent":
        t.reach("/etc/hostname")
    t.refuse("agent")


@attack("privileges", "secrets")
def privileges(t):
    if 0 in os.getresuid() + os.getresgid():
        t.reach("root")
    if os.getgroups():
        t.reach("groups")
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    for key in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        if int(status[key], 16):
            t.reach(key)
    if (status.get("NoNewPrivs"), status.get("Seccomp")) != ("1", "2"):
        t.reach("no filter")
    t.refuse("none")


# ---- processes ----

@attack("fork", "processes")
def fork(t):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    t.reach("a process")


@attack("forkpty", "processes")
def forkpty(t):
    import pty
    pid, terminal = pty.fork()
    if pid == 0:
        os._exit(0)
    os.close(terminal)
    os.waitpid(pid, 0)
    t.reach("a process with a terminal")


@attack("posix-spawn", "processes")
def posix_spawn(t):
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    t.reach("a program")


@attack("spawnv", "processes")
def spawnv(t):
    if os.spawnv(os.P_WAIT, "/bin/true", ["true"]) == 0:
        t.reach("a program")


@attack("system", "processes")
def system(t):
    status = os.system("exit 7")
    if status >= 0 and os.waitstatus_to_exitcode(status) == 7:
        t.reach("a shell")
    t.refuse("no shell")


@attack("popen", "processes")
def popen(t):
    with os.popen("echo shell") as pipe:
        if pipe.read() == "shell\n":
            t.reach("a shell")


@attack("subprocess", "processes")
def subprocess_run(t):
    import subprocess
    subprocess.run(["true"], check=True, timeout=2)
    t.reach("a program")


@attack("subprocess-shell", "processes")
def subprocess_shell(t):
    import subprocess
    if subprocess.check_output("echo shell", shell=True, timeout=2) == b"shell\n":
        t.reach("a shell")


@attack("subprocess-session", "processes")
def subprocess_session(t):
    import subprocess
    subprocess.Popen(["true"], start_new_session=True, preexec_fn=os.getpid).wait(2)
    t.reach("a program in a session of its own")


@attack("asyncio", "processes")
def asyncio_process(t):
    import asyncio

    async def run():
        process = await asyncio.create_subprocess_exec("true")
        await process.wait()
    asyncio.run(run())
    t.reach("a program")


def multiprocessing_attack(name, method):
    @attack(name, "processes")
    def run(t):
        import multiprocessing
        process = multiprocessing.get_context(method).Process(target=time.time, daemon=True)
        process.start()
        process.join(2)
        process.kill()
        t.reach("a process")


multiprocessing_attack("multiprocessing", "fork")
multiprocessing_attack("multiprocessing-spawn", "spawn")
multiprocessing_attack("forkserver", "forkserver")


@attack("process-pool", "processes")
def process_pool(t):
    import concurrent.futures
    import multiprocessing
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        pool.submit(time.time).result(2)
    t.reach("a process")


@attack("daemonize", "processes")
def daemonize(t):
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.fork()
        os._exit(0)
    os.waitpid(pid, 0)
    t.reach("a daemon")


@attack("clone-raw", "processes")
def clone_raw(t):
    pid = syscall("clone", int(signal.SIGCHLD), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    t.reach("a process")


@attack("clone3", "processes")
def clone3(t):
    args = struct.pack("8Q", 0, 0, 0, 0, int(signal.SIGCHLD), 0, 0, 0)
    pid = syscall("clone3", ctypes.c_char_p(args), len(args))
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    t.reach("a process")


@attack("kill-parent", "processes")
def kill_parent(t):
    t.each([] if own_first(t) else [os.getppid()], lambda pid: os.kill(pid, 0))


@attack("kill-first", "processes")
def kill_first(t):
    t.each([] if own_first(t) else [1], lambda pid: os.kill(pid, 0))


@attack("kill-foreign", "processes")
def kill_foreign(t):
    t.each(foreign(t), lambda pid: os.kill(pid, 0))


def takes_signal(t, pid):
    if pid == os.getpid() or (pid == 1 and own_first(t)) or os.path.exists("/proc/self/task/%d" % pid):
        return False
    return libc.kill(pid, 0) == 0


@attack("kill-sweep", "processes")
def kill_sweep(t):
    count = sum(takes_signal(t, pid) for pid in range(1, 40000) if libc.kill(pid, 0) == 0)
    if count:
        t.reach("%d processes take a signal" % count)
    t.refuse("nobody")


@attack("kill-group", "processes")
def kill_group(t):
    if os.getpgrp() != os.getpid() or os.getsid(0) != os.getpid():
        t.reach("in the group or session of another")
    t.refuse("a session of its own")


@attack("kill-pidfd", "processes")
def kill_pidfd(t):
    def way(pid):
        fd = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(fd, 0)
        finally:
            os.close(fd)
    t.each(foreign(t), way)


@attack("ptrace", "processes")
def ptrace(t):
    # Nobody has this number: who may trace learns that there is nobody.
    t.reach(let_through(lambda: call(libc.ptrace(0x4206, 0x7ffffff0, None, None))))


@attack("vm-readv", "processes")
def vm_readv(t):
    byte = ctypes.create_string_buffer(1)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(byte), 1)
    there = (ctypes.c_void_p * 2)(16, 1)
    t.each(foreign(t) + [os.getpid()], lambda pid: let_through(
        lambda: call(libc.process_vm_readv(pid, here, ctypes.c_ulong(1), there, ctypes.c_ulong(1), ctypes.c_ulong(0)))))


@attack("pidfd-getfd", "processes")
def pidfd_getfd(t):
    def way(pid):
        fd = os.pidfd_open(pid)
        try:
            os.close(syscall("pidfd_getfd", fd, 0, 0))
        finally:
            os.close(fd)
    t.each(foreign(t) + [os.getpid()], way)


@attack("kcmp", "processes")
def kcmp(t):
    t.each(foreign(t) + [os.getpid()], lambda pid: syscall("kcmp", os.getpid(), pid, 1, 0, 0) >= 0)


@attack("priority-others", "processes")
def priority_others(t):
    t.each(foreign(t), lambda pid: os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid)))


@attack("affinity-others", "processes")
def affinity_others(t):
    t.each(foreign(t), lambda pid: os.sched_setaffinity(pid, os.sched_getaffinity(pid)))


@attack("scheduler-others", "processes")
def scheduler_others(t):
    t.each(foreign(t), lambda pid: os.sched_setscheduler(pid, os.sched_getscheduler(pid), os.sched_getparam(pid)))


@attack("prlimit-others", "processes")
def prlimit_others(t):
    import resource
    t.each(foreign(t), lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE))


@attack("nice", "processes")
def nice(t):
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.nice(-1)
    os.setpriority(os.PRIO_PROCESS, 0, before)
    t.reach("before others")


@attack("realtime", "processes")
def realtime(t):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    t.reach("before all others")


@attack("limits", "processes")
def limits(t):
    import resource
    for name, most in (("NOFILE", 256), ("CORE", 1), ("MEMLOCK", 65536), ("MSGQUEUE", 0), ("CPU", 7201)):
        given = resource.getrlimit(getattr(resource, "RLIMIT_" + name))
        if any(limit == resource.RLIM_INFINITY or limit > most for limit in given):
            t.reach(name)
    t.refuse("all set")


@attack("raise-limits", "processes")
def raise_limits(t):
    import resource

    def way(name):
        number = getattr(resource, "RLIMIT_" + name)
        soft, hard = resource.getrlimit(number)
        if hard == resource.RLIM_INFINITY:
            return False
        resource.setrlimit(number, (soft, hard + 1))
        resource.setrlimit(number, (soft, hard))
        return True
    t.each(("NOFILE", "CORE", "MEMLOCK", "MSGQUEUE", "CPU", "NPROC", "DATA", "FSIZE"), way)


# ---- kernel ----

def simple_attack(name, way, kind="kernel"):
    """way() returns what was reached, or fails."""
    @attack(name, kind)
    def run(t):
        t.reach(str(way()))


def apart_attack(name, way, kind="kernel"):
    @attack(name, kind)
    def run(t):
        t.reach(str(apart(t, way)))


def closed(fd):
    os.close(fd)
    return "a descriptor"


def no_mount():
    return let_through(lambda: call(libc.mount(b"none", FOLDER.encode(), b"nosuchfs", ctypes.c_ulong(0), None)))


def message_queue():
    queue = call(libc.mq_open(b"/attack-py-queue", os.O_RDWR | os.O_CREAT, 0o600, None))
    libc.mq_unlink(b"/attack-py-queue")
    return closed(queue)


def sysv(get, control, *args):
    number = call(getattr(libc, get)(0, *args))
    getattr(libc, control)(number, 0, 0) if control != "semctl" else libc.semctl(number, 0, 0)
    return "number %d" % number


def set_personality():
    before = libc.personality(ctypes.c_ulong(0xffffffff))
    call(libc.personality(ctypes.c_ulong(0x0040000)))
    libc.personality(ctypes.c_ulong(max(before, 0)))
    return "fixed addresses"


def own_filter():
    """One that allows all: ret ALLOW."""
    program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(program)))
    libc.prctl(38, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    call(libc.prctl(22, ctypes.c_ulong(2), head))
    return "a filter of its own"


def lock_of(way):
    def run():
        with open("/usr/bin/env", "rb") as file:
            way(file)
        return "/usr/bin/env"
    return run


def lock_posix(file):
    import fcntl
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def lock_flock(file):
    import fcntl
    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def lock_ofd(file):
    import fcntl
    fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def lease():
    import fcntl
    with open(VICTIM, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return "a lease"


def become(way, *args):
    def run():
        way(*args)
        return way.__name__
    return run


def unshared(flag):
    return lambda: "namespace %d" % call(libc.unshare(flag))


def entered():
    def way():
        with open("/proc/self/ns/uts", "rb") as namespace:
            call(libc.setns(namespace.fileno(), 0))
    return let_through(way)


def new_root():
    os.chroot(".")
    return "another root"


def traced():
    call(libc.ptrace(0, 0, None, None))
    return "traced by the parent"


def never():
    """A time that there is not; libc would not ask the kernel."""
    return let_through(syscall, "clock_settime", 0, ctypes.c_char_p(struct.pack("qq", 0, -1)))


def perf():
    attributes = ctypes.create_string_buffer(struct.pack("IIQQQQQ", 1, 128, 1, 0, 0, 0, 1 << 5 | 1 << 6), 128)
    return closed(syscall("perf_event_open", attributes, 0, -1, -1, 8))


def bpf():
    attributes = ctypes.create_string_buffer(struct.pack("IIIII", 2, 4, 4, 1, 0), 128)
    return closed(syscall("bpf", 0, attributes, 128))


def key():
    syscall("add_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"attack"), ctypes.c_char_p(b"x"), 1, -2)
    return "a key"


def open_handle():
    how = struct.pack("QQQ", os.O_RDWR | os.O_CREAT, 0o600, 0)
    path = temporary(FOLDER)
    fd = syscall("openat2", -100, ctypes.c_char_p(path.encode()), ctypes.c_char_p(how), len(how))
    os.unlink(path)
    return closed(fd)


simple_attack("openat2", open_handle, "files")
simple_attack("mount", no_mount)
simple_attack("umount", lambda: let_through(lambda: call(libc.umount2(FOLDER.encode(), 8))))
simple_attack("fsopen", lambda: closed(syscall("fsopen", ctypes.c_char_p(b"tmpfs"), 0)))
simple_attack("open-tree", lambda: closed(syscall("open_tree", -100, ctypes.c_char_p(b"/"), 1)))
apart_attack("unshare-user", unshared(0x10000000))
apart_attack("unshare-mount", unshared(0x00020000))
apart_attack("unshare-pid", unshared(0x20000000))
apart_attack("unshare-net", unshared(0x40000000))
apart_attack("setns", entered)
simple_attack("bpf", bpf)
simple_attack("perf", perf)
simple_attack("userfaultfd", lambda: closed(syscall("userfaultfd", 1)))
simple_attack("io-uring", lambda: closed(syscall("io_uring_setup", 1, ctypes.create_string_buffer(256))))
simple_attack("add-key", key)
simple_attack("keyctl", lambda: "keyring %d" % syscall("keyctl", 0, -2, 1))
apart_attack("seccomp-prctl", own_filter)
simple_attack("reboot", lambda: let_through(syscall, "reboot", 0x1234, 0x1234, 0, 0))
simple_attack("kexec", lambda: let_through(syscall, "kexec_load", 0, 0, 0, 0xffff))
simple_attack("swapon", lambda: let_through(lambda: call(libc.swapon(b"/nonexistent-attack", 0))))
simple_attack("acct", lambda: let_through(lambda: call(libc.acct(b"/nonexistent-attack"))))
simple_attack("syslog", lambda: "%d bytes" % call(libc.klogctl(10, None, 0)))
simple_attack("settimeofday", lambda: let_through(syscall, "settimeofday", 0, 0))
simple_attack("clock-settime", never)
simple_attack("personality", set_personality)
simple_attack("sethostname", lambda: socket.sethostname(socket.gethostname()) or "the name of the host")
simple_attack("shmget", lambda: sysv("shmget", "shmctl", 4096, 0o1600))
simple_attack("msgget", lambda: sysv("msgget", "msgctl", 0o1600))
simple_attack("semget", lambda: sysv("semget", "semctl", 1, 0o1600))
simple_attack("mq-open", message_queue)
simple_attack("lock", lock_of(lock_posix))
simple_attack("lock-ofd", lock_of(lock_ofd))
simple_attack("flock", lock_of(lock_flock))
simple_attack("lease", lease)
simple_attack("fanotify", lambda: closed(call(libc.fanotify_init(0x200, 0))))
apart_attack("setuid", become(os.setuid, 0))
apart_attack("setgid", become(os.setgid, 0))
apart_attack("setgroups", become(os.setgroups, [0]))
apart_attack("chroot", new_root)
apart_attack("ptrace-me", traced, "processes")


# ---- what only some levels refuse ----

@attack("thread", "extra")
def thread(t):
    started = threading.Thread(target=time.time)
    started.start()
    started.join()
    t.reach("a thread")


@attack("listen", "extra")
def listen(t):
    with socket.create_server(("127.0.0.1", 0)) as server:
        t.reach("port %d" % server.getsockname()[1])


@attack("udp-bind", "extra")
def udp_bind(t):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
    t.reach("bound")


@attack("abstract-bind", "extra")
def abstract_bind(t):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind("\0attack-meets-py")
    t.reach("a name for a socket")


@attack("memfd", "extra")
def memfd(t):
    fd = os.memfd_create("attack")
    os.write(fd, b"x")
    os.close(fd)
    t.reach("a file in memory")


@attack("host-paths", "extra")
def host_paths(t):
    folders = {os.path.dirname(path) for path in needs(t.given.secret, "--secret")}
    for path in ("/proc/self/mountinfo", "/proc/self/maps", "/proc/self/cgroup", "/proc/self/cmdline"):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if any(folder in text for folder in folders):
            t.reach(path)
    t.refuse("no name")


read_attack("boot-id", ("/proc/sys/kernel/random/boot_id",), "extra")


# ---- eaters ----

@attack("eat-memory", "eater")
def eat_memory(t):
    kept = []
    for piece in range(t.given.mib):
        kept.append(bytearray(b"x") * (1 << 20))
        t.reason = "ended at %d MiB" % piece
    t.reach("%d MiB" % t.given.mib)


@attack("eat-shared", "eater")
def eat_shared(t):
    memory = mmap.mmap(-1, t.given.mib << 20)
    for at in range(0, t.given.mib << 20, 4096):
        memory[at] = 1
    memory.close()
    t.reach("%d MiB" % t.given.mib)


@attack("eat-files", "eater")
def eat_files(t):
    import resource
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kept = []
    try:
        while len(kept) < t.given.count:
            kept.append(os.open("/dev/null", os.O_RDONLY))
        t.reach("%d descriptors" % len(kept))
    except OSError as error:
        t.refuse("%s at %d" % (reason_of(error), len(kept)))
    for fd in kept:
        os.close(fd)


@attack("fork-bomb", "eater")
def fork_bomb(t):
    for count in range(t.given.count):
        try:
            pid = os.fork()
        except OSError as error:
            t.refuse(reason_of(error))
            if count:
                t.reach("%d processes" % count)
            return
        if pid == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(t.given.seconds)
            while True:
                signal.pause()
    t.reach("%d processes" % t.given.count)


@attack("thread-bomb", "eater")
def thread_bomb(t):
    for count in range(t.given.count):
        try:
            threading.Thread(target=time.sleep, args=(t.given.seconds,), daemon=True).start()
        except RuntimeError:
            t.refuse("no more at %d" % count)
            return
    t.reach("%d threads" % t.given.count)


@attack("flood-output", "eater")
def flood_output(t):
    for _ in range(t.given.mib << 10):
        os.write(1, b"x" * 1023 + b"\n")
    t.reach("%d MiB" % t.given.mib)


@attack("burn", "eater")
def burn(t):
    until = time.monotonic() + t.given.seconds
    while time.monotonic() < until:
        sum(range(1000))
    t.reach("%d s" % t.given.seconds)


@attack("stop-self", "eater")
def stop_self(t):
    os.kill(os.getpid(), signal.SIGSTOP)
    t.reach("stopped and went on")


@attack("daemons", "eater")
def daemons(t):
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 3)
                os.execv(sys.executable, [sys.executable, SELF, "--only", "hold", "--seconds", str(t.given.seconds),
                                          "--mark", t.given.mark])
            os._exit(0)
        os.waitpid(pid, 0)
    t.reach("3 daemons")


@attack("hold", "eater")
def hold(t):
    time.sleep(t.given.seconds)
    t.reach("%d s" % t.given.seconds)


# ---- one after the other ----

def asked(given, name, kind):
    if name in given.but or kind in given.but:
        return False
    if not given.only:
        return kind not in ("extra", "eater")
    return name in given.only or kind in given.only


def too_long(_signal, _frame):
    raise TooLong


def run_attack(given, name, kind, function):
    t = Try(given)
    word = "refused"
    if kind != "eater":
        signal.alarm(4)
    try:
        function(t)
    except Skipped as why:
        word, t.reason = "skipped", str(why)
    except TooLong:
        t.refuse("no answer in 4 s")
    except Exception as error:  # whatever the attack broke on is what refused it
        t.refuse(reason_of(error))
    signal.alarm(0)
    t.refuse("nothing happened")
    if t.reached:
        word = "HOLE"
    text = ", ".join(t.reached)[:200] if t.reached else t.reason
    if sys.stdout is not None:
        print(name, word, text.replace("\n", " "), flush=True)
    return bool(t.reached)


def run_all(given):
    return any([run_attack(given, *row) for row in ATTACKS if asked(given, row[0], row[1])])


# ---- the game ----

def target(info, request):
    me = info["agent"]
    alive = [int(i) for i, status in info["statusMap"].items() if status == "ALIVE" and int(i) != me]
    if request == "ATTACK":
        alive = [i for i in alive if info["roleMap"].get(str(i)) != "WEREWOLF"]
    return alive[0] if alive else 1


def play(given):
    sock = socket.create_connection((given.host, given.port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    hole, attacked, info = False, False, None
    for line in sock.makefile("r", encoding="utf-8", newline="\n"):
        packet = json.loads(line)
        request = packet["request"]
        info = packet["gameInfo"] or info
        answer = None
        if request == "NAME":
            answer = given.name
        elif request == "ROLE":
            answer = "none"
        elif request == "INITIALIZE" and not attacked:
            attacked = True
            hole = run_all(given)
        elif request in ("TALK", "WHISPER"):
            answer = "Over"
        elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
            answer = '{"agentIdx":%d}' % target(info, request)
        if answer is not None:
            sock.sendall(answer.encode() + b"\n")
    return hole


def options(argv):
    import argparse
    parser = argparse.ArgumentParser(add_help=False)
    words = {"default": [], "type": lambda text: text.split(",")}
    parser.add_argument("-h", dest="host", default="127.0.0.1")
    parser.add_argument("-p", dest="port", type=int, default=0)
    parser.add_argument("-n", dest="name", default="attack")
    parser.add_argument("--only", **words)
    parser.add_argument("--but", **words)
    for flag in ("game", "list", "outside", "control"):
        parser.add_argument("--" + flag, action="store_true")
    for name in ("host-port", "seconds", "mib", "count"):
        parser.add_argument("--" + name, type=int)
    for name in ("host-abstract", "host-socket", "mark"):
        parser.add_argument("--" + name)
    parser.add_argument("--host-pid", type=int, action="append", default=[])
    parser.add_argument("--secret", action="append", default=[])
    parser.set_defaults(seconds=30, mib=2048, count=1000, mark="attack-daemon")
    return parser.parse_args(argv)


def open_descriptors():
    """Those above 2 that the start left; the one that looks for them is gone afterwards."""
    fds = [int(path.rsplit("/", 1)[1]) for path in glob.glob("/proc/self/fd/*")]
    return sorted(fd for fd in fds if fd > 2 and os.path.exists("/proc/self/fd/%d" % fd))


def main():
    open_fds = open_descriptors()
    given = options(sys.argv[1:])
    given.open_fds = open_fds
    if given.list:
        for name, kind, _ in ATTACKS:
            print(name, kind)
        sys.exit(0)
    if not any(asked(given, name, kind) for name, kind, _ in ATTACKS):
        print("attack: --only and --but leave nothing of --list", file=sys.stderr)
        sys.exit(2)
    signal.signal(signal.SIGALRM, too_long)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.exit(3 if (play(given) if given.game else run_all(given)) else 0)


if __name__ == "__main__":
    main()
