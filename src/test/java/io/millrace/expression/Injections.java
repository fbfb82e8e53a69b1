package io.millrace.expression;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Expressions that reach for code: the shapes of known attacks on services that evaluate SpEL. */
public final class Injections {

    /** The system property that is set if anything evaluates one that bites. */
    public static final String CANARY = "millrace.canary";

    private static final String BITES = "! ";

    private Injections() {}

    /** All of them. */
    public static List<String> all() {
        return lines().stream()
                .map(line -> line.startsWith(BITES) ? line.substring(BITES.length()) : line)
                .toList();
    }

    /** Those that set the {@link #CANARY} if anything evaluates them. */
    static List<String> biting() {
        return lines().stream()
                .filter(line -> line.startsWith(BITES))
                .map(line -> line.substring(BITES.length()))
                .toList();
    }

    private static List<String> lines() {
        try (InputStream stream = Objects.requireNonNull(Injections.class.getResourceAsStream("injections.txt"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("# "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
