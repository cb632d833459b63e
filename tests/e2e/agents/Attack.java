import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An agent that tries everything that an agent may not do, from Java, and says what came of it.
 *
 * <pre>java -cp FOLDER Attack [-h HOST] -p PORT -n NAME [--game] [--only WHAT,...] [--but WHAT,...] [--list] ...</pre>
 *
 * The same options, kinds and lines as attack.c, which tells of them; names that both have are the same attack.
 * Two options more: --host-jvm PID, a Java machine of the test's that may be attached to, and --library PATH, attack.c
 * compiled as a library. Java 17, nothing but its own modules. To add an attack: a method, a row in ATTACKS, and a row in
 * attacks.txt.
 */
public final class Attack {
    private static final int PATIENCE_MS = 300;
    private static final String UP = "../../../../../../../../../..";

    /** What may fail in any way: whatever it breaks on is what refused it. */
    private interface Way {
        void run(Try t) throws Throwable;
    }

    private interface WayTo {
        boolean run(String thing) throws Throwable;
    }

    private record Row(String name, String kind, Way way) {
    }

    private static final class Skipped extends Exception {
        private static final long serialVersionUID = 1;

        Skipped(String why) {
            super(why);
        }
    }

    /** What the command line says. */
    private static final class Given {
        String host = "127.0.0.1", name = "attack", hostAbstract, hostSocket, library, mark = "attack-daemon";
        int port, hostPort, seconds = 30, mib = 2048, count = 1000;
        long hostJvm;
        List<String> only = List.of(), but = List.of();
        final List<String> secrets = new ArrayList<>();
        final List<Long> hostPids = new ArrayList<>();
        boolean game, list, outside, control;
        String folder;

        String victim() {
            return folder + "/victim.txt";
        }
    }

    /** One attack: what it was given, what it reached, why it was refused first. */
    private static final class Try {
        final Given given;
        final List<String> reached = new ArrayList<>();
        String reason = "";

        Try(Given given) {
            this.given = given;
        }

        void reach(String what) {
            reached.add(what);
        }

        void refuse(String why) {
            if (reason.isEmpty())
                reason = why;
        }

        /** What is true, and throws nothing, is a hole. */
        void each(Iterable<String> things, WayTo way) throws Skipped {
            for (String thing : things) {
                try {
                    if (way.run(thing))
                        reach(thing);
                    else
                        refuse("nothing there");
                } catch (Skipped skipped) {
                    throw skipped;
                } catch (Throwable error) {
                    refuse(reasonOf(error));
                }
            }
            refuse("nobody else");
        }
    }

    private static String reasonOf(Throwable error) {
        String said = String.valueOf(error.getMessage());
        Matcher words = Pattern.compile("\\(([^()]*)\\)$|error=\\d+, .*|: ([^:]*)$|^([A-Z][a-z ]*)$").matcher(said);
        String last = words.find() ? words.group().replaceAll("^[(: ]+|[)]$", "") : "";
        return (error.getClass().getSimpleName() + " " + last).strip();
    }

    private static <T> T need(T value, String option) throws Skipped {
        if (value == null || value.equals(0) || value.equals(0L) || value.equals(false))
            throw new Skipped("no " + option);
        return value;
    }

    // ---- processes as they are seen ----

    private static long parent() throws IOException {
        String stat = read("/proc/self/stat");
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[1]);
    }

    private static boolean ownFirst(Try t) throws IOException {
        return !t.given.control && parent() <= 1;
    }

    private static List<Long> foreign(Try t) throws IOException {
        Set<Long> pids = new TreeSet<>(t.given.hostPids);
        if (!ownFirst(t))
            Collections.addAll(pids, parent(), 1L);
        return new ArrayList<>(pids);
    }

    private static List<Long> listed(Try t) throws IOException {
        Set<Long> pids = new TreeSet<>(t.given.hostPids);
        for (String name : names("/proc"))
            if (name.matches("\\d+"))
                pids.add(Long.parseLong(name));
        pids.remove(ProcessHandle.current().pid());
        return new ArrayList<>(pids);
    }

    private static List<String> names(String folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(folder))) {
            for (Path entry : entries)
                names.add(entry.getFileName().toString());
        }
        return names;
    }

    /** Up to 64 KiB; files of /proc have no size. */
    private static String read(String path) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return new String(in.readNBytes(65536), StandardCharsets.ISO_8859_1);
        }
    }

    private static boolean canRead(String path) throws IOException {
        Path file = Path.of(path);
        if (Files.isDirectory(file))
            names(path);
        else
            try (InputStream in = Files.newInputStream(file)) {
                in.read();
            }
        return true;
    }

    // ---- network ----

    private static Way host(String host) {
        return t -> t.each(List.of(host), to -> connect(to, need(t.given.hostPort, "--host-port")));
    }

    private static boolean connect(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MS);
        }
        return true;
    }

    private static void channel(Try t) throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.connect(new InetSocketAddress("127.0.0.1", need(t.given.hostPort, "--host-port")));
        }
        t.reach("127.0.0.1");
    }

    private static void http(Try t) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + need(t.given.hostPort, "--host-port") + "/");
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(PATIENCE_MS);
        connection.connect(); // an answer is not waited for
        connection.disconnect();
        t.reach("a web server");
    }

    private static void ownPort(Try t) throws Exception {
        InetSocketAddress address = new InetSocketAddress(t.given.host, need(t.given.port, "-p"));
        try (Socket first = new Socket(); Socket second = new Socket()) {
            if (!t.given.game) {
                first.connect(address, PATIENCE_MS);
                Thread.sleep(100);
            }
            second.connect(address, PATIENCE_MS);
            second.setSoTimeout(100);
            try {
                second.getInputStream().read();
                t.refuse("closed");
            } catch (SocketTimeoutException stillThere) {
                t.reach("a second connection");
            }
        }
    }

    private static Way outside(String host, int port) {
        return t -> {
            need(t.given.outside, "--outside");
            t.each(List.of(host), to -> connect(to, port));
        };
    }

    private static void udpOutside(Try t) throws Exception {
        need(t.given.outside, "--outside");
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress("8.8.8.8", 53)));
        }
        t.reach("8.8.8.8:53");
    }

    /** How long a lookup takes can't be said here: it is waited for in a thread's place. */
    private static void dns(Try t) throws Exception {
        need(t.given.outside, "--outside");
        Thread lookup = new Thread(() -> {
            try {
                t.reach(InetAddress.getByName("example.org").getHostAddress());
            } catch (IOException error) {
                t.refuse(reasonOf(error));
            }
        });
        lookup.setDaemon(true);
        lookup.start();
        lookup.join(2000);
        t.refuse("no answer in 2 s");
    }

    private static void hostSocket(Try t) throws Exception {
        try (SocketChannel channel = SocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(need(t.given.hostSocket, "--host-socket")));
        }
        t.reach(t.given.hostSocket);
    }

    /** Loopback takes what is sent to nobody, and says so afterwards. */
    private static void udpLoopback(Try t) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", need(t.given.hostPort, "--host-port")));
            socket.setSoTimeout(100);
            socket.send(new DatagramPacket(new byte[1], 1));
            try {
                socket.receive(new DatagramPacket(new byte[1], 1));
            } catch (SocketTimeoutException silence) {
                // somebody took it
            }
        }
        t.reach("a datagram");
    }

    private static void udpChannel(Try t) throws Exception {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress("127.0.0.1", need(t.given.hostPort, "--host-port")));
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(new byte[1]));
            Thread.sleep(50);
            channel.read(ByteBuffer.allocate(1));
        }
        t.reach("a datagram");
    }

    private static void interfaces(Try t) throws Exception {
        for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces()))
            if (!one.isLoopback())
                t.reach(one.getName());
        t.refuse("loopback only");
    }

    private static void listeners(Try t) throws Exception {
        String wanted = String.format(":%04X ", need(t.given.hostPort, "--host-port"));
        if (read("/proc/self/net/tcp").contains(wanted))
            t.reach("the listener is listed");
        t.refuse("not listed");
    }

    // ---- files ----

    private static String temporary(String folder) {
        return folder + "/attack." + ProcessHandle.current().pid() + ".tmp";
    }

    private static boolean writeInto(String folder) throws IOException {
        Path path = Path.of(temporary(folder));
        Files.write(path, new byte[1], StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.delete(path);
        return true;
    }

    private static Way write(String... folders) {
        return t -> t.each(List.of(folders), Attack::writeInto);
    }

    private static void writeOwn(Try t) throws Exception {
        t.each(List.of(t.given.folder, "/agent", "."), Attack::writeInto);
    }

    /** At every place where something might be made; it is removed again. */
    private static Way make(WayTo way) {
        return t -> {
            List<String> places = new ArrayList<>(List.of("/tmp", "/var/tmp", "/dev/shm", "/dev", "/", "/usr", "/etc",
                "/agent", "/run", "/proc", "/sys", "."));
            places.add(t.given.folder);
            t.each(places, place -> {
                String path = temporary(place);
                boolean made = way.run(path);
                Files.deleteIfExists(Path.of(path));
                return made;
            });
        };
    }

    private static boolean createFile(String path) throws IOException {
        return new File(path).createNewFile();
    }

    private static boolean fileWriter(String path) throws IOException {
        try (FileWriter writer = new FileWriter(path)) {
            writer.write("x");
        }
        return true;
    }

    private static boolean randomAccess(String path) throws IOException {
        new RandomAccessFile(path, "rw").close();
        return true;
    }

    private static boolean makeFolder(String path) {
        return new File(path).mkdir();
    }

    private static boolean symlink(String path) throws IOException {
        Files.createSymbolicLink(Path.of(path), Path.of("/etc/shadow"));
        return true;
    }

    private static boolean copy(String path) throws IOException {
        Files.copy(Path.of("/etc/passwd"), Path.of(path));
        return true;
    }

    private static boolean logFile(String path) throws IOException {
        new java.util.logging.FileHandler(path).close();
        return true;
    }

    private static boolean bindSocket(String path) throws IOException {
        try (java.nio.channels.ServerSocketChannel channel =
                java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(path));
        }
        return true;
    }

    private static void tempFile(Try t) throws Exception {
        File file = File.createTempFile("attack", null);
        file.delete();
        t.reach(file.getPath());
    }

    private static void tempFolder(Try t) throws Exception {
        Path folder = Files.createTempDirectory("attack");
        Files.delete(folder);
        t.reach(folder.toString());
    }

    /** Settings of a user, here kept beside the program. */
    private static void preferences(Try t) throws Exception {
        System.setProperty("java.util.prefs.userRoot", t.given.folder);
        java.util.logging.Logger.getLogger("java.util.prefs").setLevel(java.util.logging.Level.OFF);
        java.util.prefs.Preferences node = java.util.prefs.Preferences.userRoot().node("attack");
        node.put("key", "value");
        node.flush();
        node.removeNode();
        java.util.prefs.Preferences.userRoot().flush();
        Path kept = Path.of(t.given.folder, ".java");
        if (!Files.exists(kept))
            t.refuse("nothing kept");
        else
            t.reach(kept.toString());
        deleteTree(kept);
    }

    private static void deleteTree(Path top) throws IOException {
        if (!Files.exists(top))
            return;
        List<Path> all;
        try (java.util.stream.Stream<Path> found = Files.walk(top)) {
            all = found.sorted(Collections.reverseOrder()).collect(Collectors.toList());
        }
        for (Path path : all)
            Files.delete(path);
    }

    /** The Java machine writes it, not Java. */
    private static void heapDump(Try t) throws Exception {
        String path = temporary(t.given.folder) + ".hprof";
        ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(path, true);
        Files.delete(Path.of(path));
        t.reach(path);
    }

    private static void flightRecorder(Try t) throws Exception {
        try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
            recording.start();
            recording.stop();
        }
        t.reach("a recording");
    }

    /** On the file beside the program. */
    private static Way change(WayTo way) {
        return t -> t.each(List.of(t.given.victim()), way);
    }

    /** On that, and on others, too: they are only opened. */
    private static Way open(WayTo way) {
        return t -> t.each(List.of(t.given.victim(), "/usr/share/common-licenses/GPL-3", "/etc/passwd"), way);
    }

    private static boolean openWrite(String path) throws IOException {
        // No CREATE: a file that is not there stays so.
        FileChannel.open(Path.of(path), StandardOpenOption.WRITE).close();
        return true;
    }

    private static boolean mapWrite(String path) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 1);
        }
        return true;
    }

    private static boolean truncate(String path) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size());
        }
        return true;
    }

    private static boolean chmod(String path) throws IOException {
        Files.setPosixFilePermissions(Path.of(path), Files.getPosixFilePermissions(Path.of(path)));
        return true;
    }

    private static boolean chown(String path) throws IOException {
        Files.setOwner(Path.of(path), Files.getOwner(Path.of(path)));
        return true;
    }

    private static boolean utimes(String path) {
        return new File(path).setLastModified(System.currentTimeMillis());
    }

    private static boolean setxattr(String path) throws IOException {
        UserDefinedFileAttributeView view =
            Files.getFileAttributeView(Path.of(path), UserDefinedFileAttributeView.class);
        view.write("attack", ByteBuffer.wrap(new byte[1]));
        view.delete("attack");
        return true;
    }

    private static boolean rename(String path) {
        File file = new File(path), moved = new File(path + ".moved");
        return file.renameTo(moved) && moved.renameTo(file);
    }

    private static boolean link(String path) throws IOException {
        Path linked = Path.of(path + ".linked");
        Files.createLink(linked, Path.of(path));
        Files.delete(linked);
        return true;
    }

    private static void openTrunc(Try t) throws Exception {
        new FileOutputStream(t.given.victim()).close();
        Files.writeString(Path.of(t.given.victim()), "victim\n");
        t.reach(t.given.victim());
    }

    private static void unlink(Try t) throws Exception {
        Files.delete(Path.of(t.given.victim()));
        Files.writeString(Path.of(t.given.victim()), "victim\n");
        t.reach(t.given.victim());
    }

    private static Way writeTo(String... paths) {
        return t -> t.each(List.of(paths), Attack::openWrite);
    }

    // ---- secrets ----

    private static Way readEach(String... paths) {
        return t -> t.each(List.of(paths), Attack::canRead);
    }

    private static Way listEach(String... folders) {
        return t -> t.each(List.of(folders), folder -> !names(folder).isEmpty());
    }

    private static void accounts(Try t) throws Exception {
        for (String path : List.of("/etc/passwd", "/etc/group"))
            if (Files.exists(Path.of(path)) && Files.readAllLines(Path.of(path)).size() > 1)
                t.reach(path + " of the host");
        t.refuse("one line");
    }

    /** Behind a prefix; where it has *, by each process that is not the own. */
    private static Way secrets(String prefix) {
        return t -> {
            List<String> prefixes = new ArrayList<>(), paths = new ArrayList<>();
            if (t.given.secrets.isEmpty())
                throw new Skipped("no --secret");
            if (!prefix.contains("*"))
                prefixes.add(prefix);
            else
                for (long pid : foreign(t))
                    prefixes.add(prefix.replace("*", Long.toString(pid)));
            if (prefix.contains("*") && ownFirst(t))
                prefixes.add(prefix.replace("*", "1"));
            for (String before : prefixes)
                for (String secret : t.given.secrets)
                    paths.add(before + secret);
            t.each(paths, Attack::canRead);
        };
    }

    private static void watch(Try t) throws Exception {
        if (t.given.secrets.isEmpty())
            throw new Skipped("no --secret");
        try (WatchService service = Path.of("/").getFileSystem().newWatchService()) {
            t.each(t.given.secrets, secret -> {
                Path.of(secret).getParent().register(service, StandardWatchEventKinds.ENTRY_CREATE);
                return true;
            });
        }
    }

    private static void procList(Try t) throws Exception {
        boolean own = ownFirst(t);
        long others = listed(t).stream().filter(pid -> !t.given.hostPids.contains(pid) && !(pid == 1 && own)).count();
        if (others > 0)
            t.reach(others + " other processes are seen");
        t.refuse("nobody else");
    }

    private static void processHandles(Try t) throws Exception {
        boolean own = ownFirst(t);
        long me = ProcessHandle.current().pid();
        long others = ProcessHandle.allProcesses().filter(p -> p.pid() != me && !(p.pid() == 1 && own)).count();
        if (others > 0)
            t.reach(others + " other processes are seen");
        t.refuse("nobody else");
    }

    private static Way processes(String file) {
        return t -> {
            boolean own = ownFirst(t);
            int reached = 0;
            for (long pid : listed(t)) {
                try {
                    String path = "/proc/" + pid + "/" + file, text = file.equals("fd") ? "" : read(path);
                    if (file.equals("fd"))
                        reached += names(path).size() >= 0 ? 1 : 0;
                    else if (pid != 1 || !own || !file.equals("cmdline"))
                        reached += text.isEmpty() ? 0 : 1;
                } catch (IOException error) {
                    t.refuse(reasonOf(error));
                }
            }
            if (reached > 0)
                t.reach(reached + " processes");
            t.refuse("nobody else");
        };
    }

    private static void processMemory(Try t) throws Exception {
        List<String> paths = new ArrayList<>();
        for (long pid : listed(t))
            paths.add("/proc/" + pid + "/mem");
        t.each(paths, path -> {
            Files.newInputStream(Path.of(path)).close();
            return true;
        });
    }

    /** But for what the Java machine itself opens. */
    private static void descriptors(Try t) throws Exception {
        String home = System.getProperty("java.home");
        for (String name : names("/proc/self/fd")) {
            if (Integer.parseInt(name) <= 2)
                continue;
            try {
                String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + name)).toString();
                if (!target.startsWith("/proc/") && !target.startsWith(home) && !target.startsWith(t.given.folder)
                    && !target.startsWith("/dev/random") && !target.startsWith("/dev/urandom")
                    && !target.startsWith("anon_inode") && !target.startsWith("socket:"))
                    t.reach(name + " is " + target);
            } catch (IOException gone) {
                t.refuse(reasonOf(gone));
            }
        }
        t.refuse("three");
    }

    private static void standardInput(Try t) throws Exception {
        if (!Files.isSameFile(Path.of("/proc/self/fd/0"), Path.of("/dev/null")))
            t.reach("something else than /dev/null");
        t.refuse("nothing to read");
    }

    private static void environment(Try t) {
        Set<String> names = new TreeSet<>(System.getenv().keySet());
        names.removeAll(Set.of("PATH", "PWD", "JAVA_TOOL_OPTIONS", "HOME", "USER", "LANG", "TZ", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
            "MKL_NUM_THREADS"));
        names.forEach(t::reach);
        t.refuse("the list only");
    }

    private static void hostName(Try t) throws Exception {
        if (!read("/proc/sys/kernel/hostname").strip().equals("agent"))
            t.reach("the name of the host");
        if (Files.exists(Path.of("/etc/hostname")) && !read("/etc/hostname").strip().equals("agent"))
            t.reach("/etc/hostname");
        t.refuse("agent");
    }

    private static void privileges(Try t) throws Exception {
        String status = read("/proc/self/status");
        if (Pattern.compile("(?m)^[UG]id:.*\\t0(\\t|$)").matcher(status).find())
            t.reach("root");
        for (String key : List.of("CapInh", "CapPrm", "CapEff", "CapAmb"))
            if (!status.contains(key + ":\t0000000000000000"))
                t.reach(key);
        if (!status.contains("NoNewPrivs:\t1") || !status.contains("Seccomp:\t2"))
            t.reach("no filter");
        t.refuse("none");
    }

    // ---- processes ----

    private static void finish(Try t, Process process, String what) throws InterruptedException {
        if (!process.waitFor(2, TimeUnit.SECONDS))
            process.destroyForcibly();
        t.reach(what);
    }

    private static void runtimeExec(Try t) throws Exception {
        finish(t, Runtime.getRuntime().exec("true"), "a program");
    }

    private static Way program(String... words) {
        return t -> finish(t, new ProcessBuilder(words).start(), "a program");
    }

    private static void pipeline(Try t) throws Exception {
        for (Process one : ProcessBuilder.startPipeline(List.of(new ProcessBuilder("true"), new ProcessBuilder("true"))))
            finish(t, one, "a program");
    }

    private static void inheritIo(Try t) throws Exception {
        finish(t, new ProcessBuilder("true").inheritIO().start(), "a program with our output");
    }

    private static native int nativeFork();

    private static void nativeFork(Try t) throws Exception {
        System.load(need(t.given.library, "--library"));
        int pid = nativeFork();
        if (pid > 0)
            t.reach("a process");
        t.refuse("error " + -pid);
    }

    private static void handles(Try t) throws Exception {
        List<String> pids = new ArrayList<>();
        for (long pid : foreign(t))
            pids.add(Long.toString(pid));
        t.each(pids, pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent());
    }

    private static void attachList(Try t) throws Exception {
        String me = Long.toString(ProcessHandle.current().pid());
        for (com.sun.tools.attach.VirtualMachineDescriptor one : com.sun.tools.attach.VirtualMachine.list())
            if (!one.id().equals(me))
                t.reach("machine " + one.id());
        t.refuse("nobody else");
    }

    /** Only to a Java machine of the test's: another program would be ended by the signal. */
    private static void attach(Try t) throws Exception {
        String pid = Long.toString(need(t.given.hostJvm, "--host-jvm"));
        com.sun.tools.attach.VirtualMachine machine = com.sun.tools.attach.VirtualMachine.attach(pid);
        machine.detach();
        t.reach("machine " + pid);
    }

    // ---- kernel ----

    private static void lock(Try t) throws Exception {
        try (FileChannel channel = FileChannel.open(Path.of("/usr/bin/env"), StandardOpenOption.READ)) {
            if (channel.tryLock(0, Long.MAX_VALUE, true) != null)
                t.reach("/usr/bin/env");
        }
    }

    // ---- what only some levels refuse ----

    private static void thread(Try t) throws Exception {
        Thread thread = new Thread(() -> t.reach("a thread"));
        thread.start();
        thread.join();
    }

    private static void pool(Try t) throws Exception {
        var pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> t.reach("a thread")).get();
        pool.shutdown();
    }

    private static void forkJoin(Try t) throws Exception {
        ForkJoinPool.commonPool().submit(() -> t.reach("a thread")).get();
    }

    private static void listen(Try t) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            t.reach("port " + server.getLocalPort());
        }
    }

    private static void udpBind(Try t) throws Exception {
        new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)).close();
        t.reach("bound");
    }

    private static void hostPaths(Try t) throws Exception {
        if (t.given.secrets.isEmpty())
            throw new Skipped("no --secret");
        t.each(List.of("/proc/self/mountinfo", "/proc/self/maps", "/proc/self/cgroup", "/proc/self/cmdline"), path -> {
            String text = read(path);
            return t.given.secrets.stream().anyMatch(secret -> text.contains(new File(secret).getParent()));
        });
    }

    // ---- eaters ----

    private static final List<Object> KEPT = new ArrayList<>();

    private static void eatMemory(Try t) {
        int piece = 0;
        try {
            for (; piece < t.given.mib; piece++)
                KEPT.add(new byte[1 << 20]);
            t.reach(piece + " MiB");
        } catch (OutOfMemoryError error) {
            KEPT.clear();
            t.refuse("OutOfMemoryError at " + piece + " MiB");
        }
    }

    /** Past the heap's limit. */
    private static void eatDirect(Try t) {
        int piece = 0;
        try {
            for (; piece < t.given.mib; piece++) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
                for (int at = 0; at < 1 << 20; at += 4096)
                    buffer.put(at, (byte) 1);
                KEPT.add(buffer);
            }
            t.reach(piece + " MiB");
        } catch (OutOfMemoryError error) {
            KEPT.clear();
            t.refuse("OutOfMemoryError at " + piece + " MiB");
        }
    }

    private static void eatFiles(Try t) throws Exception {
        List<InputStream> open = new ArrayList<>();
        try {
            while (open.size() < t.given.count)
                open.add(Files.newInputStream(Path.of("/dev/null")));
            t.reach(open.size() + " descriptors");
        } catch (IOException error) {
            t.refuse(reasonOf(error) + " at " + open.size());
        }
        for (InputStream one : open)
            one.close();
    }

    private static void forkBomb(Try t) {
        int count = 0;
        try {
            for (; count < t.given.count; count++)
                new ProcessBuilder("sleep", Integer.toString(t.given.seconds)).start();
        } catch (IOException error) {
            t.refuse(reasonOf(error));
        }
        if (count > 0)
            t.reach(count + " processes");
    }

    private static void threadBomb(Try t) {
        int count = 0;
        try {
            for (; count < t.given.count; count++) {
                Thread thread = new Thread(() -> pause(t.given.seconds));
                thread.setDaemon(true);
                thread.start();
            }
            t.reach(count + " threads");
        } catch (OutOfMemoryError error) {
            t.refuse("no more at " + count);
        }
    }

    private static void pause(int seconds) {
        try {
            Thread.sleep(1000L * seconds);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static void floodOutput(Try t) {
        String line = "x".repeat(1023);
        for (int i = 0; i < t.given.mib << 10; i++)
            System.out.println(line);
        t.reach(t.given.mib + " MiB");
    }

    private static void burn(Try t) {
        long until = System.nanoTime() + t.given.seconds * 1_000_000_000L, sum = 0;
        while (System.nanoTime() < until)
            sum += until % 7;
        t.reach(t.given.seconds + " s" + (sum < 0 ? "!" : ""));
    }

    private static void daemons(Try t) throws Exception {
        for (int i = 0; i < 3; i++)
            new ProcessBuilder("setsid", "sh", "-c", "(sleep " + t.given.seconds + "; : " + t.given.mark + ") &").start();
        t.reach("3 daemons");
    }

    private static void hold(Try t) {
        pause(t.given.seconds);
        t.reach(t.given.seconds + " s");
    }

    // ---- one after the other ----

    private static final List<Row> ATTACKS = List.of(
        new Row("host-loopback", "network", host("127.0.0.1")),
        new Row("host-any", "network", host("0.0.0.0")),
        new Row("loopback6", "network", host("::1")),
        new Row("channel", "network", Attack::channel),
        new Row("http", "network", Attack::http),
        new Row("own-port", "network", Attack::ownPort),
        new Row("outside", "network", outside("8.8.8.8", 53)),
        new Row("metadata", "network", outside("169.254.169.254", 80)),
        new Row("udp-outside", "network", Attack::udpOutside),
        new Row("dns", "network", Attack::dns),
        new Row("host-socket", "network", Attack::hostSocket),
        new Row("udp-loopback", "network", Attack::udpLoopback),
        new Row("udp-channel", "network", Attack::udpChannel),
        new Row("interfaces", "network", Attack::interfaces),
        new Row("listeners", "network", Attack::listeners),

        new Row("write-own", "files", Attack::writeOwn),
        new Row("write-usr", "files", write("/usr")),
        new Row("write-tmp", "files", write("/tmp")),
        new Row("write-root", "files", write("/")),
        new Row("write-shm", "files", write("/dev/shm")),
        new Row("write-var-tmp", "files", write("/var/tmp")),
        new Row("write-etc", "files", write("/etc")),
        new Row("write-system", "files", write("/bin", "/lib", "/sbin", "/boot", "/opt", "/var", "/srv", "/mnt", "/root",
            "/home", "/sys", "/run", "/proc", "/dev", "/usr/bin")),
        new Row("open-creat", "files", make(Attack::createFile)),
        new Row("file-writer", "files", make(Attack::fileWriter)),
        new Row("random-access", "files", make(Attack::randomAccess)),
        new Row("mkdir", "files", make(Attack::makeFolder)),
        new Row("symlink", "files", make(Attack::symlink)),
        new Row("copy", "files", make(Attack::copy)),
        new Row("log-file", "files", make(Attack::logFile)),
        new Row("bind-socket", "files", make(Attack::bindSocket)),
        new Row("tempfile", "files", Attack::tempFile),
        new Row("temp-folder", "files", Attack::tempFolder),
        new Row("preferences", "files", Attack::preferences),
        new Row("heap-dump", "files", Attack::heapDump),
        new Row("flight-recorder", "files", Attack::flightRecorder),
        new Row("open-write", "files", open(Attack::openWrite)),
        new Row("mmap-write", "files", open(Attack::mapWrite)),
        new Row("truncate", "files", change(Attack::truncate)),
        new Row("chmod", "files", change(Attack::chmod)),
        new Row("chown", "files", change(Attack::chown)),
        new Row("utimes", "files", change(Attack::utimes)),
        new Row("setxattr", "files", change(Attack::setxattr)),
        new Row("rename", "files", change(Attack::rename)),
        new Row("link", "files", change(Attack::link)),
        new Row("open-trunc", "files", Attack::openTrunc),
        new Row("unlink", "files", Attack::unlink),
        new Row("write-proc-sys", "files", writeTo("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
            "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/1/comm")),
        new Row("devices", "files", writeTo("/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/kmsg", "/dev/ptmx")),

        new Row("read-shadow", "secrets", readEach("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private")),
        new Row("read-root", "secrets", listEach("/root")),
        new Row("read-home", "secrets", listEach("/home")),
        new Row("read-sys", "secrets", listEach("/sys")),
        new Row("read-var", "secrets", listEach("/var", "/run", "/boot", "/srv", "/mnt", "/media")),
        new Row("read-tmp", "secrets", listEach("/tmp")),
        new Row("read-etc", "secrets", readEach("/etc/resolv.conf", "/etc/fstab", "/etc/crontab",
            "/etc/ssh", "/etc/systemd")),
        new Row("machine-id", "secrets", readEach("/etc/machine-id", "/var/lib/dbus/machine-id")),
        new Row("accounts", "secrets", Attack::accounts),
        new Row("secret", "secrets", secrets("")),
        new Row("secret-dots", "secrets", secrets(UP)),
        new Row("secret-self-root", "secrets", secrets("/proc/self/root")),
        new Row("secret-other-root", "secrets", secrets("/proc/*/root")),
        new Row("secret-other-cwd", "secrets", secrets("/proc/*/cwd/" + UP)),
        new Row("watch-service", "secrets", Attack::watch),
        new Row("proc-list", "secrets", Attack::procList),
        new Row("process-handles", "secrets", Attack::processHandles),
        new Row("proc-cmdline", "secrets", processes("cmdline")),
        new Row("proc-environ", "secrets", processes("environ")),
        new Row("proc-maps", "secrets", processes("maps")),
        new Row("proc-fd", "secrets", processes("fd")),
        new Row("proc-mem", "secrets", Attack::processMemory),
        new Row("descriptors", "secrets", Attack::descriptors),
        new Row("stdin", "secrets", Attack::standardInput),
        new Row("environment", "secrets", Attack::environment),
        new Row("host-name", "secrets", Attack::hostName),
        new Row("privileges", "secrets", Attack::privileges),

        new Row("runtime-exec", "processes", Attack::runtimeExec),
        new Row("process-builder", "processes", program("true")),
        new Row("process-shell", "processes", program("sh", "-c", "true")),
        new Row("process-pipeline", "processes", Attack::pipeline),
        new Row("process-inherit", "processes", Attack::inheritIo),
        new Row("daemonize", "processes", program("setsid", "true")),
        new Row("native-fork", "processes", Attack::nativeFork),
        new Row("handle-foreign", "processes", Attack::handles),
        new Row("attach-list", "processes", Attack::attachList),
        new Row("attach", "processes", Attack::attach),

        new Row("lock", "kernel", Attack::lock),

        new Row("thread", "extra", Attack::thread),
        new Row("thread-pool", "extra", Attack::pool),
        new Row("fork-join", "extra", Attack::forkJoin),
        new Row("listen", "extra", Attack::listen),
        new Row("udp-bind", "extra", Attack::udpBind),
        new Row("host-paths", "extra", Attack::hostPaths),
        new Row("boot-id", "extra", readEach("/proc/sys/kernel/random/boot_id")),

        new Row("eat-memory", "eater", Attack::eatMemory),
        new Row("eat-direct", "eater", Attack::eatDirect),
        new Row("eat-files", "eater", Attack::eatFiles),
        new Row("fork-bomb", "eater", Attack::forkBomb),
        new Row("thread-bomb", "eater", Attack::threadBomb),
        new Row("flood-output", "eater", Attack::floodOutput),
        new Row("burn", "eater", Attack::burn),
        new Row("daemons", "eater", Attack::daemons),
        new Row("hold", "eater", Attack::hold));

    private static boolean asked(Given given, Row row) {
        if (given.but.contains(row.name) || given.but.contains(row.kind))
            return false;
        if (given.only.isEmpty())
            return !row.kind.equals("extra") && !row.kind.equals("eater");
        return given.only.contains(row.name) || given.only.contains(row.kind);
    }

    private static boolean runAttack(Given given, Row row) {
        Try t = new Try(given);
        String word = "refused";
        try {
            row.way.run(t);
        } catch (Skipped why) {
            word = "skipped";
            t.reason = why.getMessage();
        } catch (Throwable error) {
            t.refuse(reasonOf(error));
        }
        t.refuse("nothing happened");
        String text = t.reached.isEmpty() ? t.reason : String.join(", ", t.reached);
        text = text.replace('\n', ' ');
        System.out.println(row.name + " " + (t.reached.isEmpty() ? word : "HOLE") + " "
            + text.substring(0, Math.min(text.length(), 200)));
        System.out.flush();
        return !t.reached.isEmpty();
    }

    private static boolean runAll(Given given) {
        boolean hole = false;
        for (Row row : ATTACKS)
            if (asked(given, row))
                hole |= runAttack(given, row);
        return hole;
    }

    // ---- the game ----

    private static String find(String pattern, String packet) {
        Matcher found = Pattern.compile(pattern).matcher(packet);
        return found.find() ? found.group(1) : "";
    }

    private static String target(String packet, boolean attack) {
        String me = find("\"gameInfo\":\\{\"agent\":(\\d+)", packet);
        String roles = find("\"roleMap\":\\{([^}]*)\\}", packet);
        Matcher alive = Pattern.compile("\"(\\d+)\":\"ALIVE\"").matcher(find("\"statusMap\":\\{([^}]*)\\}", packet));
        while (alive.find()) {
            String agent = alive.group(1);
            if (!agent.equals(me) && !(attack && roles.contains("\"" + agent + "\":\"WEREWOLF\"")))
                return "{\"agentIdx\":" + agent + "}";
        }
        return "{\"agentIdx\":1}";
    }

    /** null: no answer is wanted. */
    private static String answer(Given given, String packet, String request) {
        return switch (request) {
            case "NAME" -> given.name;
            case "ROLE" -> "none";
            case "TALK", "WHISPER" -> "Over";
            case "VOTE", "DIVINE", "GUARD", "ATTACK" -> target(packet, request.equals("ATTACK"));
            default -> null;
        };
    }

    private static boolean play(Given given) throws IOException {
        boolean hole = false, attacked = false;
        try (Socket socket = new Socket(given.host, given.port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            var lines = new java.io.BufferedReader(
                new java.io.InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String packet; (packet = lines.readLine()) != null;) {
                String request = find("\"request\":\"([A-Z_]*)\"", packet);
                if (request.equals("INITIALIZE") && !attacked) {
                    attacked = true;
                    hole = runAll(given);
                }
                String said = answer(given, packet, request);
                if (said != null)
                    out.write((said + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return hole;
    }

    // ---- the command line ----

    private static boolean takeFlag(Given given, String option) {
        switch (option) {
            case "--game" -> given.game = true;
            case "--list" -> given.list = true;
            case "--outside" -> given.outside = true;
            case "--control" -> given.control = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void takeOption(Given given, String option, String value) {
        switch (option) {
            case "-h" -> given.host = value;
            case "-p" -> given.port = Integer.parseInt(value);
            case "-n" -> given.name = value;
            case "--only" -> given.only = List.of(value.split(","));
            case "--but" -> given.but = List.of(value.split(","));
            case "--host-port" -> given.hostPort = Integer.parseInt(value);
            case "--host-abstract" -> given.hostAbstract = value; // Java has no name for it
            case "--host-socket" -> given.hostSocket = value;
            case "--host-pid" -> given.hostPids.add(Long.parseLong(value));
            case "--host-jvm" -> given.hostJvm = Long.parseLong(value);
            case "--library" -> given.library = value;
            case "--secret" -> given.secrets.add(value);
            case "--seconds" -> given.seconds = Integer.parseInt(value);
            case "--mib" -> given.mib = Integer.parseInt(value);
            case "--count" -> given.count = Integer.parseInt(value);
            case "--mark" -> given.mark = value;
            default -> throw new IllegalArgumentException("attack: no option " + option);
        }
    }

    private static Given options(String[] words) throws Exception {
        Given given = new Given();
        given.folder = Path.of(Attack.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        if (!Files.isDirectory(Path.of(given.folder), LinkOption.NOFOLLOW_LINKS))
            given.folder = Path.of(given.folder).getParent().toString();
        for (int i = 0; i < words.length; i++)
            if (!takeFlag(given, words[i]))
                takeOption(given, words[i], words[++i]);
        return given;
    }

    public static void main(String[] words) throws Exception {
        Given given = options(words);
        if (given.list) {
            for (Row row : ATTACKS)
                System.out.println(row.name + " " + row.kind);
            return;
        }
        if (ATTACKS.stream().noneMatch(row -> asked(given, row))) {
            System.err.println("attack: --only and --but leave nothing of --list");
            System.exit(2);
        }
        System.exit((given.game ? play(given) : runAll(given)) ? 3 : 0);
    }
}
