package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What views do in another way than the objects that they replace, in addition to what other tests show. */
class ViewDifferencesTest {

    private static final String TEXT = """
            schema: notes
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: text, type: string, length: 20, optional: true }
              - name: first
                type: group
                optional: true
                fields: [{ name: rank, type: i32 }]
              - name: second
                type: group
                optional: true
                fields: [{ name: rank, type: i32 }]
              - name: others
                type: group
                repeat: 9
                fields: [{ name: rank, type: i32 }]
            """;

    private static final Schema SCHEMA = SchemaReader.read("notes.yml", TEXT.getBytes(StandardCharsets.UTF_8));

    /** A part of a note. */
    public static class Mark {
        private int rank;

        public int getRank() {
            return rank;
        }

        public void setRank(int newRank) {
            rank = newRank;
        }
    }

    /** A note, whose methods do as many classes do. */
    @SuppressWarnings("NullAway") // members are null until they are set
    public static class Note {
        private static int created;

        private long id;
        private String text;
        private Mark first;
        private Mark second;
        private List<Mark> others = new ArrayList<>();

        public Note() {
            created++;
        }

        public long getId() {
            return id;
        }

        public void setId(long newId) {
            id = newId;
        }

        public @Nullable String getText() {
            return text;
        }

        public void setText(@Nullable String newText) {
            text = Objects.requireNonNull(newText);
        }

        public @Nullable Mark getFirst() {
            return first;
        }

        public void setFirst(@Nullable Mark mark) {
            first = mark;
        }

        public @Nullable Mark getSecond() {
            return second;
        }

        public void setSecond(@Nullable Mark mark) {
            second = mark;
        }

        public List<Mark> getOthers() {
            return List.copyOf(others);
        }

        public void setOthers(List<Mark> marks) {
            others = marks;
        }
    }

    /** A note as a Java record. */
    public record PlainNote(long id, @Nullable String text) {
        private static int created;

        public PlainNote {
            created++;
        }
    }

    /** An element. */
    public record Rank(int rank) {}

    /** A Java record with a list. */
    public record Ranks(List<Rank> others) {}

    private static RecordViews<Ranks> ranks(String layout) {
        return RecordViews.of(Ranks.class, Orders.schema(layout, """
                  - name: others
                    type: group
                    repeat: 2
                    fields: [{ name: rank, type: i32 }]
                """));
    }

    private final RecordViews<Note> views = RecordViews.of(Note.class, SCHEMA);

    private static Mark mark(int rank) {
        Mark mark = new Mark();
        mark.setRank(rank);
        return mark;
    }

    @Test
    void shouldEqualViewsOnly() {
        Note note = new Note();
        note.setId(7);
        Note view = views.view(note);
        assertThat(view).isEqualTo(views.view(note)).hasSameHashCodeAs(views.view(note));
        assertThat(view.equals(note)).isFalse();
        assertThat(note.equals(view)).isFalse();

        Schema other = SchemaReader.read(
                "notes.yml", TEXT.replace("length: 20", "length: 30").getBytes(StandardCharsets.UTF_8));
        assertThat(RecordViews.of(Note.class, other).view(note)).isNotEqualTo(view);
    }

    @Test
    void shouldAcceptNullWhereTheSetterOfTheClassThrows() {
        assertThatNullPointerException().isThrownBy(() -> new Note().setText(null));
        Note view = views.create();
        view.setText("x");
        view.setText(null);
        assertThat(view.getText()).isNull();
    }

    @Test
    void shouldChangeTheRecordByAListThatTheGetterOfTheClassCopies() {
        Note view = views.create();
        Mark mark = views.create(Mark.class, "others[]");
        mark.setRank(3);
        view.getOthers().add(mark);
        assertThat(views.view(view).getOthers()).extracting(Mark::getRank).containsExactly(3);
    }

    @Test
    void shouldCopyWhatIsSet() {
        Mark mark = mark(1);
        List<Mark> marks = new ArrayList<>(List.of(mark));
        Note view = views.create();
        view.setFirst(mark);
        view.setSecond(mark);
        view.setOthers(marks);
        mark.setRank(2);
        marks.clear();
        assertThat(view.getOthers()).extracting(Mark::getRank).containsExactly(1);
        Mark first = Objects.requireNonNull(view.getFirst());
        Mark second = Objects.requireNonNull(view.getSecond());
        assertThat(List.of(first.getRank(), second.getRank())).containsExactly(1, 1);

        // The same object was two groups: a change of one is not one of the other.
        first.setRank(5);
        assertThat(second.getRank()).isEqualTo(1);
    }

    @Test
    void shouldReturnAnotherViewOfAGroupEachTime() {
        Note view = views.create();
        view.setFirst(mark(1));
        assertThat(view.getFirst()).isEqualTo(view.getFirst()).isNotSameAs(view.getFirst());
    }

    @Test
    void shouldCallTheConstructorForEachView() {
        Note view = views.view(new Note());
        byte[] bytes = views.bytes(view);
        int before = Note.created;
        var _ = views.of(bytes);
        var _ = views.of(bytes);
        assertThat(Note.created).isEqualTo(before + 2);
    }

    @Test
    void shouldCallTheConstructorOfAJavaRecordEachTimeItIsRead() {
        RecordViews<PlainNote> plain = RecordViews.of(
                PlainNote.class,
                SchemaReader.read(
                        "notes.yml",
                        TEXT.substring(0, TEXT.indexOf("  - name: first")).getBytes(StandardCharsets.UTF_8)));
        byte[] bytes = plain.bytes(new PlainNote(1, "x"));
        int before = PlainNote.created;
        assertThat(plain.of(bytes)).isEqualTo(new PlainNote(1, "x"));
        assertThat(PlainNote.created).isGreaterThanOrEqualTo(before + 2);
    }

    @Test
    void shouldReturnUnmodifiableListsOfJavaRecords() {
        Ranks object = new Ranks(new ArrayList<>(List.of(new Rank(1))));
        List<Rank> read = ranks("compact").view(object).others();
        assertThat(read).isEqualTo(object.others());
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> read.add(new Rank(2)));
    }

    @Test
    void shouldHaveTheElementsOfTheFixedLayout() {
        Ranks full = new Ranks(List.of(new Rank(1), new Rank(2)));
        assertThat(ranks("fixed").view(full)).isEqualTo(full);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ranks("fixed").view(new Ranks(List.of(new Rank(1)))))
                .withMessageContaining("Invalid number of elements of 'others[]': 1.");
    }
}
