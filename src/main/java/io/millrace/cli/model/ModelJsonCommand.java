package io.millrace.cli.model;

import io.millrace.model.sample.JsonSampleFormat;
import picocli.CommandLine.Command;

/** Infers a schema from JSON samples. */
@Command(
        name = "json",
        mixinStandardHelpOptions = true,
        description = {
            "Infers a schema of the compact layout from JSON objects: one in each line, or the elements of an array.",
            "An existing schema is merged: changes made by hand stay. The written schema reads all samples."
        })
final class ModelJsonCommand extends ModelSampleCommand {

    ModelJsonCommand() {
        super(new JsonSampleFormat());
    }
}
