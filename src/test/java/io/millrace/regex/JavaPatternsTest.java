package io.millrace.regex;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random patterns match the bytes of random texts where Java's match the texts. */
class JavaPatternsTest {

    private static final int TEXTS = 20;
    private static final int LONGEST = 30;

    /** Fixed, so that a build depends on its sources alone; {@code -Dmillrace.seed=N} looks at other patterns. */
    private static final String SEED = "20261121";

    private static final long SHIFT = Long.getLong("millrace.seed", 0);

    private static final String[] BOUNDARIES = {
        "\\b.*\\b",
        ".+\\b.+",
        ".*\\b",
        ".*\\B",
        "\\B*",
        ".\\b.\\B.*",
        "(?:\\b\\w+\\b.?)*",
        ".*\\B.*\\b.?",
        ".*a\\b{0,2}\\b.*",
        "(?:\\b.|\\B.)+",
        ".*\\b\\B.*",
        "(?:\\B|.)+",
        "(?:\\b|.)*?",
        "(?:.*\\b.*)+",
        "(?:.?\\B.?){1,3}",
        "(?:a\\b|\\B.|-?){2,}",
        "(?:(?:\\b.?)?\\B.)+?",
    };

    private static final AtomicLong MATCHED = new AtomicLong();
    private static final AtomicLong UNMATCHED = new AtomicLong();

    @AfterContainer
    static void shouldHaveSeenBothOutcomes() {
        assertThat(MATCHED.get()).as("matched").isGreaterThan(TestBudget.of(1_000));
        assertThat(UNMATCHED.get()).as("unmatched").isGreaterThan(TestBudget.of(1_000));
    }

    @Property(tries = 150, seed = SEED)
    void shouldMatchAsciiAsJavaDoes(@ForAll long seed) {
        matchesAgree(new Random(seed ^ SHIFT), StandardCharsets.US_ASCII);
    }

    @Property(tries = 150, seed = SEED)
    void shouldMatchLatin1AsJavaDoes(@ForAll long seed) {
        matchesAgree(new Random(seed ^ SHIFT), StandardCharsets.ISO_8859_1);
    }

    @Property(tries = 150, seed = SEED)
    void shouldMatchUtf8AsJavaDoes(@ForAll long seed) {
        matchesAgree(new Random(seed ^ SHIFT), StandardCharsets.UTF_8);
    }

    @Property(tries = 60, seed = SEED)
    void shouldFindWordsAsJavaDoes(@ForAll long seed) {
        Random random = new Random(seed ^ SHIFT);
        String regex = BOUNDARIES[random.nextInt(BOUNDARIES.length)];
        for (Charset charset : List.of(StandardCharsets.US_ASCII, StandardCharsets.UTF_8)) {
            RandomPatterns patterns = new RandomPatterns(random, charset);
            TextPattern ours = TextPattern.of(regex, charset);
            for (int i = 0; i < TEXTS; i++) {
                String text = patterns.words();
                assertThat(matches(ours, text.getBytes(charset), random))
                        .as(() -> regex + " on " + Arrays.toString(text.toCharArray()))
                        .isEqualTo(Pattern.matches(regex, text));
            }
        }
    }

    private static void matchesAgree(Random random, Charset charset) {
        RandomPatterns patterns = new RandomPatterns(random, charset);
        RandomPatterns.Sample sample = patterns.next();
        Pattern java = Pattern.compile(sample.regex());
        TextPattern ours;
        try {
            ours = TextPattern.of(sample.regex(), charset);
        } catch (PatternException e) {
            // Random counts in counts may come to more than a table can hold, and boundaries may be repeated.
            assertThat(e.problem()).containsAnyOf("too large", "may be empty at a word boundary");
            return;
        }
        for (int i = 0; i < TEXTS; i++) {
            String text = patterns.changed(sample.text().get());
            if (text.length() > LONGEST) {
                continue;
            }
            boolean expected = java.matcher(text).matches();
            (expected ? MATCHED : UNMATCHED).incrementAndGet();
            assertThat(matches(ours, text.getBytes(charset), random))
                    .as(() -> sample.regex() + " on " + text + " " + Arrays.toString(text.toCharArray()))
                    .isEqualTo(expected);
        }
    }

    /** Asks in the midst of other bytes. */
    private static boolean matches(TextPattern pattern, byte[] text, Random random) {
        byte[] bytes = new byte[text.length + 10];
        random.nextBytes(bytes);
        int from = random.nextInt(10);
        System.arraycopy(text, 0, bytes, from, text.length);
        return pattern.matches(bytes, from, from + text.length);
    }
}
