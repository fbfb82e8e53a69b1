package io.millrace.expression.regex;

import java.nio.charset.Charset;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * A regular expression that is asked whether it matches the whole of a text in bytes, as
 * {@link java.util.regex.Matcher#matches} does for the decoded text. It is a table that says for each state and byte
 * which state is next: time goes with the number of bytes, whatever the expression is, and nothing is allocated. Bytes
 * that are no text of the character set don't match. Immutable, and safe for use by many threads.
 */
public final class TextPattern {

    private static final int MAX_LENGTH = 1000;

    private final String regex;
    private final ByteRunAutomaton automaton;

    private TextPattern(String regex, ByteRunAutomaton automaton) {
        this.regex = regex;
        this.automaton = automaton;
    }

    /**
     * Makes the table.
     *
     * @param regex a regular expression, as {@link Pattern} describes it
     * @param charset ASCII, ISO-8859-1 or UTF-8
     * @throws PatternException if Java would refuse it, if it has a part that no automaton can tell (see
     *     {@code docs/reference/regular-expressions.md}), or if the table would be too large
     */
    public static TextPattern of(String regex, Charset charset) {
        if (regex.length() > MAX_LENGTH) {
            throw new PatternException(
                    MAX_LENGTH, "longer than " + MAX_LENGTH + " characters", "split it, and join the matches by or");
        }
        checkSyntax(regex);
        Alphabet alphabet = Alphabet.of(charset);
        Node pattern = new PatternParser(regex, alphabet).parse();
        Anchors.check(pattern, true, true);
        return new TextPattern(regex, new ByteRunAutomaton(new AutomatonBuilder(alphabet).build(pattern), true));
    }

    private static void checkSyntax(String regex) {
        try {
            Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            int index = Math.clamp(e.getIndex(), 0, regex.length());
            throw new PatternException(
                    index,
                    Objects.requireNonNullElse(e.getDescription(), "no regular expression"),
                    "write it as java.util.regex.Pattern says");
        }
    }

    /** Whether it matches the bytes from one index up to another, all of them. */
    public boolean matches(byte[] bytes, int from, int to) {
        return automaton.run(bytes, from, to - from);
    }

    /** The regular expression, as it was given. */
    public String regex() {
        return regex;
    }
}
