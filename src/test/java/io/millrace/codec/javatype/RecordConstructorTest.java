package io.millrace.codec.javatype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constructors of records, which are called again with the values that they have set. */
@SuppressWarnings({"JavaUtilDate", "SelfAssignment"}) // records have dates, and return their argument
class RecordConstructorTest {

    record Plain(long id, double rate, String name, byte[] bytes) {}

    record Checked(long id, String name) {
        Checked {
            if (id < 0) {
                throw new IllegalArgumentException("negative: " + id);
            }
            Objects.requireNonNull(name, "a name is required");
        }
    }

    record Copying(List<String> names, List<String> others, byte[] bytes) {
        Copying {
            names = List.copyOf(names);
            others = Collections.unmodifiableList(others);
            bytes = bytes.clone();
        }
    }

    record Trimmed(String name, String code, BigDecimal amount) {
        Trimmed {
            name = name.strip().toUpperCase(Locale.ROOT);
            code = Objects.requireNonNull(code, "code").trim();
            amount = amount.setScale(2, RoundingMode.HALF_UP);
        }
    }

    record Defaults(@Nullable String name, @Nullable List<String> tags, int count) {
        Defaults {
            name = name == null ? "none" : name;
            tags = tags == null ? List.of() : List.copyOf(tags);
            if (count < 0) {
                count = 0;
            }
        }
    }

    record Explicit(long id, @Nullable String name) {
        Explicit(long id, @Nullable String name) {
            this.id = id;
            this.name = name != null ? name : "none";
        }
    }

    record Copies(
            List<String> names,
            Set<String> set,
            @Nullable List<String> others,
            @Nullable Date day,
            String text) {
        Copies {
            names = new ArrayList<>(names);
            set = Collections.unmodifiableSet(new LinkedHashSet<>(set));
            others = Objects.requireNonNullElse(others, List.of());
            day = day == null ? null : new Date(day.getTime());
            text = Objects.requireNonNull(text, () -> "a text is required");
        }
    }

    record Constant(String name) {
        Constant {
            name = "x";
        }
    }

    record Appended(long id, String name) {
        Appended {
            name = name + "!";
        }
    }

    record Counted(int name) {
        Counted {
            name++;
        }
    }

    record Swapped(String name, String other) {
        Swapped(String name, String other) {
            this.name = other;
            this.other = other;
        }
    }

    record Halved(long id, int name) {
        Halved(long id, int name) {
            this.id = id;
            this.name = name / 2;
        }
    }

    record Toggled(int name) {
        Toggled {
            name = name == 0 ? 1 : 0;
        }
    }

    record Changed(@Nullable String name) {
        Changed {
            name = name == null ? "none" : name.toUpperCase(Locale.ROOT);
        }
    }

    record Grown(List<String> name) {
        Grown {
            name = new ArrayList<>(name);
            name.add("x");
        }
    }

    record GrownField(List<String> name) {
        GrownField(List<String> name) {
            this.name = new ArrayList<>(name);
            this.name.add("x");
        }
    }

    record Else(@Nullable String name) {
        Else {
            name = Objects.requireNonNullElse(name, "none").toUpperCase(Locale.ROOT);
        }
    }

    record Later(Date name) {
        Later {
            name = new Date(name.getTime() + 1);
        }
    }

    record Emptied(List<String> name) {
        Emptied {
            name = name.isEmpty() ? List.of("x") : List.of();
        }
    }

    record Parsed(String name) {
        Parsed {
            name = name.substring(1);
        }
    }

    private static List<String> changes(String record) throws IOException {
        String file = RecordConstructorTest.class.getSimpleName() + "$" + record + ".class";
        try (InputStream in = Objects.requireNonNull(RecordConstructorTest.class.getResourceAsStream(file))) {
            return RecordConstructor.check(ClassFile.of().parse(in.readAllBytes())).stream()
                    .map(TypeProblem::reason)
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Plain", "Checked", "Copying", "Trimmed", "Defaults", "Explicit", "Copies", "Constant"})
    void shouldAcceptConstructorsThatASecondCallDoesNotChange(String record) throws IOException {
        assertThat(changes(record)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Appended",
                "Counted",
                "Swapped",
                "Halved",
                "Toggled",
                "Changed",
                "Grown",
                "GrownField",
                "Else",
                "Later",
                "Emptied",
                "Parsed"
            })
    void shouldFindTheComponentsThatASecondCallMayChange(String record) throws IOException {
        assertThat(changes(record))
                .containsExactly("its constructor changes 'name', and may change it each time that a record is read");
    }
}
