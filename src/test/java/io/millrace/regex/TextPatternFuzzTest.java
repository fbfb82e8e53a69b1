package io.millrace.regex;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.TestBudget;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Any text is either a pattern, and means what it means to Java, or a {@link PatternException}. With JAZZER_FUZZ=1 set,
 * Jazzer searches for others.
 */
class TextPatternFuzzTest {

    private static final String[] SPLICES = {
        "(",
        ")",
        "[",
        "]",
        "[^",
        "&&",
        "&",
        "-",
        "^",
        "$",
        "|",
        "?",
        "*",
        "+",
        "{",
        "}",
        "{2}",
        "{1,",
        ",3}",
        "\\",
        "\\Q",
        "\\E",
        "(?i)",
        "(?-i)",
        "(?s:",
        "(?:",
        "(?<n>",
        "(?=",
        "(?<!",
        "(?>",
        "(?m)",
        "(?x) ",
        "\\b",
        "\\B",
        "\\A",
        "\\z",
        "\\Z",
        "\\G",
        "\\R",
        "\\X",
        "\\1",
        "\\k<n>",
        "\\p{L}",
        "\\P{Lu}",
        "\\pL",
        "\\v",
        "\\v-",
        "\\cA",
        "\\N{DIGIT ONE}",
        "\\x41",
        "\\x{1F600}",
        "\\uD83D",
        "\\uD83D\\uDE00",
        "\\0",
        "\\07",
        "0",
        "a",
        "A",
        ".",
        " ",
        "\uD83D",
        "\uD83D\uDE00"
    };

    private static final String[] CLASS_PARTS = {
        "[", "[^", "]", "&&", "&", "&&[", "-", "^", "a", "b", "c", "a-c", "A", "\\w", "\\W", "\\d", "\\pL", "\\&",
        "\\]", "\u00E9"
    };

    private static final List<String> CLASS_TEXTS =
            List.of("a", "b", "c", "A", "&", "]", "-", "^", "[", "1", "\u00E9", "a]", "b]", "&]");

    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8);

    private static final int LONGEST = 12;

    /** Java's tries of one text, after which nobody waits for it. */
    private static final int MAX_STEPS = 100_000;

    /** How many patterns of a property were compiled, and how many refused. */
    private record Outcomes(AtomicLong compiled, AtomicLong refused) {

        Outcomes() {
            this(new AtomicLong(), new AtomicLong());
        }

        void add(boolean isCompiled) {
            (isCompiled ? compiled : refused).incrementAndGet();
        }

        void require(int minimum) {
            assertThat(compiled.get()).as("compiled").isGreaterThan(TestBudget.of(minimum));
            assertThat(refused.get()).as("refused").isGreaterThan(TestBudget.of(minimum));
        }
    }

    private static final Outcomes TAMPERED = new Outcomes();
    private static final Outcomes CLASSES = new Outcomes();

    @AfterContainer
    static void shouldHaveSeenBothOutcomes() {
        TAMPERED.require(250);
        CLASSES.require(1500);
    }

    /** The first line is the pattern, each other one a text. */
    @FuzzTest
    void shouldCompileOrRefuseAnything(byte[] input) {
        String[] lines = new String(input, UTF_8).split("\n", 10);
        for (Charset charset : CHARSETS) {
            compileOrRefuse(lines[0], List.of(lines), charset);
        }
    }

    @Property(tries = 2000, seed = "20261121")
    void shouldCompileOrRefuseAPatternThatWasTamperedWith(@ForAll Random random) {
        Charset charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
        RandomPatterns patterns = new RandomPatterns(random, charset);
        RandomPatterns.Sample sample = patterns.next();
        StringBuilder regex = new StringBuilder(sample.regex());
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int from = random.nextInt(regex.length() + 1);
            int to = Math.min(regex.length(), from + random.nextInt(3));
            regex.replace(from, to, SPLICES[random.nextInt(SPLICES.length)]);
        }
        List<String> texts = List.of(
                "",
                sample.text().get(),
                sample.text().get(),
                patterns.changed(sample.text().get()));

        TAMPERED.add(compileOrRefuse(regex.toString(), texts, charset));
    }

    @Property(tries = 4000, seed = "20261126")
    void shouldCompileOrRefuseAClassOfAnyParts(@ForAll Random random) {
        StringBuilder regex = new StringBuilder(random.nextInt(4) == 0 ? "[^" : "[");
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            regex.append(CLASS_PARTS[random.nextInt(CLASS_PARTS.length)]);
        }
        regex.append(random.nextInt(3) == 0 ? "]]" : "]");

        CLASSES.add(compileOrRefuse(regex.toString(), CLASS_TEXTS, CHARSETS.get(random.nextInt(CHARSETS.size()))));
    }

    /** Returns whether the pattern was compiled, and requires that it then means what it means to Java. */
    private static boolean compileOrRefuse(String regex, List<String> texts, Charset charset) {
        TextPattern ours;
        try {
            ours = TextPattern.of(regex, charset);
        } catch (PatternException refused) {
            assertThat(refused.index()).as(regex).isBetween(0, regex.length());
            assertThat(refused.problem()).isNotBlank();
            assertThat(refused.hint()).isNotBlank();
            return false;
        }
        Pattern java = Pattern.compile(regex);
        for (String text : texts) {
            byte[] bytes = text.getBytes(charset);
            if (text.length() <= LONGEST && new String(bytes, charset).equals(text)) {
                boolean expected;
                try {
                    expected = java.matcher(new CountedText(text)).matches();
                } catch (TooManyStepsException e) {
                    continue;
                }
                assertThat(ours.matches(bytes, 0, bytes.length))
                        .as("%s on %s in %s", regex, text, charset)
                        .isEqualTo(expected);
            }
        }
        return true;
    }

    private static final class TooManyStepsException extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** A text that can be read so many times. */
    private static final class CountedText implements CharSequence {

        private final String text;
        private int steps;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MAX_STEPS) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
