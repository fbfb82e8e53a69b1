package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.json.RecordViewModule;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Parts of which the class depends on the record: types with a choice of types that extend them. */
class ChoiceTest {

    private static final Schema SCHEMA = schema("[FixedLeg, FloatLeg]");

    private static Schema schema(String choice) {
        return SchemaReader.read("t.yml", """
                schema: t
                layout: compact
                types:
                  Leg:
                    choice: CHOICE
                    fields:
                      - { name: amount, type: i64 }
                      - { name: note, type: string, length: 20, optional: true }
                  FixedLeg:
                    extends: Leg
                    fields:
                      - { name: rate, type: f64 }
                  FloatLeg:
                    extends: Leg
                    choice: [PlainLeg, CappedLeg]
                    fields:
                      - { name: index, type: string, length: 20 }
                      - { name: resets, type: date, repeat: 5 }
                  PlainLeg:
                    extends: FloatLeg
                  CappedLeg:
                    extends: FloatLeg
                    fields:
                      - { name: cap, type: f64 }
                      - { name: floor, type: f64, optional: true }
                fields:
                  - { name: id, type: i64 }
                  - { name: main, type: Leg }
                  - { name: other, type: Leg, optional: true }
                  - { name: legs, type: Leg, repeat: 4 }
                """.replace("CHOICE", choice).getBytes(StandardCharsets.UTF_8));
    }

    /** A leg of one of three classes. */
    public sealed interface Leg permits FixedLeg, FloatLeg {
        long amount();

        Optional<String> note();
    }

    /** A leg with a rate. */
    public record FixedLeg(long amount, Optional<String> note, double rate) implements Leg {}

    /** A leg with an index. */
    public sealed interface FloatLeg extends Leg permits PlainLeg, CappedLeg {
        String index();

        List<LocalDate> resets();
    }

    /** A leg with an index only. */
    public record PlainLeg(long amount, Optional<String> note, String index, List<LocalDate> resets)
            implements FloatLeg {}

    /** A leg with a cap. */
    public record CappedLeg(
            long amount,
            Optional<String> note,
            String index,
            List<LocalDate> resets,
            double cap,
            @Nullable Double floor)
            implements FloatLeg {}

    /** Two legs and more. */
    public record Deal(long id, Leg main, Optional<Leg> other, List<Leg> legs) {}

    private static final FixedLeg FIXED = new FixedLeg(1, Optional.of("n"), 0.5);
    private static final CappedLeg CAPPED =
            new CappedLeg(2, Optional.empty(), "EURIBOR", List.of(LocalDate.EPOCH), 0.25, null);

    /** Legs as classes. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(BeanFixed.class), @JsonSubTypes.Type(value = BeanFloat.class, name = "float")})
    public static class Bean {
        private long amount;
        private @Nullable String note;

        public long getAmount() {
            return amount;
        }

        public void setAmount(long amount) {
            this.amount = amount;
        }

        public @Nullable String getNote() {
            return note;
        }

        public void setNote(@Nullable String note) {
            this.note = note;
        }
    }

    /** A leg with a rate. */
    public static class BeanFixed extends Bean {
        private double rate;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }
    }

    /** A leg with an index. */
    public static class BeanFloat extends Bean {
        private String index = "";

        public String getIndex() {
            return index;
        }

        public void setIndex(String index) {
            this.index = index;
        }
    }

    /** A leg that no schema has. */
    public static class BeanOther extends Bean {
        private int other;

        public int getOther() {
            return other;
        }

        public void setOther(int other) {
            this.other = other;
        }
    }

    /** A bean with legs. */
    public static class BeanDeal {
        private long id;
        private Bean main = new BeanFixed();
        private @Nullable Bean other;
        private List<Bean> legs = new ArrayList<>();

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public Bean getMain() {
            return main;
        }

        public void setMain(Bean main) {
            this.main = main;
        }

        public @Nullable Bean getOther() {
            return other;
        }

        public void setOther(@Nullable Bean other) {
            this.other = other;
        }

        public List<Bean> getLegs() {
            return legs;
        }

        public void setLegs(List<Bean> legs) {
            this.legs = legs;
        }
    }

    private static final String BEANS_TEXT = """
            schema: t
            layout: compact
            types:
              Bean:
                choice: [Bean, BeanFixed, BeanFloat]
                fields:
                  - { name: amount, type: i64 }
                  - { name: note, type: string, length: 20, optional: true }
              BeanFixed:
                extends: Bean
                fields: [{ name: rate, type: f64 }]
              BeanFloat:
                extends: Bean
                fields: [{ name: index, type: string, length: 20 }]
            fields:
              - { name: id, type: i64 }
              - { name: main, type: Bean }
              - { name: other, type: Bean, optional: true }
              - { name: legs, type: Bean, repeat: 4 }
            """;

    private static final Schema BEANS = read(BEANS_TEXT);

    private static Schema read(String yaml) {
        return SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static BeanFixed fixed(long amount, double rate) {
        BeanFixed leg = new BeanFixed();
        leg.setAmount(amount);
        leg.setRate(rate);
        return leg;
    }

    private static BeanFloat floating(long amount, String index) {
        BeanFloat leg = new BeanFloat();
        leg.setAmount(amount);
        leg.setIndex(index);
        leg.setNote("f");
        return leg;
    }

    private static BeanDeal deal(Bean main, Bean... legs) {
        BeanDeal deal = new BeanDeal();
        deal.setMain(main);
        deal.getLegs().addAll(List.of(legs));
        return deal;
    }

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the content of beans, with the class of each. */
    private static String content(BeanDeal deal) {
        List<Bean> all = new ArrayList<>(deal.getLegs());
        all.addFirst(deal.getMain());
        if (deal.getOther() != null) {
            all.add(deal.getOther());
        }
        return all.stream()
                .map(leg -> leg.getAmount() + ":" + leg.getNote()
                        + (leg instanceof BeanFixed fixed ? " fixed " + fixed.getRate() : "")
                        + (leg instanceof BeanFloat floating ? " floating " + floating.getIndex() : ""))
                .toList()
                .toString();
    }

    @Test
    void shouldCreateTheRecordsOfSealedTypes() {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        PlainLeg plain = new PlainLeg(3, Optional.of("p"), "SOFR", List.of());
        Deal deal = new Deal(7, FIXED, Optional.of(CAPPED), List.of(plain, CAPPED, FIXED, FIXED));

        assertThat(views.of(views.bytes(deal))).isEqualTo(deal);
        Deal bare = new Deal(7, CAPPED, Optional.empty(), List.of());
        assertThat(views.of(views.bytes(bare))).isEqualTo(bare);
    }

    @Test
    void shouldCreateViewsOfTheSubclasses() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal withOther = deal(new Bean());
        withOther.setOther(fixed(9, 1));
        for (BeanDeal deal : List.of(
                deal(fixed(1, 0.5), floating(2, "A"), fixed(3, 0.25), new Bean()),
                deal(floating(1, "B")),
                deal(new Bean(), floating(2, "C")),
                withOther)) {
            BeanDeal view = views.view(deal);
            assertThat(content(view)).isEqualTo(content(deal));
            assertThat(content(views.edit(view))).isEqualTo(content(deal));
            assertThat(views.of(views.bytes(deal))).isEqualTo(view).hasSameHashCodeAs(view);
        }
    }

    @Test
    void shouldChangeTheSubclassInPlace() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal mutable = views.create();
        mutable.setMain(fixed(1, 0.5));
        mutable.getLegs().add(floating(2, "A"));
        mutable.getLegs().add(fixed(3, 0.25));
        mutable.setOther(floating(4, "B"));
        assertThat(content(mutable)).isEqualTo("[1:null fixed 0.5, 2:f floating A, 3:null fixed 0.25, 4:f floating B]");

        mutable.setMain(floating(5, "C"));
        mutable.getLegs().set(0, fixed(6, 0.75));
        ((BeanFixed) mutable.getLegs().get(1)).setRate(0.125);
        mutable.setOther(new Bean());
        String expected = "[5:f floating C, 6:null fixed 0.75, 3:null fixed 0.125, 0:null]";
        assertThat(content(mutable)).isEqualTo(expected);
        assertThat(content(views.view(mutable))).isEqualTo(expected);
        assertThat(mutable.getMain()).isNotInstanceOf(BeanFixed.class);

        mutable.setOther(null);
        assertThat(mutable.getOther()).isNull();
    }

    @Test
    void shouldAddCreatedElements() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal mutable = views.create();
        BeanFixed leg = views.create(BeanFixed.class);
        leg.setRate(0.5);
        leg.setAmount(9);
        mutable.getLegs().add(leg);

        assertThat(content(mutable)).endsWith(", 9:null fixed 0.5]");
        assertThat(content(views.view(mutable))).endsWith(", 9:null fixed 0.5]");
        assertThat(views.create(BeanFixed.class))
                .isEqualTo(views.create(BeanFixed.class))
                .isNotEqualTo(leg);
    }

    @Test
    void shouldRefuseSubclassesThatTheSchemaDoesNotHave() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal mutable = views.edit(views.view(deal(fixed(1, 0.5))));
        assertThatIllegalArgumentException().isThrownBy(() -> mutable.setMain(new BeanOther()));
        assertThatIllegalArgumentException().isThrownBy(() -> mutable.setOther(new BeanOther()));
        assertThat(content(mutable)).as("after refused setters").isEqualTo("[1:null fixed 0.5]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.view(deal(new BeanOther())))
                .withMessageContaining("would lose [other]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.builder(BeanDeal.class, schema("[FixedLeg, FloatLeg]"))
                        .subclass("FixedLeg", BeanFixed.class)
                        .build())
                .withMessageContaining("Unknown subclasses of " + Bean.class.getName()
                        + " for the types [FloatLeg] of the schema. Add subclass(\"FloatLeg\", FloatLeg.class)");
    }

    /** Bytes that no view has written: with none of the alternatives, and with two of them. */
    @Test
    void shouldReportRecordsWithNoneOrTwoAlternatives() {
        Schema plain = SchemaReader.read("t.yml", """
                schema: t
                layout: compact
                fields:
                  - { name: id, type: i64 }
                  - { name: main, type: group, fields: &leg [
                      { name: amount, type: i64 }, { name: note, type: string, length: 20, optional: true },
                      { name: beanFixed, type: group, optional: true, fields: [{ name: rate, type: f64 }] },
                      { name: beanFloat, type: group, optional: true, fields: [{ name: index, type: string, length: 20 }] }] }
                  - { name: other, type: group, optional: true, fields: *leg }
                  - { name: legs, type: group, repeat: 4, fields: *leg }
                """.getBytes(StandardCharsets.UTF_8));
        assertThat(plain.fingerprint()).isEqualTo(BEANS.fingerprint());
        RecordViews<Raw> raw = RecordViews.of(Raw.class, plain);
        byte[] none = raw.bytes(raw.create());
        Raw record = raw.create();
        RawLeg two = raw.create(RawLeg.class);
        two.setBeanFixed(raw.create(RawFixed.class));
        two.setBeanFloat(raw.create(RawFloat.class));
        record.setLegs(List.of(two));
        byte[] bytes = raw.bytes(record);

        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        assertThat(views.validate(views.of(bytes)))
                .singleElement()
                .asString()
                .contains("legs[0]")
                .contains("it has at most one of beanFixed, beanFloat");
        assertThat(views.of(bytes).getLegs().getFirst()).isInstanceOf(BeanFixed.class);
        Schema strict = BEANS_TEXT.replace("choice: [Bean, ", "choice: [").transform(ChoiceTest::read);
        RecordViews<BeanDeal> needed = RecordViews.of(BeanDeal.class, strict);
        assertThat(needed.validate(needed.of(none)))
                .singleElement()
                .asString()
                .contains("Constraint 'choice-main' is violated: it has exactly one of beanFixed, beanFloat");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> needed.of(none).getMain())
                .withMessage("A part of type " + Bean.class.getName() + " has none of [beanFixed, beanFloat].");
    }

    /** The groups of a choice, each as what it is. */
    public interface Raw {
        List<RawLeg> getLegs();

        void setLegs(List<RawLeg> legs);
    }

    /** A leg with all alternatives. */
    public interface RawLeg {
        @Nullable
        RawFixed getBeanFixed();

        void setBeanFixed(@Nullable RawFixed fixed);

        @Nullable
        RawFloat getBeanFloat();

        void setBeanFloat(@Nullable RawFloat floating);
    }

    /** An alternative. */
    public interface RawFixed {
        double getRate();
    }

    /** An alternative. */
    public interface RawFloat {
        String getIndex();
    }

    @Test
    void shouldBeWrittenByJacksonAsTheObject() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal deal = deal(fixed(1, 0.5), floating(2, "A"), new Bean());
        assertThat(JSON.writeValueAsString(views.view(deal))).isEqualTo(JSON.writeValueAsString(deal));
    }

    /** A constraint, and with it any rule, reads the groups of a choice as other groups. */
    @Test
    void shouldBeReadByRules() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, read(BEANS_TEXT + """
                constraints:
                  - { name: rates, condition: 'legs.?[beanFixed.rate > 0.05].size() < 2 and #sum(legs.![amount]) < 9' }
                """));
        assertThat(views.validate(deal(new Bean(), fixed(1, 0.5), floating(2, "A"), fixed(3, 0.01))))
                .isEmpty();
        assertThat(views.validate(deal(new Bean(), fixed(1, 0.5), fixed(3, 0.06))))
                .hasSize(1);
        assertThat(views.validate(deal(new Bean(), floating(9, "A")))).hasSize(1);
    }

    @Test
    void shouldBeAMemberOfTheJsonForm() {
        JsonToCompact reader = new JsonToCompact(BEANS);
        byte[] json = "{\"id\": 1, \"main\": {\"amount\": 5, \"beanFixed\": {\"rate\": 0.5}}}"
                .getBytes(StandardCharsets.UTF_8);
        reader.append(json, 0, json.length);

        assertThat(content(RecordViews.of(BeanDeal.class, BEANS)
                        .of(reader.encoder().toBytes())))
                .isEqualTo("[5:null fixed 0.5]");
    }

    @Test
    void shouldTakeFurtherTypesLater() {
        Schema later = read(
                BEANS_TEXT
                        .replace("BeanFloat]", "BeanFloat, BeanOther]")
                        .replace(
                                "fields:\n  - { name: id",
                                "  BeanOther:\n    extends: Bean\n    fields: [{ name: other, type: i32 }]\nfields:\n  - { name: id"));
        RecordViews<BeanDeal> before = RecordViews.of(BeanDeal.class, BEANS);
        RecordViews<BeanDeal> after = RecordViews.builder(BeanDeal.class, later)
                .subclass("BeanOther", BeanOther.class)
                .build();
        BeanDeal deal = deal(floating(1, "B"), fixed(2, 0.5), new Bean());

        assertThat(SchemaEvolution.between(SchemaDescription.of(BEANS), SchemaDescription.of(later))
                        .refused())
                .isEmpty();
        assertThat(content(after.of(before.bytes(deal)))).isEqualTo(content(deal));
        BeanOther other = new BeanOther();
        other.setOther(7);
        assertThat(((BeanOther) after.view(deal(other)).getMain()).getOther()).isEqualTo(7);
    }

    /** The values that constructors set belong to the members that JSON leaves out, whatever the order of members. */
    @Test
    void shouldHaveInitialValuesOfTheSubclassInJson() {
        RecordViews<Book> views = RecordViews.builder(Book.class, read("""
                        schema: t
                        layout: compact
                        types:
                          Line:
                            choice: [RatedLine]
                            fields: [{ name: amount, type: i64 }]
                          RatedLine:
                            extends: Line
                            fields: [{ name: rate, type: f64 }]
                        fields: [{ name: lines, type: Line, repeat: 4 }]
                        """))
                .subclass("RatedLine", RatedLine.class)
                .build();
        JsonMapper mapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();

        Book book =
                mapper.readValue("{\"lines\": [{\"amount\": 5, \"ratedLine\": {}}, {\"ratedLine\": {}}]}", Book.class);
        assertThat(book.getLines())
                .extracting(Line::getAmount, line -> ((RatedLine) line).getRate())
                .containsExactly(tuple(5L, 0.5), tuple(3L, 0.5));
    }

    /** A bean with lines. */
    public static class Book {
        private List<Line> lines = new ArrayList<>();

        public List<Line> getLines() {
            return lines;
        }

        public void setLines(List<Line> lines) {
            this.lines = lines;
        }
    }

    /** A line with a value from the beginning. */
    public static class Line {
        private long amount = 3;

        public long getAmount() {
            return amount;
        }

        public void setAmount(long amount) {
            this.amount = amount;
        }
    }

    /** A line with a rate from the beginning. */
    public static class RatedLine extends Line {
        private double rate = 0.5;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    private interface ByClass {}

    /** The class of a view is internal: Jackson can't create its objects, as the guide states. */
    @Test
    void shouldNotBeReadableIfJacksonWritesNamesOfClasses() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        JsonMapper mapper =
                JsonMapper.builder().addMixIn(Bean.class, ByClass.class).build();
        String json = mapper.writeValueAsString(views.view(deal(fixed(1, 0.5))));

        assertThat(json).contains("BeanFixed$$View");
        assertThatThrownBy(() -> mapper.readValue(json, BeanDeal.class)).isInstanceOf(InvalidDefinitionException.class);
    }

    @Test
    void shouldEvaluateExpressionsOnSubclasses() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal deal = deal(fixed(1, 0.5), floating(2, "A"), fixed(3, 0.25));
        for (SpelCompilerMode mode : SpelCompilerMode.values()) {
            SpelExpressionParser parser = new SpelExpressionParser(new SpelParserConfiguration(mode, null));
            String text = "legs.?[#this instanceof T(" + BeanFixed.class.getName() + ")].![rate]";
            assertThat(parser.parseExpression(text).getValue(views.view(deal)))
                    .isEqualTo(parser.parseExpression(text).getValue(deal))
                    .isEqualTo(List.of(0.25));
            assertThat(parser.parseExpression("main.rate").getValue(views.view(deal)))
                    .isEqualTo(0.5);
        }
    }

    @Test
    void shouldBeReadFromTheJsonOfViews() {
        RecordViews<BeanDeal> views = RecordViews.of(BeanDeal.class, BEANS);
        BeanDeal view = views.view(deal(fixed(1, 0.5), floating(2, "A")));
        JsonMapper mapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        assertThat(mapper.readValue(mapper.writeValueAsString(view), BeanDeal.class))
                .isEqualTo(view);
    }
}
