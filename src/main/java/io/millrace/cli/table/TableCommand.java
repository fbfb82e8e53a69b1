package io.millrace.cli.table;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Builds and shows tables for enrich. */
@Command(
        name = "table",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace table build --key id desks.csv desks.table",
            "  millrace table get desks.table 17",
            "  millrace table stats desks.table"
        },
        description = "Builds and reads tables, which the step enrich looks up.",
        subcommands = {TableBuildCommand.class, TableGetCommand.class, TableStatsCommand.class})
public final class TableCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command. Use one of: build, get, stats.");
        }
    }
}
