package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FieldType.FloatType;
import io.millrace.schema.FieldType.Numbered;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Refuses files whose content is something else than the records or the text that they have to contain.
 *
 * <p>Records may begin with any bytes, and may be all printable. So no file is refused whose records at the beginning
 * are all valid, if the schema has fields that are invalid for some bytes; and text is refused only where it names the
 * schema's fields, where none of its records is valid, or where its lines end within numbers. Stateless.
 */
public final class ContentCheck {

    private static final int HEAD_BYTES = 4096;
    private static final int HEAD_BYTES_MAX = 1 << 16;

    /** Numbers of fewer bytes may well be printable in all records. */
    private static final int NUMBER_BYTES = 4;

    /** A number may have a byte that is a line break, but hardly at so many places while all others are printable. */
    private static final int LINE_ENDS = 3;

    /** Of fewer records all may be invalid. */
    private static final int RECORDS = 3;

    private ContentCheck() {}

    /** Returns the first bytes of a stream, as many as a check needs. */
    public static byte[] head(InputStream in, Schema schema) throws IOException {
        return in.readNBytes(headBytes(schema));
    }

    /** Returns how many of a file's first bytes a check needs. */
    public static int headBytes(Schema schema) {
        return Math.clamp(2L * schema.baseLength(), HEAD_BYTES, HEAD_BYTES_MAX);
    }

    /** Returns the first bytes of a text file, as many as a check needs. */
    public static byte[] head(InputStream in) throws IOException {
        return in.readNBytes(HEAD_BYTES);
    }

    /**
     * Requires that a file may contain records.
     *
     * @throws ContentException saying what it contains
     * @throws IOException if it can't be read
     */
    public static void requireRecords(Path file, Schema schema) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            requireRecords(file.toString(), head(in, schema), schema);
        }
    }

    /**
     * Requires that a file that begins with these bytes may contain records.
     *
     * @param schema of the records; those that vary in length are not checked
     * @throws ContentException saying what it contains
     */
    public static void requireRecords(String file, byte[] head, Schema schema) throws ContentException {
        if (schema.baseLength() == 0) {
            return;
        }
        FileContent content = FileContent.of(head);
        boolean text = content == FileContent.TEXT || content == FileContent.JSON || content == FileContent.UTF_16;
        boolean refused = text ? isCertainlyText(head, schema) : !mayBeRecords(content) && !allValid(head, schema);
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
     * Requires that a file that begins with these bytes may contain CSV.
     *
     * @throws ContentException saying what it contains
     */
    public static void requireCsv(String file, byte[] head) throws ContentException {
        if (FileContent.of(head) == FileContent.JSON) {
            throw new ContentException("'" + file + "' is JSON, not CSV. Convert it to CSV first; a table also reads"
                    + " JSON lines, from a file whose name ends in .jsonl.");
        }
        requireText(file, head);
    }

    /**
     * Requires that a file that begins with these bytes may contain text.
     *
     * @throws ContentException saying what it contains
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
     * @throws ContentException saying what it is
     * @throws IOException if it can't be read
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

    private static boolean mayBeRecords(FileContent content) {
        return content == FileContent.BINARY || content == FileContent.EMPTY;
    }

    /** Whether there are records, fields of them can be invalid, and none is. */
    private static boolean allValid(byte[] head, Schema schema) {
        return valid(head, schema) == head.length / schema.baseLength() && head.length >= schema.baseLength();
    }

    /** Returns how many whole records are valid; -1 where any bytes are. */
    private static int valid(byte[] head, Schema schema) {
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
        boolean noneValid = head.length / schema.baseLength() >= RECORDS && valid(head, schema) == 0;
        return noneValid || TextContent.namesFields(text, schema) || lineEndsInNumbers(head, schema) >= LINE_ENDS;
    }

    /** At how many places of a record line breaks stand within numbers. */
    private static int lineEndsInNumbers(byte[] head, Schema schema) {
        boolean[] inNumber = new boolean[schema.baseLength()];
        for (Field field : schema.fields()) {
            FieldType type = field.type();
            boolean number = type instanceof Numbered || type instanceof FloatType;
            if (number && type.bytes() >= NUMBER_BYTES && !schema.isAdded(field)) {
                Arrays.fill(inNumber, field.offset(), field.offset() + type.bytes(), true);
            }
        }
        Set<Integer> places = new HashSet<>();
        for (int i = 0; i < head.length; i++) {
            if (head[i] == '\n' && inNumber[i % inNumber.length]) {
                places.add(i % inNumber.length);
            }
        }
        return places.size();
    }
}
