package io.millrace.store.write;

import org.jspecify.annotations.Nullable;

/**
 * The result of claiming a {@link Term}.
 *
 * @param term the new term, or null if another process holds the writer
 * @param owner the process that holds it, for display, or null if the claim succeeded
 */
public record Claim(@Nullable Term term, @Nullable String owner) {

    public static Claim granted(Term term) {
        return new Claim(term, null);
    }

    public static Claim heldBy(String owner) {
        return new Claim(null, owner);
    }
}
