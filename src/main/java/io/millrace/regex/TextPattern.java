package io.millrace.regex;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A compiled regular expression that is matched against the whole of an encoded text, with the result of
 * {@link java.util.regex.Matcher#matches} for the decoded text. It is a table of the next state for each state and
 * byte. So the time depends only on the number of bytes, whatever the expression, and matching allocates nothing. Bytes
 * that are not a valid text of the character set don't match. Immutable, and safe for use by many threads.
 */
@API(status = API.Status.STABLE)
public final class TextPattern implements Serializable {

    private static final long serialVersionUID = 1;

    private static final int MAX_LENGTH = 1000;

    private final String regex;
    private final Charset charset;
    private final ByteRunAutomaton automaton;

    private TextPattern(String regex, Charset charset, ByteRunAutomaton automaton) {
        this.regex = regex;
        this.charset = charset;
        this.automaton = automaton;
    }

    /**
     * Compiles a regular expression.
     *
     * @param regex in the syntax of {@link Pattern}
     * @param charset ASCII, ISO-8859-1 or UTF-8
     * @throws PatternException if the expression is invalid in Java, if an automaton cannot match it (see
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
        return new TextPattern(
                regex, charset, new ByteRunAutomaton(new AutomatonBuilder(alphabet).build(pattern), true));
    }

    private static void checkSyntax(String regex) {
        try {
            Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            int index = Math.clamp(e.getIndex(), 0, regex.length());
            throw new PatternException(
                    index,
                    Objects.requireNonNullElse(e.getDescription(), "no regular expression"),
                    "write it as docs/reference/regular-expressions.md describes");
        }
    }

    /** Returns whether the expression matches all bytes from index {@code from} to {@code to}, exclusive. */
    public boolean matches(byte[] bytes, int from, int to) {
        return automaton.run(bytes, from, to - from);
    }

    /**
     * Returns whether the expression matches a text. A text that the character set can't encode does not match.
     * Allocates the encoded text.
     */
    public boolean matches(String text) {
        try {
            ByteBuffer bytes = charset.newEncoder().encode(CharBuffer.wrap(text));
            return matches(bytes.array(), bytes.arrayOffset(), bytes.arrayOffset() + bytes.limit());
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    /** Returns the regular expression that was compiled. */
    public String regex() {
        return regex;
    }

    /** Returns whether the other pattern has the same expression and character set. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TextPattern pattern && pattern.regex.equals(regex) && pattern.charset.equals(charset);
    }

    @Override
    public int hashCode() {
        return regex.hashCode();
    }

    /** Returns the regular expression. */
    @Override
    public String toString() {
        return regex;
    }

    /** The serialized form: the expression is compiled again. */
    private record Serialized(String regex, String charset) implements Serializable {

        @Serial
        private Object readResolve() {
            return of(regex, Charset.forName(charset));
        }
    }

    @Serial
    private Object writeReplace() {
        return new Serialized(regex, charset.name());
    }

    @Serial
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("A pattern is read by its serialized form.");
    }
}
