using System;
using System.Reflection;

/// In the place of the platform's starter of .NET: Starter.exe DLL -h HOST -p PORT -n NAME.
public static class Starter
{
    public static void Main(string[] words)
    {
        Assembly assembly = Assembly.LoadFrom(words[0]);
        Type type = assembly.GetType("CheckedAgent");
        type.GetMethod("Play").Invoke(Activator.CreateInstance(type),
            new object[] { words[2], int.Parse(words[4]), words[6] });
    }
}
