package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.millrace.model.ModelException;
import io.millrace.model.ModelSchema;
import io.millrace.model.ModelWriter;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassImportTest {

    /** Stands for an annotation of the same name of Jakarta Validation: annotations are known by their names. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Digits {
        int integer();

        int fraction();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface NotNull {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Size {
        int min() default 0;

        int max() default Integer.MAX_VALUE;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Min {
        long value();
    }

    /** A side of a trade. */
    public enum Side {
        BUY,
        SELL
    }

    /** A record with values of all kinds. */
    public record Trade(
            long id,
            @NotNull @Size(min = 1, max = 20) String symbol,
            @NotNull @Digits(integer = 12, fraction = 2) BigDecimal amount,
            @Nullable BigDecimal rate,
            Side side,
            @Min(0) int quantity,
            boolean live,
            double price,
            @Nullable Long parent,
            Optional<String> note,
            LocalDate day,
            Instant seen,
            Date booked,
            Party buyer,
            List<Leg> legs,
            List<String> tags) {}

    /** A group. */
    public record Party(@NotNull String name, @Nullable String country) {}

    /** An element. */
    public record Leg(
            @NotNull @Digits(integer = 12, fraction = 4) BigDecimal notional, LocalDate due) {}

    /** What beans have in common. */
    public static class Base<T> {
        private @Nullable T key;

        public @Nullable T getKey() {
            return key;
        }

        public void setKey(@Nullable T key) {
            this.key = key;
        }
    }

    /** A JavaBean with an inherited generic member. */
    public static class Bean extends Base<Long> {
        private int count;
        private String name = "";

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        @JsonIgnore
        public Object getIgnored() {
            return getName();
        }

        public int getTwice() {
            return 2 * getCount();
        }
    }

    /** A type that contains itself. */
    public record Tree(String name, List<Branch> branches) {}

    /** A part of a {@link Tree}. */
    public record Branch(Tree tree) {}

    /** Amounts whose objects have any number of decimals. */
    public record Amounts(BigDecimal net, @Nullable BigDecimal gross, List<BigDecimal> others, PricedPart priced) {}

    /** A part with an amount. */
    public record PricedPart(BigDecimal price) {}

    /** A member has the name that the number of decimals of another one would have. */
    public record Taken(BigDecimal net, int netDigits) {}

    /** Types that no schema can describe, and others with a text form. */
    public record Odd(Map<String, String> map, List<List<String>> lists, Object any) {}

    /** Names and collections. */
    public record Named(@JsonProperty("trade_id") long id, Set<String> set, int[] array, byte[] hash) {}

    private static ClassImport.Result read(Class<?> type, String... leftOut) throws IOException {
        return ClassImport.read(
                "t", type.getName(), classPath(), new ClassImport.Options(Set.of(leftOut), 0, Set.of(), false));
    }

    private static ClassImport.Result keepDigits(Class<?> type) throws IOException {
        return ClassImport.read("t", type.getName(), classPath(), new ClassImport.Options(Set.of(), 0, Set.of(), true));
    }

    @Test
    void shouldKeepTheDecimalsOfEachValue() throws IOException {
        ClassImport.Result imported = keepDigits(Amounts.class);
        assertThat(imported.notes())
                .anyMatch(note -> note.endsWith("Members, with their scale: others (6)."))
                .contains("Views return an empty list or array for null. Members that can be null: others.");
        RecordViews<Amounts> views = RecordViews.of(Amounts.class, schema(imported.schema()));
        Amounts amounts = new Amounts(
                new BigDecimal("12.30"), new BigDecimal("7"), List.of(), new PricedPart(new BigDecimal("0.000")));
        assertThat(views.view(amounts)).isEqualTo(amounts);
        Amounts absent = new Amounts(BigDecimal.ONE, null, List.of(), new PricedPart(BigDecimal.TEN.setScale(6)));
        assertThat(views.view(absent)).isEqualTo(absent);

        // Without the option, and as the note says, not.
        RecordViews<Amounts> plain =
                RecordViews.of(Amounts.class, schema(read(Amounts.class).schema()));
        assertThat(plain.view(amounts).net()).isEqualTo(new BigDecimal("12.300000"));
        assertThatThrownBy(() -> keepDigits(Taken.class))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("'netDigits'");
    }

    static List<Path> classPath() {
        try {
            return List.of(Path.of(ClassImportTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Schema schema(ModelSchema model) {
        return SchemaReader.read("t.yml", ModelWriter.write(model).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // applications have such members
    void shouldRoundTripTheValuesOfARecordOverItsImportedSchema() throws IOException {
        RecordViews<Trade> views =
                RecordViews.of(Trade.class, schema(read(Trade.class).schema()));
        Trade trade = new Trade(
                7,
                "ABC",
                new BigDecimal("12.50"),
                null,
                Side.SELL,
                3,
                true,
                0.1,
                null,
                Optional.of("né"),
                LocalDate.of(2014, 7, 21),
                Instant.ofEpochSecond(1, 123_456_789),
                new Date(5),
                new Party("ACME", null),
                List.of(new Leg(new BigDecimal("1.2345"), LocalDate.EPOCH)),
                List.of("a", "b"));

        assertThat(views.of(views.bytes(trade))).isEqualTo(trade);
    }

    @Test
    void shouldRoundTripABeanWithInheritedMembers() throws IOException {
        ClassImport.Result imported = read(Bean.class);
        RecordViews<Bean> views = RecordViews.of(Bean.class, schema(imported.schema()));
        Bean bean = new Bean();
        bean.setKey(8L);
        bean.setCount(3);
        bean.setName("n");

        Bean view = views.of(views.bytes(bean));

        assertThat(view.getKey()).isEqualTo(8L);
        assertThat(view.getCount()).isEqualTo(3);
        assertThat(view.getName()).isEqualTo("n");
        assertThat(imported.notes()).first().asString().startsWith("Left out twice: ");
    }

    @Test
    void shouldTurnAnnotationsIntoRules() throws IOException {
        assertThat(ModelWriter.write(read(Trade.class).schema()))
                .contains("{ name: id, type: i64 }\n")
                .contains("{ name: symbol, type: string, length: 60, charset: utf8, min: 1, max: 20 }"
                        + "  # up to 20 characters\n")
                .contains(
                        "{ name: amount, type: decimal, scale: 2, min: -999999999999.99," + " max: 999999999999.99 }\n")
                .contains("{ name: rate, type: decimal, scale: 6, optional: true }"
                        + "  # no @Digits: scale 6 is a guess\n")
                .contains("{ name: side, type: enum, values: [BUY, SELL], optional: true }\n")
                .contains("{ name: quantity, type: i32, min: 0 }\n");
        assertThat(ModelWriter.write(read(Named.class).schema()))
                .contains("{ name: trade_id, type: i64 }")
                .contains("repeat: many }  # no @Size: length 255 is a guess\n")
                .contains("{ name: array, type: i32, repeat: many }")
                .contains("{ name: hash, type: string, length: 255, charset: latin1, optional: true }  # bytes of any");
    }

    @Test
    void shouldRefuseATypeThatContainsItselfWithThePath() throws IOException {
        String name = ClassImportTest.class.getName();
        assertThatThrownBy(() -> read(Tree.class))
                .isInstanceOf(ModelException.class)
                .hasMessage("branches.tree: Type " + name + ".Tree contains itself: " + name + ".Tree.branches -> "
                        + name
                        + ".Branch.tree -> " + name + ".Tree. Use --depth with the number of levels that records have,"
                        + " --leave-out branches.tree, or @JsonIgnore.");
        assertThat(read(Tree.class, "branches").schema().fields()).hasSize(1);
    }

    @Test
    void shouldImportATypeThatContainsItselfToADepth() throws IOException {
        ModelSchema schema = ClassImport.read(
                        "t", Tree.class.getName(), classPath(), new ClassImport.Options(Set.of(), 3, Set.of(), false))
                .schema();

        assertThat(ModelWriter.write(schema)).endsWith("""
                schema: t
                layout: compact
                extends: Tree
                types:
                  Tree:
                    fields:
                      - { name: name, type: string, length: 255, charset: utf8, optional: true }  # no @Size: length 255 is a guess
                      - { name: branches, type: Branch, repeat: many }
                  Branch:
                    fields:
                      - { name: tree, type: Tree, depth: 3, optional: true }
                """);
        assertThat(schema(schema).groups().stream().map(RepeatedGroup::path))
                .containsExactly(
                        "branches[]", "branches[].tree.branches[]", "branches[].tree.branches[].tree.branches[]");
    }

    /** A record whose parties differ in what is left out. */
    public record Deal(Party buyer, Party seller, List<Party> others, Inner.Party inner) {}

    /** The owner of another type of the same name. */
    public interface Inner {
        /** A type with the simple name of another one. */
        record Party(int id) {}
    }

    @Test
    void shouldWriteEachTypeOnceUnlessItsMembersDiffer() throws IOException {
        ModelSchema schema = read(Deal.class, "seller.country").schema();

        assertThat(ModelWriter.write(schema)).endsWith("""
                types:
                  Party:
                    fields:
                      - { name: name, type: string, length: 255, charset: utf8 }  # no @Size: length 255 is a guess
                      - { name: country, type: string, length: 255, charset: utf8, optional: true }  # no @Size: length 255 is a guess
                  Party2:
                    fields:
                      - { name: name, type: string, length: 255, charset: utf8 }  # no @Size: length 255 is a guess
                  Party3:
                    fields:
                      - { name: id, type: i32 }
                fields:
                  - { name: buyer, type: Party, optional: true }
                  - { name: seller, type: Party2, optional: true }
                  - { name: others, type: Party, repeat: many }
                  - { name: inner, type: Party3, optional: true }
                """);
    }

    /** A leg of one of two kinds. */
    public sealed interface Rated permits Fixed, Floating {
        long notional();
    }

    /** A leg with a rate. */
    public record Fixed(long notional, double rate) implements Rated {}

    /** A leg with an index. */
    public record Floating(long notional, @Nullable String index) implements Rated {}

    /** Its subclasses are known to Jackson. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    public interface Animal {
        String getName();
    }

    /** Members of types with subclasses. */
    public record Zoo(List<Rated> legs, Animal animal, Fixed fixed) {}

    @Test
    void shouldImportTheSubclassesThatATypeStates() throws IOException {
        ModelSchema schema = read(Zoo.class, "animal", "fixed").schema();

        assertThat(ModelWriter.write(schema)).endsWith("""
                types:
                  Rated:
                    choice: [Fixed, Floating]
                    fields:
                      - { name: notional, type: i64 }
                  Fixed:
                    extends: Rated
                    fields:
                      - { name: rate, type: f64 }
                  Floating:
                    extends: Rated
                    fields:
                      - { name: index, type: string, length: 255, charset: utf8, optional: true }  # no @Size: length 255 is a guess
                fields:
                  - { name: legs, type: Rated, repeat: many }
                """);
        RecordViews<Book> views =
                RecordViews.of(Book.class, schema(read(Book.class).schema()));
        Book book = new Book(List.of(new Floating(1, "SOFR"), new Fixed(2, 0.5), new Floating(3, null)));
        assertThat(views.of(views.bytes(book))).isEqualTo(book);
    }

    /** A record of legs. */
    public record Book(List<Rated> legs) {}

    /** A formula, whose operands are formulas. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Sum.class, name = "sum"),
        @JsonSubTypes.Type(value = Negation.class),
        @JsonSubTypes.Type(value = Literal.class)
    })
    public interface Formula {}

    /** A formula of two operands. */
    public record Sum(Formula left, Formula right) implements Formula {}

    /** A formula of one operand. */
    public record Negation(Formula of) implements Formula {}

    /** A number. */
    public record Literal(long value) implements Formula {}

    /** A record with a formula. */
    public record Definition(String name, Formula formula) {}

    @Test
    void shouldImportSubclassesThatContainTheirType() throws IOException {
        ModelSchema model = ClassImport.read(
                        "t",
                        Definition.class.getName(),
                        classPath(),
                        new ClassImport.Options(Set.of(), 4, Set.of(), false))
                .schema();

        assertThat(ModelWriter.write(model)).endsWith("""
                types:
                  Formula:
                    choice: [Sum, Negation, Literal]
                  Sum:
                    extends: Formula
                    fields:
                      - { name: left, type: Formula, depth: 4, optional: true }
                      - { name: right, type: Formula, depth: 4, optional: true }
                  Negation:
                    extends: Formula
                    fields:
                      - { name: of, type: Formula, depth: 4, optional: true }
                  Literal:
                    extends: Formula
                    fields:
                      - { name: value, type: i64 }
                fields:
                  - { name: name, type: string, length: 255, charset: utf8, optional: true }  # no @Size: length 255 is a guess
                  - { name: formula, type: Formula, optional: true }
                """);
        RecordViews<Definition> views = RecordViews.of(Definition.class, schema(model));
        Definition definition = new Definition(
                "x", new Sum(new Negation(new Literal(1)), new Sum(new Literal(2), new Negation(new Literal(3)))));
        assertThat(views.of(views.bytes(definition))).isEqualTo(definition);
        assertThatThrownBy(() -> views.bytes(new Definition("x", new Negation(definition.formula()))))
                .hasMessageContaining("the type contains itself more often than the schema allows");
    }

    /** A folder or a file. */
    public sealed interface Entry permits Folder, Document {}

    /** Contains a folder, which is not any entry. */
    public record Folder(
            @Nullable Folder inside, @Size(min = 2) List<Entry> entries) implements Entry {}

    /** A leaf. */
    public record Document(long size) implements Entry {}

    /** A record of entries. */
    public record Archive(Entry entry) {}

    @Test
    void shouldImportSubclassesThatContainThemselves() throws IOException {
        ModelSchema model = ClassImport.read(
                        "t",
                        Archive.class.getName(),
                        classPath(),
                        new ClassImport.Options(Set.of(), 2, Set.of(), false))
                .schema();

        assertThat(ModelWriter.write(model)).contains("""
                types:
                  Entry:
                    choice: [Folder, Document]
                  Folder:
                    extends: Entry
                    fields:
                      - { name: inside, type: Folder, depth: 2, optional: true }
                      - { name: entries, type: Entry, depth: 2, repeat: many }  # @Size is not checked: an empty list reads as null, which it allows
                  Document:
                    extends: Entry
                    fields:
                      - { name: size, type: i64 }
                """);
        // Of the levels of a type that contains itself, constraints cover the outermost one.
        assertThat(model.constraints())
                .extracting(each -> each.get("name"))
                .containsExactly("entry-folder-entries-Size");
        RecordViews<Archive> views = RecordViews.of(Archive.class, schema(model));
        Archive archive = new Archive(
                new Folder(new Folder(null, List.of()), List.of(new Document(3), new Folder(null, List.of()))));
        assertThat(views.of(views.bytes(archive))).isEqualTo(archive);
    }

    @Test
    void shouldRefuseTypesWhoseSubclassesAreUnknown() throws IOException {
        String name = ClassImportTest.class.getName();
        assertThatThrownBy(() -> read(Zoo.class))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("animal: Type " + name + ".Animal has subclasses according to @JsonTypeInfo that"
                        + " it does not name: add @JsonSubTypes.");
        assertThatThrownBy(() -> read(Rated.class)).hasMessageContaining("Import one of them.");
    }

    /** A bean with logic in an accessor. */
    public static class Shouting {
        private String name = "";
        private int count;

        public String getName() {
            return name.toUpperCase(Locale.ROOT);
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }
    }

    /** Has none any more. */
    public static class Quiet extends Shouting {
        private String name = "";

        @Override
        public String getName() {
            return name;
        }

        @Override
        public void setName(String name) {
            this.name = name;
        }
    }

    /** Its getter returns another field than the setter sets. */
    public static class Split extends Shouting {
        private String name = "";

        @Override
        public String getName() {
            return name;
        }
    }

    private static ClassImport.Result allowed(Class<?> type, String... names) throws IOException {
        return ClassImport.read(
                "t", type.getName(), classPath(), new ClassImport.Options(Set.of(), 0, Set.of(names), false));
    }

    private static String refusal(Class<?> type, String reason, String advice) {
        return "Unable to create views of " + type.getName() + ": " + reason + ". " + advice + ".";
    }

    @Test
    void shouldRefuseAccessorsThatDoMoreThanReturnOrSetAFieldUnlessTheyAreAllowed() throws IOException {
        String views = ", and views would return or set the value in the bytes";
        assertThatThrownBy(() -> read(Shouting.class))
                .isInstanceOf(ModelException.class)
                .hasMessage(refusal(
                        Shouting.class,
                        "its method getName does more than return or set a field" + views,
                        "Accept this with --allow getName"));
        assertThatThrownBy(() -> read(Split.class))
                .hasMessage(refusal(
                        Split.class,
                        "its method setName uses the field " + Shouting.class.getName()
                                + ".name, and another accessor of its member " + Split.class.getName() + ".name"
                                + views,
                        "Accept this with --allow setName"));
        assertThat(read(Quiet.class).schema().fields()).hasSize(2);

        ClassImport.Result imported = allowed(Shouting.class, "getName");
        assertThat(imported.notes()).contains("The builder of RecordViews needs replaceBodies(\"getName\").");
        assertThat(ModelWriter.write(imported.schema())).contains("""
                        # Accepted by --allow: getName.
                        # The builder of RecordViews needs replaceBodies("getName").
                        """);
        assertThatThrownBy(() -> allowed(Quiet.class, "getName"))
                .hasMessage("Unknown name 'getName' of --allow. No type needs it: remove it.");
    }

    /** Its fields are used by a copy constructor, a nested class and a class of its package. */
    public static class Copied {
        long id;

        public Copied() {}

        public Copied(Copied other) {
            this.id = other.id;
        }

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Copied copied && copied.id == id;
        }

        static class ById implements Comparator<Copied> {
            @Override
            public int compare(Copied one, Copied other) {
                return Long.compare(one.id, other.id);
            }
        }
    }

    @Test
    void shouldRefuseMethodsThatUseFieldsDirectlyUnlessTheyAreAllowed() throws IOException {
        String name = Copied.class.getName();
        String field = " uses the field 'id' directly, which a view does not have";
        String advice = "Use the getter or setter of a field of the schema, or accept this with --allow ";
        assertThatThrownBy(() -> read(Copied.class))
                .message()
                .satisfies(message -> assertThat(message.lines())
                        .containsExactlyInAnyOrder(
                                refusal(Copied.class, "the constructor of " + name + field, advice + "'<init>'"),
                                refusal(
                                        Copied.class,
                                        "the method " + name + "$ById.compare" + field,
                                        advice + "compare"),
                                refusal(
                                        Copied.class,
                                        "the method " + CopiedReader.class.getName() + ".read" + field,
                                        advice + "read")));
        assertThat(allowed(Copied.class, "<init>", "compare", "read").notes())
                .containsExactly("The builder of RecordViews needs allowFieldUse(\"<init>\", \"compare\", \"read\").");
    }

    /** A part that can be left out. */
    public static class Partly {
        private long id;
        private String note = "";
        private String secret = "";

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

        @JsonIgnore
        public String getSecret() {
            return secret;
        }
    }

    @Test
    void shouldNoteWhatTheBuilderNeedsForMembersThatAreLeftOut() throws IOException {
        assertThat(read(Partly.class, "note").notes())
                .contains("The builder of RecordViews needs allowFieldUse(\"getNote\", \"getSecret\", \"setNote\").");
    }

    /** What has kinds. */
    public static class Kinds {
        private long amount;

        public long getAmount() {
            return amount;
        }

        public void setAmount(long amount) {
            this.amount = amount;
        }
    }

    /** A kind that its superclass does not state. */
    public static class RatedKind extends Kinds {
        private double rate;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }
    }

    /** Adds nothing. */
    public static class PlainKind extends Kinds {}

    /** A member of a type with subclasses. */
    public record KindsHolder(List<Kinds> parts) {}

    @Test
    void shouldRefuseSubclassesThatTheTypeOfAPartDoesNotState() throws IOException {
        assertThatThrownBy(() -> read(KindsHolder.class))
                .hasMessage(refusal(
                        Kinds.class,
                        "its subclass " + RatedKind.class.getName() + " has members that they would lose: [rate]",
                        "State all subclasses by 'sealed' or @JsonSubTypes, or accept this with --allow RatedKind"));
        assertThat(allowed(KindsHolder.class, "RatedKind").notes())
                .contains("The builder of RecordViews needs ignoreMembersOf(RatedKind.class).");
        assertThat(read(Kinds.class).notes())
                .first()
                .isEqualTo("Views of " + Kinds.class.getName() + " refuse objects of " + RatedKind.class.getName()
                        + ", because they would lose its members: [rate].");
    }

    /** As in the jar of an application, with a class of a library that this JDK can't read. */
    @Test
    void shouldIgnoreSubclassesThatApplicationsCannotLoad(@TempDir Path folder) throws IOException {
        copy(Kinds.class, folder);
        copy(KindsHolder.class, folder);
        copy(RatedKind.class, folder.resolve("BOOT-INF/classes"));
        Path damaged = copy(PlainKind.class, folder);
        Charset charset = StandardCharsets.ISO_8859_1;
        Files.writeString(
                damaged,
                Files.readString(damaged, charset).replace("ImportTest$Kinds", "ImportTest\u00ffKinds"),
                charset);

        assertThat(ClassImport.read("t", KindsHolder.class.getName(), List.of(folder), ClassImport.Options.NONE)
                        .schema()
                        .fields())
                .hasSize(1);
    }

    @Test
    void shouldNameTheClassesThatAreMissing(@TempDir Path folder) throws IOException {
        copy(KindsHolder.class, folder);
        copy(RatedKind.class, folder);
        String name = ClassImportTest.class.getName();

        assertThatThrownBy(() ->
                        ClassImport.read("t", KindsHolder.class.getName(), List.of(folder), ClassImport.Options.NONE))
                .hasMessageStartingWith("parts: Type " + name + ".Kinds is not in [" + folder + "]. Add its classes, ");
        assertThatThrownBy(() ->
                        ClassImport.read("t", RatedKind.class.getName(), List.of(folder), ClassImport.Options.NONE))
                .hasMessage(refusal(
                        RatedKind.class,
                        "its superclass " + Kinds.class.getName() + " is not in [" + folder + "]",
                        "Add its classes, or accept this with --allow RatedKind if you create no views of it"));
    }

    /** Two members of the same JSON name. */
    public record Twice(@JsonProperty("id") long number, long id) {}

    @Test
    void shouldRefuseTwoMembersOfTheSameName() {
        assertThatThrownBy(() -> read(Twice.class))
                .hasMessage("id: Duplicate name 'id' in " + ClassImportTest.class.getName() + ".Twice. Rename one.");
    }

    private static Path copy(Class<?> type, Path folder) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path file = folder.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.copy(classPath().getFirst().resolve(name), file);
    }

    /** States its subclass. */
    public abstract static sealed class Stated permits Last {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    /** Can't be extended. */
    public static final class Last extends Stated {
        private long rate;

        public long getRate() {
            return rate;
        }

        public void setRate(long rate) {
            this.rate = rate;
        }
    }

    /** Contains one of the subclasses. */
    public record StatedHolder(Stated part) {}

    @Test
    void shouldRefuseAFinalSubclassForThatReasonOnly() {
        assertThatThrownBy(() -> read(StatedHolder.class))
                .hasMessage(refusal(
                        Last.class,
                        "it is final",
                        "Use an interface, a record class, or a class that can be subclassed, or accept this with"
                                + " --allow Last if you create no views of it"));
    }

    /** Has a method that is not that of a member. */
    public interface Priced {
        long getId();

        long amountIn(String currency);
    }

    @Test
    void shouldRefuseAbstractMethodsThatViewsCannotImplement() {
        assertThatThrownBy(() -> read(Priced.class))
                .hasMessage(refusal(
                        Priced.class,
                        "its method amountIn is abstract, and is not a getter or setter of a field",
                        "Implement it as a default method, or accept this with --allow Priced if you create no views"
                                + " of it"));
    }

    @Test
    void shouldReportAllTypesThatNoSchemaDescribes() {
        assertThatThrownBy(() -> read(Odd.class))
                .isInstanceOf(ModelException.class)
                .message()
                .contains("map: Type java.util.Map is not supported.")
                .contains("lists: Type java.util.List is a list of lists.")
                .contains("any: Type java.lang.Object is not supported.");
        assertThatThrownBy(() -> ClassImport.read("t", "no.Such", classPath(), ClassImport.Options.NONE))
                .hasMessageStartingWith("Unknown class 'no.Such'.");
    }
}
