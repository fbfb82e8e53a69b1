package io.millrace.cli.file;

import io.millrace.codec.ContentException;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.FileErrors;
import io.millrace.codec.text.CsvException;
import io.millrace.schema.SchemaException;
import io.millrace.schema.UnknownSchemaException;
import io.millrace.table.TableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands on files have in common: they report what is wrong with their input on stderr and end with 1. */
public abstract class FileCommand implements Callable<Integer> {

    protected static final int FINE = 0;
    protected static final int INPUT_WRONG = 1;

    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public final Integer call() {
        try {
            return run();
        } catch (SchemaException
                | UnknownSchemaException
                | CsvException
                | TableException
                | FieldValueException
                | IllegalArgumentException e) {
            return wrong(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return wrong(e instanceof ContentException ? String.valueOf(e.getMessage()) : FileErrors.describe("", e));
        } catch (UncheckedIOException e) {
            return wrong(FileErrors.describe("", e));
        }
    }

    /** Runs the command, and returns the exit code, 0 or 1. */
    protected abstract int run() throws IOException;

    private int wrong(String message) {
        err().println(message);
        return INPUT_WRONG;
    }

    protected final PrintWriter err() {
        return spec().commandLine().getErr();
    }

    protected final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    protected final ParameterException usage(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("The command is not run by picocli.");
        }
        return spec;
    }
}
