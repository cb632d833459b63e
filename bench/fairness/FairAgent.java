/* FairAgent.java - an agent of the protocol division that computes a little for each answer.
 *
 * java FairAgent -h HOST -p PORT -n NAME [--work MS] [--guilty sleep|burn MS GAME]
 * A second thread reads, as in many Java agents; with --guilty it sleeps or computes for MS at one
 * vote of game GAME (from 0).
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class FairAgent {
    static final Pattern REQUEST = Pattern.compile("\"request\":\"([A-Z_]+)\"");
    static final Pattern ALIVE = Pattern.compile("\"([0-9]+)\":\"ALIVE\"");
    static long found;

    /* Computes for so many milliseconds of this thread's own time. */
    static void work(long ms) {
        var threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long until = threads.getCurrentThreadCpuTime() + ms * 1_000_000;
        while (threads.getCurrentThreadCpuTime() < until) {
            var list = new java.util.ArrayList<Long>();
            for (int i = 0; i < 500; i++)
                list.add(found * 31 + i);
            for (long x : list)
                found ^= x * x;
        }
    }

    public static void main(String[] args) throws Exception {
        String host = "127.0.0.1", name = "java", guilty = "";
        int port = 10000, work = 5, guiltyMs = 0, guiltyGame = 0, game = -1;
        for (int i = 0; i < args.length; i++)
            switch (args[i]) {
            case "-h": host = args[++i]; break;
            case "-p": port = Integer.parseInt(args[++i]); break;
            case "-n": name = args[++i]; break;
            case "--work": work = Integer.parseInt(args[++i]); break;
            case "--guilty":
                guilty = args[++i];
                guiltyMs = Integer.parseInt(args[++i]);
                guiltyGame = Integer.parseInt(args[++i]);
                break;
            }
        var socket = new Socket(host, port);
        socket.setTcpNoDelay(true);
        var lines = new LinkedBlockingQueue<String>();
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        var reader = new Thread(() -> {
            try {
                for (String line; (line = in.readLine()) != null;)
                    lines.add(line);
            } catch (java.io.IOException e) {
                /* the end */
            }
            lines.add("");
        });
        reader.setDaemon(true);
        reader.start();
        OutputStream out = socket.getOutputStream();
        String target = "1";
        for (String line; !(line = lines.take()).isEmpty();) {
            Matcher request = REQUEST.matcher(line);
            if (!request.find())
                continue;
            Matcher alive = ALIVE.matcher(line);
            if (alive.find())
                target = alive.group(1);
            String answer = null;
            switch (request.group(1)) {
            case "NAME": answer = name; break;
            case "ROLE": answer = "none"; break;
            case "INITIALIZE": game++; break;
            case "TALK":
            case "WHISPER": answer = "Over"; break;
            case "VOTE":
            case "DIVINE":
            case "GUARD":
            case "ATTACK": answer = "{\"agentIdx\":" + target + "}"; break;
            }
            if (answer == null)
                continue;
            if (game >= 0)
                work(work);
            if (request.group(1).equals("VOTE") && game == guiltyGame && guilty.equals("sleep"))
                Thread.sleep(guiltyMs);
            if (request.group(1).equals("VOTE") && game == guiltyGame && guilty.equals("burn"))
                work(guiltyMs);
            out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
