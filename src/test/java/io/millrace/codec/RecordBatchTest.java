package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordBatchTest {

    private static final Schema NOTES = schema("layout: compact\nfields:\n  - { name: id, type: i64 }");
    private static final Schema NUMBERS = schema("fields:\n  - { name: id, type: i16 }");

    private static Schema schema(String text) {
        return SchemaReader.read("notes.yml", ("schema: notes\n" + text).getBytes(StandardCharsets.UTF_8));
    }

    /** As the frames of a feed are, each with its length before it. */
    @Test
    void shouldHaveRecordsWithOtherBytesBetweenThem() {
        RecordBatch batch = new RecordBatch(NOTES);
        batch.fill(new byte[20], new int[] {4, 9, 16}, new int[] {6, 12, 20}, 3, new long[] {100, 106, 115, 120});
        RecordBatch shared = new RecordBatch(NOTES).share(batch);
        for (RecordBatch each : new RecordBatch[] {batch, shared}) {
            assertThat(each.count()).isEqualTo(3);
            for (int i = 0; i < 3; i++) {
                assertThat(each.offset(i)).isEqualTo(new int[] {4, 9, 16}[i]);
                assertThat(each.length(i)).isEqualTo(new int[] {2, 3, 4}[i]);
                assertThat(each.position(i)).isEqualTo(new long[] {100, 106, 115}[i]);
            }
            assertThat(each.positionAfter(2)).isEqualTo(120);
            assertThat(each.from()).isEqualTo(100);
            assertThat(each.to()).isEqualTo(120);
        }
        batch.fill(new byte[20], new int[] {4, 9}, new int[] {6, 12}, 2, null);
        assertThat(batch.position(1)).isEqualTo(RecordBatch.NO_POSITION);

        // Back to back again.
        batch.fill(new byte[20], new int[] {4, 6, 9}, 2, 7);
        assertThat(batch.length(0)).isEqualTo(2);
        assertThat(batch.length(1)).isEqualTo(3);
        assertThat(batch.position(1)).isEqualTo(8);
        assertThat(batch.fill(new byte[0], new int[0], new int[0], 0, null).count())
                .isZero();
    }

    @Test
    void shouldRefuseRecordsOutsideOfTheArray() {
        RecordBatch batch = new RecordBatch(NOTES);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> batch.fill(new byte[20], new int[] {4, 9}, new int[] {6, 21}, 2, null))
                .withMessage("Invalid bounds '4..21'. The array has 20 bytes.");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> batch.fill(new byte[20], new int[] {-1}, new int[] {6}, 1, null));
        assertThatIllegalStateException()
                .isThrownBy(() -> new RecordBatch(NUMBERS).fill(new byte[20], new int[] {0}, new int[] {2}, 1, null))
                .withMessage("Invalid bounds for schema 'notes', whose records have one length. Fill without bounds.");
    }
}
