package org.aiwolf.common.bin;

/** In the place of the platform's: runs `main` of the class behind -c with all words. */
public class ClientStarter {
    public static void main(String[] words) throws Exception {
        for (int i = 0; i + 1 < words.length; i++)
            if (words[i].equals("-c"))
                Class.forName(words[i + 1]).getMethod("main", String[].class).invoke(null, (Object) words);
    }
}
