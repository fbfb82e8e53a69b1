package io.millrace.web.access;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Passwords of users as bcrypt hashes. Stateless. */
public final class Passwords {

    /** Minimum length in characters, as in NIST SP 800-63B-4 for a password that is the only factor. */
    private static final int SHORTEST = 15;

    /** The lowest cost of a hash that is accepted, and that of {@link #hash}. */
    static final int LOWEST_COST = 10;

    private static final int COST_AT = "$2a$".length();
    private static final String PREFIX = "{bcrypt}";
    private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$1\\d\\$[./A-Za-z0-9]{53}");

    private Passwords() {}

    /**
     * Returns the bcrypt hash of a password.
     *
     * @throws IllegalArgumentException if the password is shorter than 15 characters or longer than 72 bytes in UTF-8
     */
    public static String hash(String password) {
        if (password.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "The password has " + password.length() + " characters. Use " + SHORTEST + " or more.");
        }
        if (password.getBytes(StandardCharsets.UTF_8).length > PasswordAuthenticationManager.LONGEST_BYTES) {
            throw new IllegalArgumentException("The password has more than "
                    + PasswordAuthenticationManager.LONGEST_BYTES + " bytes, which bcrypt does not take.");
        }
        return Objects.requireNonNull(new BCryptPasswordEncoder(LOWEST_COST).encode(password));
    }

    /** Returns whether a text is a bcrypt hash of cost 10 or more, optionally with the prefix <code>{bcrypt}</code>. */
    public static boolean isHash(String text) {
        return HASH.matcher(withoutPrefix(text)).matches();
    }

    /** Returns the cost of a hash without the prefix, the binary logarithm of its number of rounds. */
    static int cost(String hash) {
        return Integer.parseInt(hash, COST_AT, COST_AT + 2, 10);
    }

    /** Returns the hash without the prefix. */
    public static String withoutPrefix(String hash) {
        return hash.startsWith(PREFIX) ? hash.substring(PREFIX.length()) : hash;
    }
}
