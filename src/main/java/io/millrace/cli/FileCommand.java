package io.millrace.cli;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.text.CsvException;
import io.millrace.schema.SchemaException;
import io.millrace.schema.UnknownSchemaException;
import io.millrace.table.TableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command on files. It prints errors in its input to stderr and then exits with 1. */
abstract class FileCommand implements Callable<Integer> {

    static final int FINE = 0;
    static final int INPUT_WRONG = 1;

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
            return wrong(described(e));
        } catch (UncheckedIOException e) {
            return wrong(e.getMessage() + ": " + e.getCause());
        }
    }

    /** Runs the command, and returns the exit code, 0 or 1. */
    abstract int run() throws IOException;

    private int wrong(String message) {
        err().println(message);
        return INPUT_WRONG;
    }

    private static String described(IOException e) {
        String reason = e instanceof NoSuchFileException
                ? "no such file or folder"
                : e.getClass().getSimpleName();
        return e instanceof FileSystemException file && file.getReason() == null
                ? file.getFile() + ": " + reason
                : String.valueOf(e.getMessage());
    }

    final PrintWriter err() {
        return spec().commandLine().getErr();
    }

    final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli, which sets this");
        }
        return spec;
    }
}
