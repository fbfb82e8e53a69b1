package io.millrace.view.type;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.view.samples.HiddenPart;
import io.millrace.view.samples.PackageGetter;
import jakarta.validation.constraints.NotNull;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.lang3.builder.EqualsBuilder;
import org.apache.commons.lang3.builder.ReflectionToStringBuilder;
import org.apache.commons.lang3.builder.ToStringBuilder;
import org.apache.commons.lang3.builder.ToStringStyle;
import org.jspecify.annotations.Nullable;

/** Classes in the shapes that applications have, each with an object. */
@SuppressWarnings({"EqualsGetClass", "JavaUtilDate", "NullAway", "unused"}) // as applications have them
final class ClassShapes {

    private ClassShapes() {}

    /** Many numbers. */
    public abstract static class Amounted<N extends Number, K extends Comparable<K>> {
        private N amount;
        private K key;
        private List<K> keys = List.of();

        public N getAmount() {
            return amount;
        }

        public void setAmount(N amount) {
            this.amount = amount;
        }

        public K getKey() {
            return key;
        }

        public void setKey(K key) {
            this.key = key;
        }

        public List<K> getKeys() {
            return keys;
        }

        public void setKeys(List<K> keys) {
            this.keys = keys;
        }
    }

    public static class GenericBase extends Amounted<Integer, UUID> {}

    public static class GenericInTheMiddle<K extends Comparable<K>> extends Amounted<Long, K> {}

    public static class GenericTwice extends GenericInTheMiddle<String> {}

    static <N extends Number, K extends Comparable<K>, T extends Amounted<N, K>> T amounted(T object, N amount, K key) {
        object.setAmount(amount);
        object.setKey(key);
        object.setKeys(List.of(key));
        return object;
    }

    /** Has fields of its own instead of those of its base. */
    public static class Narrowed extends Amounted<Integer, UUID> {
        private Integer own = 3;

        @Override
        public Integer getAmount() {
            return own;
        }

        @Override
        public void setAmount(Integer amount) {
            this.own = amount;
        }

        public Number later() {
            Amounted<Integer, UUID> base = this;
            return base.getAmount();
        }
    }

    /** A wide and a narrow getter of the same member. */
    public interface WideGetter {
        Number getAmount();
    }

    public interface NarrowGetter extends WideGetter {
        @Override
        Long getAmount();
    }

    record NarrowObject(Long getAmount) implements NarrowGetter {}

    public record Required(
            @NotNull String name,
            @NotNull Integer count,
            @NotNull Nested.Inside inside) {}

    public record DateMember(Date seen) {}

    public record AddressMember(InetAddress address) {}

    /** Methods that use other objects of the class by getters. */
    public static class Compared {
        private long id = 1;
        private Compared.Kind kind = Kind.B;

        /** A kind. */
        public enum Kind {
            A,
            B
        }

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Kind getKind() {
            return kind;
        }

        public void setKind(Kind kind) {
            this.kind = kind;
        }

        public boolean newer(Compared other) {
            return getId() > other.getId();
        }

        public String kindText() {
            return switch (getKind()) {
                case A -> "a";
                case B -> "b";
            };
        }
    }

    /** A constructor that calls methods which subclasses replace. */
    public static class ConstructorCalls {
        private long id;
        private List<String> names;

        public ConstructorCalls() {
            setId(7);
            setNames(new ArrayList<>(List.of("x")));
        }

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public List<String> getNames() {
            return names;
        }

        public void setNames(List<String> names) {
            this.names = names;
        }
    }

    /** A pair of any types. */
    public static class Pair<A, B> {
        private A first;
        private B second;

        public A getFirst() {
            return first;
        }

        public void setFirst(A first) {
            this.first = first;
        }

        public B getSecond() {
            return second;
        }

        public void setSecond(B second) {
            this.second = second;
        }
    }

    public static class GenericGroup {
        private Pair<Integer, UUID> pair = new Pair<>();

        public Pair<Integer, UUID> getPair() {
            return pair;
        }

        public void setPair(Pair<Integer, UUID> pair) {
            this.pair = pair;
        }
    }

    static GenericGroup genericGroup() {
        GenericGroup group = new GenericGroup();
        group.getPair().setFirst(7);
        group.getPair().setSecond(new UUID(1, 2));
        return group;
    }

    public record GenericRecord<V>(V value) {}

    public record GenericRecordGroup(GenericRecord<Integer> first) {}

    public record GenericElements(List<GenericRecord<Integer>> all) {}

    /** A base with a wider result. */
    public abstract static class Wide {
        public abstract Number getAmount();

        public abstract CharSequence name();
    }

    public static class Covariant extends Wide {
        private Integer amount;

        @Override
        public Integer getAmount() {
            return amount;
        }

        public void setAmount(Integer amount) {
            this.amount = amount;
        }

        @Override
        public String name() {
            return "amount " + getAmount();
        }
    }

    static Covariant covariant() {
        Covariant covariant = new Covariant();
        covariant.setAmount(5);
        return covariant;
    }

    /** What has a key. */
    public interface Keyed<K> {
        K getKey();

        void setKey(K key);

        static int count() {
            return 1;
        }

        default String label() {
            return "key " + getKey();
        }
    }

    public static class Bridged implements Keyed<Long> {
        private Long key = 0L;

        @Override
        public Long getKey() {
            return key;
        }

        @Override
        public void setKey(Long key) {
            this.key = key;
        }
    }

    static Bridged bridged() {
        Bridged bridged = new Bridged();
        bridged.setKey(5L);
        return bridged;
    }

    /** An interface whose default method is a getter. */
    public interface DefaultGetter {
        long getId();

        default String getName() {
            return "none";
        }
    }

    record DefaultKept(long getId) implements DefaultGetter {}

    record DefaultReplaced(long getId, String getName) implements DefaultGetter {}

    /** A default method that is not a getter. */
    public interface DefaultMethod {
        long getId();

        default String title() {
            return "id " + getId();
        }
    }

    record TitleKept(long getId) implements DefaultMethod {}

    record TitleReplaced(long getId) implements DefaultMethod {
        @Override
        public String title() {
            return "other";
        }
    }

    /** A class with a method that subclasses replace. */
    public static class Instrument {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public String describe() {
            return "instrument " + getId();
        }
    }

    public static class Bond extends Instrument {
        @Override
        public String describe() {
            return "bond";
        }
    }

    public static class Tagged extends Instrument {
        private String tag = "x";

        public Optional<String> getTag() {
            return Optional.ofNullable(tag);
        }
    }

    public static class Open extends Instrument {
        public int rating = 7;
    }

    static <T extends Instrument> T instrument(T instrument) {
        instrument.setId(3);
        return instrument;
    }

    public static class SuperCall extends Instrument {
        public long twice() {
            return 2 * super.getId();
        }
    }

    public static class SuperReference extends Instrument {
        public long later() {
            Supplier<Long> id = super::getId;
            return id.get();
        }
    }

    public static class SuperOfMethod extends Instrument {
        @Override
        public String describe() {
            return super.describe() + "!";
        }
    }

    public static class PublicField {
        public long id = 1;
        private String name = "n";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    public static class PublicFieldAndGetter {
        public long id = 1;

        public long getId() {
            return id;
        }
    }

    public static class TwoBooleans {
        private boolean open;

        public boolean isOpen() {
            return open;
        }

        public boolean getOpen() {
            return open;
        }

        public void setOpen(boolean open) {
            this.open = open;
        }
    }

    static TwoBooleans twoBooleans() {
        TwoBooleans two = new TwoBooleans();
        two.setOpen(true);
        return two;
    }

    public static class Fluent {
        private long id;
        private String name = "";

        public long getId() {
            return id;
        }

        public Fluent setId(long id) {
            this.id = id;
            return this;
        }

        public String getName() {
            return name;
        }

        public Fluent setName(String name) {
            this.name = name;
            return this;
        }
    }

    public static class TwoParts {
        private Fluent one = new Fluent();
        private Fluent two = new Fluent();

        public Fluent getOne() {
            return one;
        }

        public void setOne(Fluent one) {
            this.one = one;
        }

        public Fluent getTwo() {
            return two;
        }

        public void setTwo(Fluent two) {
            this.two = two;
        }
    }

    public static class OverloadedSetter {
        private BigDecimal amount;

        public BigDecimal getAmount() {
            return amount;
        }

        public void setAmount(BigDecimal amount) {
            this.amount = amount;
        }

        public void setAmount(String amount) {
            this.amount = new BigDecimal(amount);
        }
    }

    public static class DelegatingSetter {
        private BigDecimal amount = new BigDecimal("1.000000");

        public BigDecimal getAmount() {
            return amount;
        }

        public void setAmount(BigDecimal amount) {
            this.amount = amount;
        }

        public void setMillionths(long millionths) {
            setAmount(BigDecimal.valueOf(millionths, 6));
        }
    }

    public static class SetOnce {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            if (this.name == null) {
                this.name = name;
            }
        }
    }

    public static class IgnoresNull {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            if (name != null) {
                this.name = name;
            }
        }
    }

    public static class KeepsOnNull {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = Optional.ofNullable(name).orElse(this.name);
        }
    }

    public static class ReturnsTheOld {
        private String name;

        public String getName() {
            return name;
        }

        public Object setName(String name) {
            Object before = this.name;
            this.name = name;
            return before;
        }
    }

    public static class DefaultNow {
        private Date seen;

        public Date getSeen() {
            return seen == null ? new Date() : seen;
        }

        public void setSeen(Date seen) {
            this.seen = seen;
        }
    }

    public static class Throwing {
        private long id;

        public long getId() {
            if (id < 0) {
                throw new IllegalStateException("negative");
            }
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public static class ProtectedGetter {
        private long id = 4;

        protected long getId() {
            return id;
        }

        public String label() {
            return "id " + getId();
        }
    }

    public static class FinalGetter {
        private long id;

        public final long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public static class FinalField {
        private final String kind = "swap";
        private final List<String> names = new ArrayList<>(List.of("a"));

        public String getKind() {
            return kind;
        }

        public List<String> getNames() {
            return names;
        }
    }

    public static class TransientField implements Serializable {
        private transient String name = "t";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    public static class LazyCache {
        private long id = 3;
        private transient String label;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public String label() {
            if (label == null) {
                label = "id " + getId();
            }
            return label;
        }
    }

    public static class StaticCounter {
        private static long created;
        private long id = 2;

        public StaticCounter() {
            created++;
        }

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public static class EqualsById {
        private long id = 1;
        private String note = "n";

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public String getNote() {
            return note;
        }

        public void setNote(String note) {
            this.note = note;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EqualsById that && getId() == that.getId();
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    public static class ByGetters {
        private long id = 1;
        private String note = "n";

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public String getNote() {
            return note;
        }

        public void setNote(String note) {
            this.note = note;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ByGetters that && getId() == that.getId();
        }

        @Override
        public int hashCode() {
            return Long.hashCode(getId());
        }

        @Override
        public String toString() {
            return "id " + getId();
        }
    }

    public static class WithFactory {
        private long id;

        private WithFactory(long id) {
            this.id = id;
        }

        static WithFactory of(long id) {
            return new WithFactory(id);
        }

        public long getId() {
            return id;
        }
    }

    public static class Built {
        private long id;
        private List<String> names = List.of();

        protected Built() {}

        private Built(Builder builder) {
            this.id = builder.id;
            this.names = builder.names;
        }

        public long getId() {
            return id;
        }

        public List<String> getNames() {
            return Collections.unmodifiableList(names);
        }

        static final class Builder {
            private long id = 5;
            private final List<String> names = List.of("a", "b");

            Built build() {
                return new Built(this);
            }
        }
    }

    @SuppressWarnings("ClassCanBeStatic") // a shape
    public class Inner {
        private long id;

        public long getId() {
            return id;
        }
    }

    static Inner inner() {
        return new ClassShapes().new Inner();
    }

    public static class Alias {
        private long amount = 4;

        public long getAmount() {
            return amount;
        }

        public long getAmt() {
            return amount;
        }

        public void setAmount(long amount) {
            this.amount = amount;
        }
    }

    public static class Withers {
        private long id = 3;

        public long getId() {
            return id;
        }

        public Withers withId(long id) {
            Withers other = new Withers();
            other.id = id;
            return other;
        }
    }

    public static class Synchronized {
        private long id = 3;

        public synchronized long getId() {
            return id;
        }

        public synchronized void setId(long id) {
            this.id = id;
        }
    }

    public static class SetsNull {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = null;
        }
    }

    public static class OrNull {
        private Date seen = new Date(5);

        public Date getSeen() {
            return seen == null ? null : new Date(seen.getTime());
        }

        public OrNull setSeen(Date seen) {
            this.seen = seen == null ? null : new Date(seen.getTime());
            return this;
        }
    }

    /** What has a code. */
    public interface Coded {
        String getCode();
    }

    /** An enum behind an interface. */
    public enum Code implements Coded {
        A;

        @Override
        public String getCode() {
            return "a";
        }
    }

    public record CodedMember(Coded code) {}

    public record CalendarMember(Calendar seen) {}

    /** Settings that a part refuses. */
    public static class RefusedPart {
        private OverloadedSetter part = new OverloadedSetter();

        public OverloadedSetter getPart() {
            return part;
        }

        public void setPart(OverloadedSetter part) {
            this.part = part;
        }
    }

    /** An enum with a body for each constant, and another text. */
    public enum Direction {
        UP {
            @Override
            int sign() {
                return 1;
            }
        },
        DOWN {
            @Override
            int sign() {
                return -1;
            }
        };

        abstract int sign();

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Names that YAML reads as truths, numbers or nothing. */
    public enum Words {
        Y,
        N,
        YES,
        NO,
        ON,
        OFF,
        TRUE,
        NULL,
        @JsonProperty("1e3")
        NUMBER,
        @JsonProperty("~")
        TILDE
    }

    public record Enums(Direction direction, List<Words> words, Set<Direction> set, Direction[] array) {}

    /** Names of members that YAML reads as truths or nothing. */
    public record Names(
            int no, int on, int y, int n, int yes, @Nullable Integer none) {}

    public record Nested(long id, Inside inside, List<Inside> all) {
        /** A part. */
        public record Inside(String name, @Nullable Boolean open) {}
    }

    public static class RecordInClass {
        private Nested.Inside inside = new Nested.Inside("x", null);

        public Nested.Inside getInside() {
            return inside;
        }

        public void setInside(Nested.Inside inside) {
            this.inside = inside;
        }
    }

    public static class OptionalGroup {
        private Nested.Inside inside = new Nested.Inside("x", true);

        public Optional<Nested.Inside> getInside() {
            return Optional.ofNullable(inside);
        }

        public void setInside(Optional<Nested.Inside> inside) {
            this.inside = inside.orElse(null);
        }
    }

    public record OptionalList(Optional<List<String>> names) {}

    public record ListOfOptionals(List<Optional<String>> names) {}

    public record Wildcards(List<? extends Nested.Inside> parts, List<? super Integer> numbers) {}

    public record Arrays(Nested.Inside[] parts, long[] longs, float[] floats, boolean[] truths, byte[][] bytes) {}

    public record Iterables(Iterable<String> names, Collection<Nested.Inside> parts, Collection<Integer> numbers) {}

    public record SetAsCollection(Collection<String> names) {}

    public record StreamMember(Stream<String> names) {}

    public record MapMember(Map<String, String> map) {}

    public record DequeMember(Deque<String> names) {}

    public record NumberMember(Number number) {}

    public record ObjectMember(Object object) {}

    public record ComparableMember(Comparable<String> value) {}

    public record SerializableMember(Serializable value) {}

    public record CharSequenceMember(CharSequence value) {}

    public record RawList(@SuppressWarnings("rawtypes") List list) {}

    public record Large(BigInteger number) {}

    public record Sets(Set<String> names, Set<Long> numbers) {}

    public sealed interface Shape permits Circle, Square {
        double area();
    }

    public record Circle(double area) implements Shape {}

    public record Square(double area) implements Shape {}

    public record Drawing(Shape shape) {}

    public record UpperCase(String currency) {
        public UpperCase {
            currency = currency.toUpperCase(Locale.ROOT);
        }
    }

    public record Growing(String name) {
        public Growing {
            name = name + "!";
        }
    }

    public record GrowingPart(long id, Growing growing) {}

    public record Checked(long amount, List<String> names) {
        public Checked {
            if (amount < 0) {
                throw new IllegalArgumentException("negative");
            }
            names = List.copyOf(names);
        }
    }

    public record Overridden(long amount) {
        @Override
        public long amount() {
            return amount * 100;
        }
    }

    public record OverriddenCopy(List<String> names, byte[] bytes) {
        @Override
        public List<String> names() {
            return Collections.unmodifiableList(names);
        }

        @Override
        public byte[] bytes() {
            return bytes.clone();
        }
    }

    public record Varargs(long id, String... names) {}

    public record Texts(String text, @Nullable String other, char letter, Character boxed) {}

    public record Reals(double real, float small, Double boxed, double[] all) {}

    public record Times(LocalDate day, Instant instant) {}

    public record Decimals(BigDecimal amount) {}

    public record Bytes(byte[] bytes, byte[] empty) {}

    public record Tree(String name, List<Tree> children) {}

    /** Methods that views implement in their own way. */
    public interface Validated {
        boolean isValid();

        long getId();
    }

    record ValidatedObject(boolean isValid, long getId) implements Validated {}

    /** The content of a document. */
    public interface Document {
        String name();

        byte[] bytes();
    }

    record DocumentObject(String name, byte[] bytes) implements Document {}

    /** An order by a getter. */
    public static class ByGetter implements Comparable<ByGetter> {
        private long id = 4;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public int compareTo(ByGetter other) {
            return Long.compare(getId(), other.getId());
        }
    }

    /** An interface with an order of its own. */
    public interface Ordered extends Comparable<Ordered> {
        long getId();
    }

    record OrderedObject(long getId) implements Ordered {
        @Override
        public int compareTo(Ordered other) {
            return Long.compare(getId(), other.getId());
        }
    }

    public static class CopyingGetter {
        private List<String> names = new ArrayList<>(List.of("a"));
        private byte[] bytes = {1, 2};

        public List<String> getNames() {
            return new ArrayList<>(names);
        }

        public void setNames(List<String> names) {
            this.names = new ArrayList<>(names);
        }

        public byte[] getBytes() {
            return bytes.clone();
        }

        public void setBytes(byte[] bytes) {
            this.bytes = bytes.clone();
        }
    }

    public static class ReadOnlyList {
        private List<String> names = new ArrayList<>(List.of("a"));

        public List<String> getNames() {
            return Collections.unmodifiableList(names);
        }

        public void setNames(List<String> names) {
            this.names = names;
        }
    }

    public static class Extended extends ArrayList<String> {
        private String currency = "EUR";

        public String getCurrency() {
            return currency;
        }

        public void setCurrency(String currency) {
            this.currency = currency;
        }
    }

    /** Two interfaces with the same getter. */
    public interface One {
        long getId();
    }

    public interface Two {
        long getId();

        String getName();
    }

    public interface Diamond extends One, Two {}

    public interface NamedTwo extends Two {
        @Override
        default String getName() {
            return "two";
        }
    }

    /** The interface with the abstract method is first. */
    public static class DefaultBehind implements Two, NamedTwo {
        private long id = 1;

        @Override
        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    record DiamondObject(long getId, String getName) implements Diamond {}

    public static class OfAnotherPackage extends PackageGetter {}

    public static class InheritsHiddenPart extends HiddenPart {}

    public static class Hidden extends Instrument {
        private long id = 9;

        @Override
        public long getId() {
            return id;
        }

        @Override
        public void setId(long id) {
            this.id = id;
        }
    }

    static Deque<String> deque() {
        return new ArrayDeque<>(List.of("a"));
    }

    static Set<String> sorted(String... names) {
        return new TreeSet<>(List.of(names));
    }

    static <T> Set<T> linked(List<T> values) {
        return new LinkedHashSet<>(values);
    }

    /** Equal by all its fields, and with a text of its own. */
    public static class EqualsByAll implements Serializable {
        private long id = 1;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EqualsByAll that && id == that.id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    /** Also equal by the field of its superclass. */
    public static class EqualsByMore extends EqualsByAll {
        private String note = "n";

        public String getNote() {
            return note;
        }

        public void setNote(String note) {
            this.note = note;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EqualsByMore that && super.equals(other) && Objects.equals(note, that.note);
        }

        @Override
        public int hashCode() {
            return 31 * super.hashCode() + Objects.hashCode(note);
        }
    }

    public static class ToStringOfFields extends EqualsByAll {
        private String note = "n";

        public String getNote() {
            return note;
        }

        public void setNote(String note) {
            this.note = note;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ToStringOfFields that
                    && getId() == that.getId()
                    && Objects.equals(getNote(), that.getNote());
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(getNote());
        }

        @Override
        public String toString() {
            return "note " + note;
        }
    }

    public static class ReadResolve extends EqualsByAll {
        protected Object readResolve() {
            setId(7);
            return this;
        }
    }

    public static class WriteReplace extends EqualsByAll {
        protected Object writeReplace() {
            return "replaced";
        }
    }

    public static class WriteObject extends EqualsByAll {
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeLong(5);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            setId(in.readLong());
        }
    }

    public static class External extends EqualsByAll implements Externalizable {
        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeLong(5);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            setId(in.readLong());
        }
    }

    public static class ShownByReflection extends EqualsByAll {
        public String shown() {
            return ToStringBuilder.reflectionToString(this);
        }
    }

    public static class FinalWriteReplace extends EqualsByAll {
        protected final Object writeReplace() {
            return "replaced";
        }
    }

    public static class FinalEquals {
        private long id = 1;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public final boolean equals(Object other) {
            return other instanceof FinalEquals that && id == that.id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(getId());
        }
    }

    public static final class FinalClass {
        private long id;

        public long getId() {
            return id;
        }
    }

    public abstract static class AbstractMethod {
        private long id;

        public long getId() {
            return id;
        }

        public abstract long amountIn(String currency);
    }

    public interface AbstractMethods {
        long getId();

        String in(String currency);
    }

    record AmountIn(long getId) implements AbstractMethods {
        @Override
        public String in(String currency) {
            return currency;
        }
    }

    public abstract static sealed class SealedBase permits SealedEnd {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public static final class SealedEnd extends SealedBase {
        private long rate;

        public long getRate() {
            return rate;
        }

        public void setRate(long rate) {
            this.rate = rate;
        }
    }

    public record SealedPart(SealedBase part) {}

    public record Instruments(List<Instrument> all) {}

    public static class ProtectedSetter {
        private long id = 5;

        public long getId() {
            return id;
        }

        protected void setId(long id) {
            this.id = id;
        }
    }

    public static class Delegated {
        private Map<String, String> values = new HashMap<>();

        public String getName() {
            return values.get("name");
        }

        public void setName(String name) {
            values.put("name", name);
        }
    }

    public record Defaulted(String name, List<String> tags, int count) {
        public Defaulted {
            name = name == null ? "none" : name;
            tags = tags == null ? List.of() : List.copyOf(tags);
            if (count < 0) {
                count = 0;
            }
        }
    }

    public record Halved(int count) {
        public Halved(int count) {
            this.count = count / 2;
        }
    }

    public static class OwnClass extends EqualsByAll {
        public String kind() {
            return getClass().getSimpleName();
        }
    }

    public static class EqualsByClass {
        private long id = 1;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other != null && getClass() == other.getClass() && getId() == ((EqualsByClass) other).getId();
        }

        @Override
        public int hashCode() {
            return Long.hashCode(getId());
        }
    }

    public static class EqualsByReflection {
        private long id = 1;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return EqualsBuilder.reflectionEquals(this, other);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(getId());
        }

        @Override
        public String toString() {
            return "id " + getId();
        }
    }

    public static class CloneWithAnId extends EqualsByAll implements Cloneable {
        @Override
        public CloneWithAnId clone() {
            try {
                CloneWithAnId copy = (CloneWithAnId) super.clone();
                copy.setId(0);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static class SerialFields extends EqualsByAll {
        private static final ObjectStreamField[] serialPersistentFields = {};
    }

    public static class ConstrainedField {
        private long id = 1;

        @NotNull
        private String secret = "s";

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    /** Has no interface that states that its objects can be serialized. */
    public static class NotSerializable {
        private long id = 1;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public static class SerializableEnd extends NotSerializable implements Serializable {}

    /** Equal by an id, and an object itself without one. */
    @SuppressWarnings("SuperCallToObjectMethod") // what it shows
    public static class EqualsByIdentity extends Fluent {
        @Override
        public boolean equals(Object other) {
            return getName() == null
                    ? super.equals(other)
                    : other instanceof EqualsByIdentity that && getName().equals(that.getName());
        }

        @Override
        public int hashCode() {
            return getName() == null ? super.hashCode() : getName().hashCode();
        }
    }

    public static class EqualsByClassLiteral extends Fluent {
        @Override
        public boolean equals(Object other) {
            return other != null
                    && other.getClass() == EqualsByClassLiteral.class
                    && getId() == ((EqualsByClassLiteral) other).getId();
        }

        @Override
        public int hashCode() {
            return Long.hashCode(getId());
        }
    }

    public static class TextBuilder extends EqualsByAll {
        @Override
        public String toString() {
            return new ToStringBuilder(this, ToStringStyle.SHORT_PREFIX_STYLE)
                    .append("id", getId())
                    .toString();
        }
    }

    public static class ReflectionText extends EqualsByAll {
        @Override
        public String toString() {
            return new ReflectionToStringBuilder(this).toString();
        }
    }

    public static class TextOfObject extends EqualsByAll {
        @Override
        public String toString() {
            return super.toString() + getId();
        }
    }

    public static class ClassOfPart {
        private Fluent part = new Fluent();

        public Fluent getPart() {
            return part;
        }

        public void setPart(Fluent part) {
            this.part = part;
        }

        public String kind() {
            return getPart().getClass().getSimpleName();
        }
    }

    public static class Identified extends Fluent {
        public int identity() {
            return System.identityHashCode(this);
        }
    }

    /** Counts with an updater of its field. */
    public static class Counting {
        private static final AtomicLongFieldUpdater<Counting> COUNT =
                AtomicLongFieldUpdater.newUpdater(Counting.class, "count");
        private volatile long count = 1;

        public long getCount() {
            return count;
        }

        public void setCount(long count) {
            this.count = count;
        }

        public long increment() {
            return COUNT.incrementAndGet(this);
        }
    }

    /** Counts with a handle of its field. */
    public static class CountingByHandle {
        private static final VarHandle COUNT;

        static {
            try {
                COUNT = MethodHandles.lookup().findVarHandle(CountingByHandle.class, "count", long.class);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the class has it", e);
            }
        }

        private long count = 1;

        public long getCount() {
            return count;
        }

        public void setCount(long count) {
            this.count = count;
        }

        public long increment() {
            return (long) COUNT.getAndAdd(this, 1L);
        }
    }

    public static class ByReflection extends Fluent {
        public Object value(String name) throws ReflectiveOperationException {
            return Fluent.class.getDeclaredField(name).get(this);
        }
    }

    /** A getter that returns events once. */
    public static class Draining {
        private List<String> events = new ArrayList<>(List.of("a"));

        public List<String> getEvents() {
            List<String> all = events;
            events = new ArrayList<>();
            return all;
        }

        public void setEvents(List<String> events) {
            this.events = events;
        }
    }

    /** A getter as XJC generates it. */
    public static class CreatedList {
        protected List<String> item;

        public List<String> getItem() {
            if (item == null) {
                item = new ArrayList<String>();
            }
            return this.item;
        }
    }

    /** A constructor that calls getters. */
    public static class ConstructorReads {
        private List<String> names = new ArrayList<>();

        public ConstructorReads() {
            getNames().add("x");
        }

        public List<String> getNames() {
            return names;
        }

        public void setNames(List<String> names) {
            this.names = names;
        }
    }

    /** A class with a setter that a subclass replaces. */
    public static class Titled {
        private String title = "t";

        public String getTitle() {
            return title;
        }

        public void setTitle(String title) {
            this.title = title;
        }
    }

    public static class UpperCaseTitle extends Titled {
        @Override
        public void setTitle(String title) {
            super.setTitle(title.toUpperCase(Locale.ROOT));
        }
    }

    /** Named as a method of views. */
    public static class ValidBean {
        private boolean valid = true;

        public boolean isValid() {
            return valid;
        }

        public void setValid(boolean valid) {
            this.valid = valid;
        }
    }

    /** Methods with the names of those of views, and other results. */
    public interface OtherResults {
        String bytes();

        List<String> validate();

        Boolean isValid();
    }

    record OtherResultsObject(String bytes, List<String> validate, Boolean isValid) implements OtherResults {}

    public interface VoidValidate {
        long getId();

        void validate();
    }

    record VoidValidateObject(long getId) implements VoidValidate {
        @Override
        public void validate() {
            throw new IllegalStateException("invalid");
        }
    }

    public interface DocumentPart {
        Document getPart();
    }

    record DocumentPartObject(Document getPart) implements DocumentPart {}

    public static class NativeGetter {
        private long id = 1;

        public native long getId();

        public void setId(long id) {
            this.id = id;
        }
    }
}
