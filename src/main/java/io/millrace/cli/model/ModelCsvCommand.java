package io.millrace.cli.model;

import io.millrace.model.sample.CsvSampleFormat;
import picocli.CommandLine.Command;

/** Infers a schema from CSV samples. */
@Command(
        name = "csv",
        mixinStandardHelpOptions = true,
        description = {
            "Infers a schema of the fixed layout from CSV files with a header.",
            "An existing schema is merged: changes made by hand stay. The written schema reads all samples."
        })
final class ModelCsvCommand extends ModelSampleCommand {

    ModelCsvCommand() {
        super(new CsvSampleFormat());
    }
}
