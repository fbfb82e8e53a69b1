package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects of subclasses, whose own members views do not have. */
class SubclassTest {

    private static final Schema SCHEMA = Orders.schema("compact", """
              - { name: id, type: i64 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: i64 }
            """);

    /** A trade of legs. */
    public static class Deal {
        private long id;
        private List<Leg> legs = List.of();

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public List<Leg> getLegs() {
            return legs;
        }

        public void setLegs(List<Leg> legs) {
            this.legs = legs;
        }
    }

    /** What all legs have. */
    public static class Leg {
        private long amount;

        public long getAmount() {
            return amount;
        }

        public void setAmount(long amount) {
            this.amount = amount;
        }
    }

    /** Adds no values: its getter computes one, and its cache is not a value. */
    public static class DoubledLeg extends Leg {
        private transient long cached;

        public long getDoubled() {
            cached = 2 * getAmount();
            return cached;
        }
    }

    /** Adds a rate. */
    public static class FixedLeg extends Leg {
        private double rate;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }
    }

    /** Its fields are for methods that all objects have. */
    public static class DescribedLeg extends Leg {
        private String text = "leg";
        private int hash;

        @Override
        public String toString() {
            return text;
        }

        @Override
        @SuppressWarnings("EqualsHashCode") // its hash code is that of the object
        public int hashCode() {
            if (hash == 0) {
                hash = System.identityHashCode(this);
            }
            return hash;
        }
    }

    private static Deal deal(Leg leg) {
        leg.setAmount(7);
        Deal deal = new Deal();
        deal.setLegs(List.of(leg));
        return deal;
    }

    @Test
    void shouldRefuseASubclassWithMembersOfItsOwn() {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        String message = "Views of " + Leg.class.getName() + " would lose [rate] of " + FixedLeg.class.getName()
                + ". Add them to the type and to the schema, or accept the loss with ignoreMembersOf(FixedLeg.class)"
                + " of the builder.";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.view(deal(new FixedLeg())))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> views.bytes(deal(new FixedLeg() {})))
                .withMessageContaining("would lose [rate]");
        Deal edited = views.create();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edited.setLegs(List.of(new FixedLeg())))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> edited.getLegs().add(new FixedLeg()))
                .withMessage(message);
        assertThat(edited.getLegs()).isEmpty();
    }

    /** A deal with a leg that can be absent. */
    public static class MainDeal {
        private @Nullable Leg main;

        public @Nullable Leg getMain() {
            return main;
        }

        public void setMain(@Nullable Leg main) {
            this.main = main;
        }
    }

    @Test
    void shouldLeaveAnAbsentGroupAbsentIfItsValueIsRefused() {
        MainDeal deal =
                RecordViews.of(MainDeal.class, Orders.schema("compact", """
                          - { name: main, type: group, optional: true, fields: [{ name: amount, type: i64 }] }
                        """)).create();
        assertThatIllegalArgumentException().isThrownBy(() -> deal.setMain(new FixedLeg()));
        assertThat(deal.getMain()).isNull();
    }

    static List<Leg> legsWithoutValuesOfTheirOwn() {
        return List.of(new DoubledLeg(), new DescribedLeg());
    }

    @ParameterizedTest
    @MethodSource("legsWithoutValuesOfTheirOwn")
    void shouldTakeASubclassWithoutValuesOfItsOwn(Leg leg) {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        assertThat(views.view(deal(leg)).getLegs().getFirst().getAmount()).isEqualTo(7);
    }

    @Test
    void shouldLoseMembersOnlyIfThisIsAccepted() {
        RecordViews<Deal> views = RecordViews.builder(Deal.class, SCHEMA)
                .ignoreMembersOf(FixedLeg.class)
                .build();
        assertThat(views.view(deal(new FixedLeg())).getLegs().getFirst().getAmount())
                .isEqualTo(7);
    }
}
