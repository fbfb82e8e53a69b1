package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views of types that can be cloned. */
class CloneTest {

    private static final String FIELDS = """
              - { name: id, type: i64 }
              - name: legs
                type: group
                repeat: 2
                fields:
                  - { name: amount, type: i64 }
            """;

    /** A class that clones itself as many do. */
    public static class Deal implements Cloneable {
        private long id;
        private List<Leg> legs = new ArrayList<>();

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

        @Override
        public Deal clone() {
            try {
                Deal copy = (Deal) super.clone();
                copy.legs = new ArrayList<>(legs);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError("it is cloneable", e);
            }
        }
    }

    /** An interface that can be cloned. */
    public interface Leg extends Cloneable {
        long getAmount();

        void setAmount(long amount);

        Leg clone();
    }

    /** Its views could not be cloned. */
    public static class FinalClone implements Cloneable {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        @Override
        public final FinalClone clone() throws CloneNotSupportedException {
            return (FinalClone) super.clone();
        }
    }

    static Stream<Schema> schemas() {
        return Stream.of("fixed", "compact").map(layout -> Orders.schema(layout, FIELDS));
    }

    private static Deal deal(RecordViews<Deal> views) {
        Deal deal = views.create();
        deal.setId(1);
        for (int i = 0; i < 2; i++) {
            Leg leg = views.create(Leg.class);
            leg.setAmount(10 + i);
            deal.getLegs().add(leg);
        }
        return deal;
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldShareNothingWithTheOriginal(Schema schema) {
        RecordViews<Deal> views = RecordViews.of(Deal.class, schema);
        Deal deal = schema.layout().nests() ? deal(views) : views.create();
        deal.setId(1);
        Deal copy = deal.clone();
        assertThat(copy).isNotSameAs(deal).isEqualTo(deal).hasSameHashCodeAs(deal);
        copy.setId(2);
        copy.getLegs().getFirst().setAmount(99);
        assertThat(deal.getId()).isEqualTo(1);
        assertThat(deal.getLegs().getFirst().getAmount()).isNotEqualTo(99);

        Leg leg = copy.getLegs().getFirst();
        Leg legCopy = leg.clone();
        assertThat(legCopy).isEqualTo(leg);
        legCopy.setAmount(5);
        assertThat(leg.getAmount()).isEqualTo(99);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldCloneImmutableViews(Schema schema) {
        RecordViews<Deal> views = RecordViews.of(Deal.class, schema);
        Deal view = views.view(views.create());
        assertThat(view.clone()).isNotSameAs(view).isEqualTo(view);
        assertThat(views.bytes(view.clone())).isEqualTo(views.bytes(view));
    }

    @Test
    void shouldRefuseAFinalClone() {
        Schema schema = Orders.schema("fixed", "  - { name: id, type: i64 }\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(FinalClone.class, schema))
                .withMessageContaining("its method clone is final, and would share the bytes with the original");
    }
}
