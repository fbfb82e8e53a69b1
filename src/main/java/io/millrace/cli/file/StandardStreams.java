package io.millrace.cli.file;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Standard input and output, which {@code -} names in place of a file. */
public final class StandardStreams {

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

    /** Returns the standard output, buffered. It stays open when the returned stream is closed. */
    public static OutputStream out() {
        return new BufferedOutputStream(
                new FilterOutputStream(System.out) {
                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        out.write(bytes, from, length);
                        if (System.out.checkError()) {
                            throw new IOException("The standard output was closed.");
                        }
                    }

                    @Override
                    public void close() throws IOException {
                        flush();
                    }
                },
                BUFFER_BYTES);
    }
}
