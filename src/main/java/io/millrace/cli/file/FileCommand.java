package io.millrace.cli.file;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.error.PlainWriter;
import io.millrace.codec.ContentException;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.file.FileErrors;
import io.millrace.codec.text.CsvException;
import io.millrace.model.ModelException;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.UnknownSchemaException;
import io.millrace.table.TableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What commands on files have in common: they report what is wrong with their input on stderr and end with 1. They end
 * with 141, and without a message, if the reader of the standard output has closed it.
 */
public abstract class FileCommand implements Callable<Integer> {

    protected static final int SUCCESS = 0;
    protected static final int INPUT_WRONG = 1;

    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public final Integer call() {
        try {
            return run();
        } catch (SchemaException e) { // Each of its problems has a code.
            err().println(e.getMessage());
        } catch (CsvException e) {
            wrong(CommandErrorCode.INVALID_CSV, e.problems());
        } catch (ModelException e) {
            wrong(CommandErrorCode.INVALID_MODEL, e.problems());
        } catch (UnknownSchemaException e) {
            wrong(CommandErrorCode.UNKNOWN_SCHEMA, e);
        } catch (TableException e) {
            wrong(CommandErrorCode.INVALID_TABLE, e);
        } catch (FieldValueException e) {
            wrong(CommandErrorCode.INVALID_VALUE, e);
        } catch (IllegalArgumentException e) {
            wrong(CommandErrorCode.INVALID_ARGUMENT, e);
        } catch (ContentException e) {
            wrong(CommandErrorCode.WRONG_CONTENT, e);
        } catch (ClosedOutputException _) {
            return StandardStreams.OUTPUT_CLOSED;
        } catch (SocketException | InterruptedIOException e) {
            wrong(CommandErrorCode.NO_ANSWER, e);
        } catch (IOException e) {
            wrong(CommandErrorCode.UNREADABLE_FILE, FileErrors.describe("", e));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof ClosedOutputException) {
                return StandardStreams.OUTPUT_CLOSED;
            }
            wrong(CommandErrorCode.UNREADABLE_FILE, FileErrors.describe("", e));
        }
        return INPUT_WRONG;
    }

    /** Runs the command, and returns the exit code, 0 or 1. */
    protected abstract int run() throws IOException;

    private void wrong(CommandErrorCode code, Exception e) {
        wrong(code, String.valueOf(e.getMessage()));
    }

    /** Prints an error with its code, and returns the exit code. */
    protected final int wrong(CommandErrorCode code, String message) {
        err().println(code.message(message));
        return INPUT_WRONG;
    }

    /** Prints errors, each with its code. */
    protected final void wrong(CommandErrorCode code, List<String> messages) {
        messages.forEach(message -> wrong(code, message));
    }

    protected final PrintWriter err() {
        return new PlainWriter(spec().commandLine().getErr());
    }

    protected final PrintWriter out() {
        return new PlainWriter(spec().commandLine().getOut());
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
