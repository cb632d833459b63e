import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An agent of the protocol division that chooses among the living, for tests of what teams hand in: -h HOST -p PORT -n NAME. */
public class CheckedAgent {
    private static final Pattern ALIVE = Pattern.compile("\"(\\d+)\":\"ALIVE\"");
    private static final Pattern ROLES = Pattern.compile("\"(\\d+)\":\"WEREWOLF\"");
    private static final Pattern ME = Pattern.compile("\"agent\":(\\d+)");
    private String status = "";
    private String me = "";

    public static void main(String[] words) throws Exception {
        new CheckedAgent().play(value(words, "-h"), Integer.parseInt(value(words, "-p")), value(words, "-n"));
    }

    static String value(String[] words, String option) {
        for (int i = 0; i + 1 < words.length; i++)
            if (words[i].equals(option))
                return words[i + 1];
        throw new IllegalArgumentException(option);
    }

    void play(String host, int port, String name) throws Exception {
        try (Socket game = new Socket(host, port)) {
            BufferedReader in = new BufferedReader(new InputStreamReader(game.getInputStream(), StandardCharsets.UTF_8));
            OutputStream out = game.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = answer(line, name);
                if (answer != null) {
                    out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
        }
    }

    private String answer(String line, String name) {
        int at = line.indexOf("\"request\":\"");
        String request = line.substring(at + 11, line.indexOf('"', at + 11));
        if (line.contains("\"statusMap\":{"))
            status = line;
        Matcher mine = ME.matcher(status);
        if (mine.find())
            me = mine.group(1);
        switch (request) {
        case "NAME":
            return name;
        case "ROLE":
            return "none";
        case "TALK":
        case "WHISPER":
            return "Over";
        case "VOTE":
        case "DIVINE":
        case "GUARD":
        case "ATTACK":
            return "{\"agentIdx\":" + target(request.equals("ATTACK")) + "}";
        default:
            return null;
        }
    }

    private String target(boolean attack) {
        String wolves = " ";
        for (Matcher role = ROLES.matcher(status); attack && role.find();)
            wolves += role.group(1) + " ";
        for (Matcher alive = ALIVE.matcher(status); alive.find();)
            if (!alive.group(1).equals(me) && !wolves.contains(" " + alive.group(1) + " "))
                return alive.group(1);
        return "1";
    }
}
