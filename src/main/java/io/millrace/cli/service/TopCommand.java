package io.millrace.cli.service;

import io.millrace.cli.file.StandardStreams;
import java.io.Console;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows the pipelines of a running service, every second. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace top", "  millrace top --once --url https://ingest-1:8443 --user anna"},
        description = {
            "Shows the pipelines of a running service every second, until you press Ctrl-C.",
            "It shows records a second, how many were kept, dropped and rejected, the time of each step, memory and GC"
                    + " pauses."
        })
public final class TopCommand extends ServiceRequestCommand {

    /** Moves the cursor to the top left corner and clears the terminal (ECMA-48, CUP and ED). */
    private static final String CLEAR = "\033[H\033[2J";

    @Option(names = "--once", description = "Print one snapshot and end.")
    private boolean once;

    @Override
    @SuppressWarnings("SystemConsoleNull")
    int run(ServiceClient client) {
        boolean terminal = !once
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
        try (Stream<JsonNode> snapshots = client.events("/api/live")) {
            Iterator<JsonNode> shown =
                    snapshots.limit(once ? 1 : Long.MAX_VALUE).iterator();
            while (shown.hasNext()) {
                if (terminal) {
                    terminal().print(CLEAR);
                }
                out().println(SnapshotText.of(client.base(), shown.next()));
                if (out().checkError()) {
                    return StandardStreams.OUTPUT_CLOSED;
                }
            }
        }
        return once ? SUCCESS : FAILED; // Otherwise, the service has ended the stream.
    }
}
