package io.millrace.cli.file;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;

/** Standard input and output, which {@code -} names in place of a file. */
public final class StandardStreams {

    /** Exit code after the reader of the standard output has closed it, as of a process that {@code SIGPIPE} ends. */
    public static final int OUTPUT_CLOSED = 141;

    private static final String NAME = "-";
    private static final int BUFFER_BYTES = 1 << 16;

    private StandardStreams() {}

    /** Returns whether the path is {@code -}. */
    public static boolean isMeant(Path file) {
        return file.toString().equals(NAME);
    }

    public static InputStream in() {
        return System.in;
    }

    /**
     * Returns the standard output, buffered. It stays open when the returned stream is closed. Unlike
     * {@link System#out}, it throws an exception with the reason if it can't be written to.
     */
    public static OutputStream out() {
        return new BufferedOutputStream(
                new FilterOutputStream(new FileOutputStream(FileDescriptor.out)) {
                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        try {
                            out.write(bytes, from, length);
                        } catch (IOException e) {
                            throw failure(e);
                        }
                    }

                    @Override
                    public void close() throws IOException {
                        flush();
                    }
                },
                BUFFER_BYTES);
    }

    /** Java has no other sign of a closed pipe than the message of the operating system. */
    private static IOException failure(IOException e) {
        String reason = String.valueOf(e.getMessage());
        return reason.toLowerCase(Locale.ROOT).contains("pipe")
                ? new ClosedOutputException(e)
                : new IOException("Cannot write to the standard output: " + reason, e);
    }
}
