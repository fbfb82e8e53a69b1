package io.millrace.view.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.Schema;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.jvm.internal.Intrinsics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Getters and setters of classes, which views replace. */
@SuppressWarnings("JavaUtilDate") // many classes have dates
class AccessorBodyTest {

    private static final Schema SCHEMA = Orders.schema("compact", """
              - { name: id, type: i64 }
              - { name: name, type: string, length: 20 }
              - { name: code, type: string, length: 20 }
              - { name: note, type: string, length: 20, optional: true }
              - { name: seen, type: instant, unit: ms, optional: true }
              - { name: marks, type: i32, repeat: many }
            """);

    private static final AtomicInteger READS = new AtomicInteger();

    /** Accessors that change no value. */
    public static class Plain {
        private long id;
        private String name = "";
        private String code = "";
        private @Nullable String note;
        private @Nullable Date seen;
        private @Nullable List<Integer> marks;

        public Long getId() {
            return id;
        }

        public Plain setId(Long id) {
            this.id = id;
            return this;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = Objects.requireNonNull(name, "a name is required");
        }

        /** As Kotlin compiles it. */
        public void setCode(String code) {
            Intrinsics.checkNotNullParameter(code, "<set-?>");
            this.code = code;
        }

        public String getCode() {
            return code;
        }

        public Optional<String> getNote() {
            return Optional.ofNullable(note);
        }

        public void setNote(Optional<String> note) {
            this.note = note.orElse(null);
        }

        public @Nullable Date getSeen() {
            return seen == null ? null : new Date(seen.getTime());
        }

        public void setSeen(@Nullable Date seen) {
            this.seen = seen == null ? null : (Date) seen.clone();
        }

        public List<Integer> getMarks() {
            if (marks == null) {
                marks = new ArrayList<>();
            }
            return Collections.unmodifiableList(marks);
        }
    }

    /** A getter that computes. */
    public static class UpperCase {
        private String name = "";

        public String getName() {
            return name.toUpperCase(Locale.ROOT);
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    /** A getter with a default. */
    public static class Default {
        private @Nullable String note;

        public String getNote() {
            return note == null ? "none" : note;
        }
    }

    /** A getter with a calculation. */
    public static class Cents {
        private long id;

        public long getId() {
            return id / 100;
        }
    }

    /** A getter with a side effect. */
    public static class Counted {
        private long id;

        public long getId() {
            READS.incrementAndGet();
            return id;
        }
    }

    /** A getter without a field. */
    public static class Constant {
        long id;

        public long getId() {
            return 42;
        }
    }

    /** A setter that changes what it gets. */
    public static class Trimmed {
        private String name = "";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name.strip();
        }
    }

    /** A setter that refuses. */
    public static class Positive {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            if (id < 0) {
                throw new IllegalArgumentException("negative");
            }
            this.id = id;
        }
    }

    /** A getter that returns a field of another object. */
    public static class Delegating {
        private Holder other = new Holder();

        public long getId() {
            return other.id;
        }
    }

    /** Its field is read by others. */
    static class Holder {
        long id;
    }

    /** A getter that returns something new. */
    public static class AlwaysEmpty {
        public List<Integer> getMarks() {
            return new ArrayList<>();
        }
    }

    /** A setter that sets nothing. */
    public static class Deaf {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {}
    }

    /** A getter that depends on two fields. */
    public static class Fallback {
        private @Nullable String note;
        private @Nullable String other;

        public @Nullable String getNote() {
            return note != null ? note : other;
        }
    }

    /** A getter and a setter of different fields. */
    @SuppressWarnings("UnusedVariable") // that is its mistake
    public static class Split {
        private long read;
        private long written;

        public long getId() {
            return read;
        }

        public void setId(long id) {
            written = id;
        }
    }

    /** Inherits it. */
    public static class Inherited extends UpperCase {}

    @Test
    void shouldReplaceAccessorsThatChangeNoValue() {
        RecordViews<Plain> views = RecordViews.of(Plain.class, SCHEMA);
        Plain plain = views.create().setId(7L);
        plain.setName("x");
        plain.setCode("c");
        plain.setNote(Optional.of("y"));
        plain.setSeen(new Date(5));
        assertThat(plain.getId()).isEqualTo(7);
        assertThat(plain.getName()).isEqualTo("x");
        assertThat(plain.getCode()).isEqualTo("c");
        assertThat(plain.getNote()).contains("y");
        assertThat(plain.getSeen()).isEqualTo(new Date(5));
        assertThat(plain.getMarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "UpperCase, getName",
        "Default, getNote",
        "Cents, getId",
        "Counted, getId",
        "Constant, getId",
        "Trimmed, setName",
        "Positive, setId",
        "Delegating, getId",
        "AlwaysEmpty, getMarks",
        "Deaf, setId",
        "Fallback, getNote",
        "Inherited, getName"
    })
    void shouldRefuseClassesWhoseAccessorsDoMore(String name, String method) throws ClassNotFoundException {
        Class<?> type = Class.forName(AccessorBodyTest.class.getName() + "$" + name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(type, SCHEMA))
                .withMessage("Unable to create views of " + type.getName() + ": its method " + method
                        + " does more than return or set a field, and views would return or set the value in the bytes."
                        + " Accept this with replaceBodies(\"" + method + "\") of the builder.");
        assertThat(RecordViews.builder(type, SCHEMA)
                        .replaceBodies(method)
                        .build()
                        .type())
                .isEqualTo(type);
    }

    @Test
    void shouldRefuseAGetterAndASetterOfDifferentFields() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Split.class, SCHEMA))
                .withMessage("Unable to create views of " + Split.class.getName() + ": its method setId uses the field "
                        + Split.class.getName() + ".written, and another accessor of its member "
                        + Split.class.getName() + ".read, and views would return or set the value in the bytes."
                        + " Accept this with replaceBodies(\"setId\") of the builder.");
        assertThat(RecordViews.builder(Split.class, SCHEMA)
                        .replaceBodies("setId")
                        .build()
                        .type())
                .isEqualTo(Split.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"  x ", "abc"})
    void shouldSetTheValueIfThisIsAccepted(String text) {
        RecordViews<Trimmed> views = RecordViews.builder(Trimmed.class, SCHEMA)
                .replaceBodies("setName")
                .build();
        Trimmed trimmed = views.create();
        trimmed.setName(text);
        assertThat(trimmed.getName()).isEqualTo(text);
    }
}
