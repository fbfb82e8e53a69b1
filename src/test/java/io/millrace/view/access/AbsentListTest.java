package io.millrace.view.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.Schema;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Lists without elements: null and empty are the same in the bytes. */
class AbsentListTest {

    private static final Schema SCHEMA = Orders.schema("compact", """
              - { name: marks, type: i32, repeat: many }
              - { name: count, virtual: "#count(marks)" }
              - { name: inner, virtual: "#count(party.lines)" }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: lines, type: i32, repeat: many }
            """);

    /** A group with a list. */
    public static class Party {
        private @Nullable List<Integer> lines;

        public @Nullable List<Integer> getLines() {
            return lines;
        }

        public void setLines(@Nullable List<Integer> lines) {
            this.lines = lines;
        }
    }

    /** A class whose lists are null at first. */
    public static class Deal {
        private @Nullable List<Integer> marks;
        private @Nullable Party party;

        public @Nullable List<Integer> getMarks() {
            return marks;
        }

        public void setMarks(@Nullable List<Integer> marks) {
            this.marks = marks;
        }

        public @Nullable Party getParty() {
            return party;
        }

        public void setParty(@Nullable Party party) {
            this.party = party;
        }
    }

    /** Getters of virtual fields. */
    public interface Counts {
        long count();

        long inner();
    }

    private static @Nullable Object stock(String expression, Object root) throws NoSuchMethodException {
        StandardEvaluationContext context = new StandardEvaluationContext(root);
        context.registerFunction("count", AbsentListTest.class.getMethod("count", Collection.class));
        return new SpelExpressionParser().parseExpression(expression).getValue(context);
    }

    /** A function of an application, as Millrace defines it: null has no elements. */
    public static int count(@Nullable Collection<?> list) {
        return list == null ? 0 : list.size();
    }

    @Test
    void shouldReadANullListAsAnEmptyOne() {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        Deal empty = new Deal();
        empty.setMarks(List.of());
        Deal missing = new Deal();
        assertThat(views.bytes(missing)).isEqualTo(views.bytes(empty));
        assertThat(missing.getMarks()).isNull();
        assertThat(views.view(missing).getMarks()).isEmpty();
        assertThat(views.view(missing).getParty()).isNull();
        Deal edited = views.edit(empty);
        edited.setMarks(null);
        assertThat(edited.getMarks()).isEmpty();
    }

    /** An element that is null has no bytes. */
    @Test
    void shouldRefuseElementsThatAreNull() {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        Deal deal = new Deal();
        deal.setMarks(Collections.singletonList(null));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> views.bytes(deal))
                .withMessageContaining("marks");
    }

    @Test
    void shouldCountNoElementsOfAnAbsentListEverywhere() throws NoSuchMethodException {
        RecordViews<Deal> views = RecordViews.of(Deal.class, SCHEMA);
        RecordViews<Counts> counts = RecordViews.of(Counts.class, SCHEMA);
        for (boolean withParty : new boolean[] {false, true}) {
            Deal deal = new Deal();
            if (withParty) {
                deal.setParty(new Party());
            }
            Counts counted = counts.of(views.bytes(deal));
            assertThat(counted.count()).isZero();
            assertThat(counted.inner()).isZero();
            for (Object root : List.of(deal, views.view(deal))) {
                assertThat(stock("#count(marks)", root)).isEqualTo(0);
                assertThat(stock("#count(party?.lines)", root)).isEqualTo(0);
            }
            assertThat(stock("marks?.size()", deal)).isNull();
            assertThat(stock("marks?.size()", views.view(deal))).isEqualTo(0);
        }
    }
}
