package io.millrace.cli.model;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Imports schemas from samples or classes, and writes Java sources for schemas. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace model json --name swap -o schemas swaps.jsonl",
            "  millrace model csv -o schemas trades.csv",
            "  millrace model java --root com.example.Swap -o schemas target/classes",
            "  millrace model sources --package com.example -o target/generated-sources/millrace schemas/swap.yml"
        },
        description =
                "Imports schemas from samples or compiled classes, and writes Java interfaces and classes for schemas.",
        subcommands = {ModelJavaCommand.class, ModelCsvCommand.class, ModelJsonCommand.class, ModelSourcesCommand.class
        })
public final class ModelCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command. Use one of: java, csv, json, sources.");
        }
    }
}
