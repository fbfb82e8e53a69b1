package io.millrace.pipeline.rules;

import org.jspecify.annotations.Nullable;

/**
 * Who changes rules, and how.
 *
 * @param author user who changes them
 * @param address where the request comes from; {@code -} if unknown
 * @param origin kind of the source, such as {@code http}
 * @param comment what the author says about it; may be empty
 * @param expected number that the newest version must have; null for any
 * @param dryRun whether to check the rules only
 * @param withoutTests whether to apply them although tests fail
 */
public record RuleChange(
        String author,
        String address,
        String origin,
        String comment,
        @Nullable Long expected,
        boolean dryRun,
        boolean withoutTests) {}
