import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An agent of the protocol division that does nothing but play, for tests of cells: java PlainAgent HOST PORT NAME. */
public class PlainAgent {
    public static void main(String[] words) throws Exception {
        try (Socket game = new Socket(words[0], Integer.parseInt(words[1]))) {
            BufferedReader in = new BufferedReader(new InputStreamReader(game.getInputStream(), StandardCharsets.UTF_8));
            OutputStream out = game.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = answer(line, words[2]);
                if (answer != null) {
                    out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
        }
    }

    private static String answer(String line, String name) {
        int at = line.indexOf("\"request\":\"");
        String request = line.substring(at + 11, line.indexOf('"', at + 11));
        switch (request) {
        case "NAME":
            return name;
        case "ROLE":
            return "NONE";
        case "TALK":
        case "WHISPER":
            return "Over";
        case "VOTE":
        case "DIVINE":
        case "GUARD":
        case "ATTACK":
            return "{\"agentIdx\":1}";
        default:
            return null;
        }
    }
}
