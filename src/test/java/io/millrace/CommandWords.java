package io.millrace;

import java.util.List;
import java.util.regex.Pattern;

/** The arguments of a command as a shell reads them. */
public final class CommandWords {

    /** A word, which may be in quotes. */
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|\\S+");

    private CommandWords() {}

    /** Returns the words before a pipe, without quotes. */
    public static List<String> of(String command) {
        return WORD.matcher(command.split(" \\| ", 2)[0])
                .results()
                .map(word -> word.group().replaceAll("[\"']", ""))
                .toList();
    }
}
