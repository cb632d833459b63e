using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

/// An agent of the protocol division that chooses among the living, for tests of what teams hand in.
public class CheckedAgent
{
    string status = "", me = "";

    public void Play(string host, int port, string name)
    {
        using (var game = new TcpClient(host, port))
        {
            var reader = new StreamReader(game.GetStream(), new UTF8Encoding(false));
            var stream = game.GetStream();
            for (string line = reader.ReadLine(); line != null; line = reader.ReadLine())
            {
                string answer = Answer(line, name);
                if (answer == null) continue;
                byte[] bytes = new UTF8Encoding(false).GetBytes(answer + "\n");
                stream.Write(bytes, 0, bytes.Length);
            }
        }
    }

    string Answer(string line, string name)
    {
        string request = Regex.Match(line, "\"request\":\"([A-Z_]+)\"").Groups[1].Value;
        if (line.Contains("\"statusMap\":{")) status = line;
        Match mine = Regex.Match(status, "\"agent\":(\\d+)");
        if (mine.Success) me = mine.Groups[1].Value;
        switch (request)
        {
            case "NAME": return name;
            case "ROLE": return "none";
            case "TALK": case "WHISPER": return "Over";
            case "VOTE": case "DIVINE": case "GUARD": case "ATTACK":
                return "{\"agentIdx\":" + Target(request == "ATTACK") + "}";
            default: return null;
        }
    }

    string Target(bool attack)
    {
        string wolves = " ";
        foreach (Match role in Regex.Matches(status, "\"(\\d+)\":\"WEREWOLF\""))
            if (attack) wolves += role.Groups[1].Value + " ";
        foreach (Match alive in Regex.Matches(status, "\"(\\d+)\":\"ALIVE\""))
            if (alive.Groups[1].Value != me && !wolves.Contains(" " + alive.Groups[1].Value + " "))
                return alive.Groups[1].Value;
        return "1";
    }
}
