package io.millrace.codec.file;

import io.millrace.codec.ContentException;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.RecordValidator;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FieldType.FloatType;
import io.millrace.schema.FieldType.Numbered;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses files whose content is not the expected records or text.
 *
 * <p>Records may begin with any bytes, and all their bytes may be printable. A file is therefore accepted if the
 * records at its beginning are all valid and the schema has fields for which some bytes are invalid. Text is refused
 * only if it contains names of the schema's fields, if none of its records is valid, or if line breaks occur within
 * numbers. Stateless.
 */
public final class ContentCheck {

    private static final int HEAD_BYTES = 4096;
    private static final int HEAD_BYTES_MAX = 1 << 16;

    /** Shorter numbers may consist of printable bytes in every record. */
    private static final int NUMBER_BYTES_MIN = 4;

    /**
     * A number may contain the byte of a line break, but rarely at this many offsets while all other bytes are
     * printable.
     */
    private static final int LINE_ENDS_MIN = 3;

    /** An array that is empty, or whose first element is an object or an array. */
    private static final Pattern ARRAY = Pattern.compile("\\s*\\[\\s*[{\\[\\]]");

    private static final Pattern OBJECT_OF_LINES = Pattern.compile("\\s*\\{[ \\t]*[\\r\\n]");
    private static final Pattern OBJECT_LINE = Pattern.compile("(?:^|[\\r\\n])[ \\t]*\\{");

    /** With fewer records, all may be invalid by chance. */
    private static final int RECORDS_MIN = 3;

    private ContentCheck() {}

    /** Returns the first bytes of a stream, as many as a check of records needs. */
    public static byte[] head(InputStream in, Schema schema) throws IOException {
        return in.readNBytes(headBytes(schema));
    }

    /** Returns how many of the first bytes of a file a check of records needs. */
    public static int headBytes(Schema schema) {
        return Math.clamp(2L * schema.baseLength(), HEAD_BYTES, HEAD_BYTES_MAX);
    }

    /** Returns the first bytes of a text file, as many as a check of text needs. */
    public static byte[] head(InputStream in) throws IOException {
        return in.readNBytes(HEAD_BYTES);
    }

    /**
     * Requires that a file can contain records.
     *
     * @throws ContentException if it has another content, which the message names
     * @throws IOException if the file can't be read
     */
    public static void requireRecords(Path file, Schema schema) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            requireRecords(file.toString(), head(in, schema), schema);
        }
    }

    /**
     * Requires that a file that begins with these bytes can contain records.
     *
     * @param schema schema of the records. Of records that vary in length, the length of the first one is checked
     * @throws ContentException if the file has another content, which the message names
     */
    public static void requireRecords(String file, byte[] head, Schema schema) throws ContentException {
        FileContent content = FileContent.of(head);
        boolean text = content == FileContent.TEXT || content == FileContent.JSON || content == FileContent.UTF_16;
        boolean refused = schema.layout().variesInLength()
                ? !mayBeRecords(content) && !beginsWithLength(head, schema)
                : text ? isCertainlyText(head, schema) : !mayBeRecords(content) && !allValid(head, schema);
        if (refused) {
            String advice = content == FileContent.TEXT
                    ? "If it is CSV, convert it first: millrace convert --schema " + schema.name()
                            + " --from csv --to bin " + file + " NEW_FILE"
                    : content.advice(file);
            throw new ContentException(
                    "'" + file + "' is " + content.description() + (text ? ", not binary records. " : ". ") + advice);
        }
    }

    /**
     * Requires that a file that begins with these bytes can contain CSV.
     *
     * @throws ContentException if the file has another content, which the message names
     */
    public static void requireCsv(String file, byte[] head) throws ContentException {
        if (FileContent.of(head) == FileContent.JSON) {
            throw new ContentException("'" + file + "' is JSON, not CSV. Read it as JSON lines: with the option --from"
                    + " json, with the feed 'json-lines', or as a table whose file name ends in .jsonl.");
        }
        requireText(file, head);
    }

    /**
     * Requires that a file that begins with these bytes can contain JSON lines: one object in each line.
     *
     * @throws ContentException if the file has another content, which the message names
     */
    public static void requireJsonLines(String file, byte[] head) throws ContentException {
        requireText(file, head);
        String text = new String(head, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "");
        if (ARRAY.matcher(text).lookingAt()) {
            throw new ContentException("'" + file + "' is a JSON array, not JSON lines. Write each object in a line of"
                    + " its own: jq -c '.[]' " + file + " > NEW_FILE");
        }
        if (OBJECT_OF_LINES.matcher(text).lookingAt()) {
            throw new ContentException("'" + file + "' is JSON whose objects have several lines, not JSON lines. Write"
                    + " each object in a line of its own: jq -c . " + file + " > NEW_FILE");
        }
        if (!text.isBlank() && !OBJECT_LINE.matcher(text).find()) {
            throw new ContentException("'" + file + "' is text, not JSON lines: no line begins with '{'. If it is CSV,"
                    + " read it as such: with the option --from csv, with the feed 'csv', or as a table whose file"
                    + " name ends in .csv.");
        }
    }

    /**
     * Requires that a file that begins with these bytes can contain text.
     *
     * @throws ContentException if the file has another content, which the message names
     */
    public static void requireText(String file, byte[] head) throws ContentException {
        FileContent content = FileContent.of(head);
        if (content == FileContent.BINARY) {
            throw new ContentException("'" + file + "' is binary, not text. If it contains records, convert it with"
                    + " --from bin, or name it with the ending .bin.");
        }
        if (content != FileContent.TEXT && content != FileContent.JSON && content != FileContent.EMPTY) {
            throw new ContentException("'" + file + "' is " + content.description() + ". " + content.advice(file));
        }
    }

    /**
     * Requires that a file is neither compressed nor an archive.
     *
     * @throws ContentException if it is; the message names the format
     * @throws IOException if the file can't be read
     */
    public static void requireUnpacked(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            FileContent content = FileContent.of(head(in));
            if (content.isPacked()) {
                throw new ContentException(
                        "'" + file + "' is " + content.description() + ". " + content.advice(file.toString()));
            }
        }
    }

    private static boolean beginsWithLength(byte[] head, Schema schema) {
        return head.length >= Integer.BYTES
                && RawBytes.getInt(head, 0) >= 0
                && RawBytes.getInt(head, 0) <= schema.layout().maxLength();
    }

    private static boolean mayBeRecords(FileContent content) {
        return content == FileContent.BINARY || content == FileContent.EMPTY;
    }

    /**
     * Returns whether there is at least one record, the schema has fields that can be invalid, and all records are
     * valid.
     */
    private static boolean allValid(byte[] head, Schema schema) {
        return validRecords(head, schema) == head.length / schema.baseLength() && head.length >= schema.baseLength();
    }

    /** Returns the number of valid records, or -1 if no bytes are invalid in this schema. */
    private static int validRecords(byte[] head, Schema schema) {
        RecordValidator validator = RecordValidator.of(schema);
        if (!validator.canReject()) {
            return -1;
        }
        RecordBatch batch = new RecordBatch(schema);
        int records = head.length / schema.baseLength();
        batch.fill(head, 0, records, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        validator.admit(batch, (_, _, _) -> {});
        return batch.selected();
    }

    private static boolean isCertainlyText(byte[] head, Schema schema) {
        String text = TextContent.printable(head);
        if (text == null) {
            return false;
        }
        boolean noneValid = head.length / schema.baseLength() >= RECORDS_MIN && validRecords(head, schema) == 0;
        return noneValid || TextContent.namesFields(text, schema) || lineEndsInNumbers(head, schema) >= LINE_ENDS_MIN;
    }

    /** Returns at how many record offsets a line break lies within a number. */
    private static int lineEndsInNumbers(byte[] head, Schema schema) {
        boolean[] inNumber = new boolean[schema.baseLength()];
        for (Field field : schema.fields()) {
            FieldType type = field.type();
            boolean number = type instanceof Numbered || type instanceof FloatType;
            if (number && type.bytes() >= NUMBER_BYTES_MIN && !schema.isAdded(field)) {
                Arrays.fill(inNumber, field.offset(), field.offset() + type.bytes(), true);
            }
        }
        Set<Integer> offsets = new HashSet<>();
        for (int i = 0; i < head.length; i++) {
            if (head[i] == '\n' && inNumber[i % inNumber.length]) {
                offsets.add(i % inNumber.length);
            }
        }
        return offsets.size();
    }
}
