package io.millrace.cli.service;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What commands that change rules have in common. */
final class ChangeOptions {

    @Option(names = "--comment", paramLabel = "TEXT", description = "What the history says about the change.")
    private String comment = "";

    @Option(
            names = "--expect",
            paramLabel = "VERSION",
            description = "Change nothing unless this is the newest version.")
    private @Nullable Long newest;

    /** Returns the parameters of the request. */
    String query() {
        return "comment=" + ServiceClient.encoded(comment);
    }

    /** Returns the number that the newest version must have, or null for any. */
    @Nullable
    Long newest() {
        return newest;
    }
}
