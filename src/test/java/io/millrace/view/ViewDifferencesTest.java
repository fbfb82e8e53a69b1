package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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

    /** A mark with methods of {@link Object} of its own. */
    public static class LoudMark extends Mark {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LoudMark;
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public String toString() {
            return "loud";
        }
    }

    /** A title that is a constant or not, and that is required when it is read. */
    @SuppressWarnings("NullAway") // the title is null until it is set
    public static class Title {
        static final Title NONE = new Title();

        private String title;

        public String getTitle() {
            return Objects.requireNonNull(title);
        }

        public void setTitle(@Nullable String title) {
            this.title = title;
        }

        @SuppressWarnings("ReferenceEquality") // applications do that
        public boolean none() {
            return this == NONE;
        }
    }

    /** A counter that several threads use. */
    public static class Counter {
        private volatile long id;

        public synchronized long getId() {
            return id;
        }

        public synchronized void setId(long id) {
            this.id = id;
        }
    }

    /** A name. */
    public interface Named {
        String getName();

        void setName(String name);
    }

    /** A name without spaces around it, whose getter counts. */
    public static class Stripped implements Named {
        private String name = "";
        private int calls;

        @Override
        public String getName() {
            return name + ++calls;
        }

        @Override
        public void setName(String name) {
            this.name = name.strip();
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

    @Test
    void shouldNotHaveTheMethodsOfObjectOfASubclass() {
        Note note = new Note();
        note.setFirst(new LoudMark());
        note.setSecond(mark(0));
        Note view = views.view(note);
        assertThat(note.getFirst()).hasToString("loud").hasSameHashCodeAs(7).isNotEqualTo(note.getSecond());
        assertThat(view.getFirst()).hasToString("Mark[rank=0]").isEqualTo(mark(view, 0));
    }

    private Object mark(Note view, int rank) {
        Note other = views.edit(view);
        other.setFirst(mark(rank));
        return Objects.requireNonNull(other.getFirst());
    }

    private static RecordViews<Title> titles() {
        return RecordViews.of(
                Title.class,
                Orders.schema("compact", "  - { name: title, type: string, length: 9, optional: true }\n"));
    }

    @Test
    void shouldNotBeAConstant() {
        assertThat(Title.NONE.none()).isTrue();
        Title title = new Title();
        title.setTitle("x");
        assertThat(titles().view(title).none()).isFalse();
        assertThat(titles().create().none()).isFalse();
    }

    @Test
    void shouldReturnNullWhereTheGetterOfTheClassThrows() {
        assertThatNullPointerException().isThrownBy(() -> new Title().getTitle());
        Title view = titles().create();
        view.setTitle("x");
        view.setTitle(null);
        assertThat(view.getTitle()).isNull();
    }

    @Test
    void shouldShowAllMembersIfTheClassHasNoText() {
        assertThat(mark(3)).asString().startsWith(Mark.class.getName() + "@");
        assertThat(views.create(Mark.class, "others[]")).hasToString("Mark[rank=0]");
    }

    @Test
    void shouldNotSynchronize() throws Exception {
        Counter view = RecordViews.of(Counter.class, Orders.schema("compact", "  - { name: id, type: i64 }\n"))
                .create();
        for (Method method :
                List.of(view.getClass().getMethod("getId"), view.getClass().getMethod("setId", long.class))) {
            assertThat(Modifier.isSynchronized(method.getModifiers())).isFalse();
        }
        view.setId(5);
        assertThat(view.getId()).isEqualTo(5);
    }

    @Test
    void shouldNotHaveTheCodeBehindAnInterface() {
        RecordViews<Named> named =
                RecordViews.of(Named.class, Orders.schema("compact", "  - { name: name, type: string, length: 9 }\n"));
        Named object = new Stripped();
        object.setName(" a ");
        Named view = named.edit(object);
        assertThat(view.getName()).isEqualTo("a1").isEqualTo(view.getName());
        assertThat(object.getName()).isEqualTo("a2");
        view.setName(" b ");
        assertThat(view.getName()).isEqualTo(" b ");
    }
}
