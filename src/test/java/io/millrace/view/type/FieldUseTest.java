package io.millrace.view.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.Schema;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.util.Comparator;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods that use the fields of a class directly, which views do not have. */
class FieldUseTest {

    private static final Schema SCHEMA = Orders.schema("compact", """
              - { name: id, type: i64 }
              - { name: name, type: string, length: 20, optional: true }
            """);

    /** Copies fields of another object. */
    public static class CopyConstructor {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public CopyConstructor() {}

        public CopyConstructor(CopyConstructor other) {
            this.id = other.id;
        }
    }

    /** Copies too. */
    public static class Base {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Base() {}

        public Base(Base other) {
            this.id = other.id;
        }
    }

    /** Inherits a copy constructor. */
    public static class InheritedCopy extends Base {
        public InheritedCopy() {}

        public InheritedCopy(InheritedCopy other) {
            super(other);
        }
    }

    /** Has an order that reads fields. */
    public static class NestedComparator {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        static class ById implements Comparator<NestedComparator> {
            @Override
            public int compare(NestedComparator one, NestedComparator other) {
                return Long.compare(one.id, other.id);
            }
        }
    }

    /** A lambda reads a field. */
    public static class InLambda {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        static final ToLongFunction<InLambda> ID = deal -> deal.id;
    }

    /** Compares fields. */
    public static class CompareTo implements Comparable<CompareTo> {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public int compareTo(CompareTo other) {
            return Long.compare(id, other.id);
        }
    }

    /** Has a field that subclasses use. */
    public static class OpenBase {
        protected long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    /** Uses the field of its superclass. */
    public static class OfBase extends OpenBase {
        public long twice() {
            return 2 * id;
        }
    }

    /** Another class sets its field. */
    public static class Patched {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        static class Patch {
            void apply(Patched deal) {
                deal.id = 1;
            }
        }
    }

    /** Copies fields of an object that it casts. */
    public static class Unboxed {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Unboxed() {}

        public Unboxed(Object other) {
            this.id = ((Unboxed) other).id;
        }
    }

    /** Sets its own fields. */
    public static class Constructors {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Constructors() {}

        public Constructors(long id) {
            this.id = id;
            this.id += this.id;
        }
    }

    /** A builder sets the fields of a new object. */
    public static class Built {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        static class Builder {
            private final Built built = new Built();

            Builder id(long id) {
                built.id = id;
                return this;
            }
        }
    }

    /** Counts in its constructor. */
    public static class Counting {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Counting() {
            id++;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CopyConstructor, <init>, constructor of {0}, id",
        "InheritedCopy, <init>, constructor of {0}$Base, id",
        "NestedComparator, compare, method {0}$ById.compare, id",
        "InLambda, lambda$static$0, method {0}.lambda$static$0, id",
        "CompareTo, compareTo, method {0}.compareTo, id",
        "OfBase, twice, method {0}.twice, id",
        "Patched, apply, method {0}$Patch.apply, id",
        "Unboxed, <init>, constructor of {0}, id"
    })
    void shouldRefuseMethodsThatUseFieldsDirectly(String name, String method, String shown, String field)
            throws ClassNotFoundException {
        Class<?> type = Class.forName(FieldUseTest.class.getName() + "$" + name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(type, SCHEMA))
                .withMessage("Unable to create views of " + type.getName() + ": the "
                        + shown.replace("{0}$Base", FieldUseTest.class.getName() + "$Base")
                                .replace("{0}", type.getName())
                        + " uses the field '" + field + "' directly, which a view does not have. Use the getter or"
                        + " setter of a field of the schema, or accept this with allowFieldUse(\"" + method
                        + "\") of the builder.");
        assertThat(RecordViews.builder(type, SCHEMA)
                        .allowFieldUse(method)
                        .build()
                        .type())
                .isEqualTo(type);
    }

    /** Shows the class of any object. */
    public static class StaticHelper {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        static String kind(Object object) {
            return object.getClass().getSimpleName();
        }
    }

    /** Calls a method with the name of one of Commons Lang. */
    public static class Reflecting {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public long reflectionIndex() {
            return 2 * getId();
        }

        public long twice() {
            return 2 * reflectionIndex();
        }
    }

    @ParameterizedTest
    @CsvSource({"StaticHelper", "Reflecting"})
    void shouldAllowCallsThatDoNotDependOnTheFieldsOrTheClassOfTheObject(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(FieldUseTest.class.getName() + "$" + name);
        assertThat(RecordViews.of(type, SCHEMA).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"Constructors", "Built", "Counting"})
    void shouldAllowConstructorsAndBuildersThatSetFields(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(FieldUseTest.class.getName() + "$" + name);
        assertThat(RecordViews.of(type, SCHEMA).type()).isEqualTo(type);
    }

    /** What a copy constructor that is allowed reads: the initial value, whatever the bytes contain. */
    @Test
    void shouldReadInitialValuesIfThisIsAccepted() {
        RecordViews<CopyConstructor> views = RecordViews.builder(CopyConstructor.class, SCHEMA)
                .allowFieldUse("<init>")
                .build();
        CopyConstructor view = views.create();
        view.setId(7);
        assertThat(view.getId()).isEqualTo(7);
        assertThat(new CopyConstructor(view).getId()).isZero();
    }
}
