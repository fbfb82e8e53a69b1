package io.millrace.view.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members whose names in the schema are those of {@code @JsonProperty}. */
class JsonNamesTest {

    private static final Schema SCHEMA = SchemaReader.read("renamed.yml", """
            schema: renamed
            fields:
              - { name: trade_id, type: i64 }
              - { name: side, type: enum, values: [B, S] }
              - { name: count, type: i32 }
            """.getBytes(StandardCharsets.UTF_8));

    /** An enum whose constants have other names in JSON. */
    enum Side {
        @JsonProperty("B")
        BUY,
        @JsonProperty("S")
        SELL
    }

    /** A JavaBean with the annotation at a field. */
    public static class Bean {
        @JsonProperty("trade_id")
        private long id;

        private Side side = Side.BUY;
        private int size;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Side getSide() {
            return side;
        }

        public void setSide(Side side) {
            this.side = side;
        }

        @JsonProperty("count")
        public int getSize() {
            return size;
        }

        public void setSize(int size) {
            this.size = size;
        }
    }

    /** An interface with the annotation at a getter. */
    public interface View {
        @JsonProperty("trade_id")
        long getId();

        void setId(long id);
    }

    /** A record class with the annotation at components. */
    record Plain(
            @JsonProperty("trade_id") long id,
            Side side,
            @JsonProperty("count") int size) {}

    @Test
    void shouldFindMembersOfBeans() {
        RecordViews<Bean> views = RecordViews.of(Bean.class, SCHEMA);
        Bean plain = new Bean();
        plain.setId(7);
        plain.setSide(Side.SELL);
        plain.setSize(3);
        Bean view = views.view(plain);
        assertThat(view.getId()).isEqualTo(7);
        assertThat(view.getSide()).isEqualTo(Side.SELL);
        assertThat(view.getSize()).isEqualTo(3);
        Bean copy = views.edit(view);
        copy.setId(8);
        copy.setSize(4);
        assertThat(List.of(copy.getId(), (long) copy.getSize())).containsExactly(8L, 4L);
        assertThat(views.view(copy)).isEqualTo(copy).isNotEqualTo(view);
    }

    @Test
    void shouldFindMembersOfInterfacesAndRecords() {
        View view = RecordViews.of(View.class, SCHEMA).create();
        view.setId(5);
        assertThat(view.getId()).isEqualTo(5);
        RecordViews<Plain> records = RecordViews.of(Plain.class, SCHEMA);
        Plain plain = new Plain(9, Side.SELL, 2);
        assertThat(records.of(records.bytes(plain))).isEqualTo(plain);
    }

    /** An annotation that names no member. */
    record Wrong(@JsonProperty("other") long id) {}

    @Test
    void shouldRefuseUnknownMembers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Wrong.class, SCHEMA))
                .withMessageContaining("id");
    }
}
