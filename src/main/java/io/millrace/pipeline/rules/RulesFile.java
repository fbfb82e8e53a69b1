package io.millrace.pipeline.rules;

import io.millrace.codec.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file with the rules of a pipeline, which may be written, replaced or removed at any time. */
record RulesFile(Path path) {

    /** Rules have fewer characters. */
    private static final int BYTES_MAX = 1024 * 1024;

    /**
     * What the file contains.
     *
     * @param text the text; empty if there is an error
     * @param error why the text can't be read, and what to do; empty if it can
     */
    record Content(String text, String error) {

        private static Content text(String text) {
            return new Content(text, "");
        }

        private static Content error(String error) {
            return new Content("", error);
        }
    }

    /** Reads the file. Returns null if there is none. */
    @Nullable
    Content read() {
        if (!Files.exists(path)) {
            return null;
        }
        String refusal = FileErrors.refusal(path);
        if (refusal != null) {
            // Only regular files end, and return what they contain without delay.
            return Content.error(refusal);
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            return bytes.length > BYTES_MAX
                    ? Content.error("Too many bytes in '" + path + "'. Use " + BYTES_MAX + " bytes at most.")
                    : Content.text(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (NoSuchFileException _) {
            return null;
        } catch (CharacterCodingException _) {
            return Content.error("Invalid UTF-8 in '" + path + "'. Save the file as UTF-8.");
        } catch (IOException e) {
            return Content.error(FileErrors.describe(path.toString(), e));
        }
    }
}
