package io.millrace.view.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an application got from a mutable view before it changes the view, compared with plain objects. */
@SuppressWarnings("JavaUtilDate") // the type of a getter
class HeldPartsTest {

    private static final String TEXT = """
            schema: swaps
            layout: compact
            fields:
              - { name: day, type: date, optional: true }
              - name: legs
                type: group
                repeat: 9
                fields: [{ name: rate, type: i32 }]
              - name: main
                type: group
                optional: true
                fields:
                  - { name: rate, type: i32 }
                  - name: marks
                    type: group
                    repeat: 9
                    fields: [{ name: rate, type: i32 }]
            """;

    /** A leg. */
    public interface Leg {
        int getRate();

        void setRate(int rate);
    }

    /** A leg with marks. */
    public interface MainLeg extends Leg {
        List<Leg> getMarks();

        void setMarks(List<Leg> marks);
    }

    /** A swap. */
    public interface Swap {
        @Nullable
        Date getDay();

        void setDay(@Nullable Date day);

        List<Leg> getLegs();

        void setLegs(List<Leg> legs);

        @Nullable
        MainLeg getMain();

        void setMain(@Nullable MainLeg main);
    }

    private final RecordViews<Swap> views =
            RecordViews.of(Swap.class, SchemaReader.read("swaps.yml", TEXT.getBytes(StandardCharsets.UTF_8)));

    private Leg leg(int rate) {
        Leg leg = views.create(Leg.class, "legs[]");
        leg.setRate(rate);
        return leg;
    }

    private MainLeg main(int rate, int... marks) {
        MainLeg main = views.create(MainLeg.class, "main");
        main.setRate(rate);
        for (int mark : marks) {
            Leg leg = views.create(Leg.class, "main.marks[]");
            leg.setRate(mark);
            main.getMarks().add(leg);
        }
        return main;
    }

    private static List<Integer> rates(List<Leg> legs) {
        return legs.stream().map(Leg::getRate).toList();
    }

    @Test
    void shouldKeepTheElementsOfAListThatWasReplaced() {
        Swap swap = views.create();
        swap.setLegs(List.of(leg(1), leg(2)));
        List<Leg> held = swap.getLegs();
        swap.setLegs(List.of(leg(3)));
        assertThat(rates(held)).containsExactly(1, 2);
        held.add(leg(4));
        assertThat(rates(held)).containsExactly(1, 2, 4);
        assertThat(rates(swap.getLegs())).containsExactly(3);

        // Changes of the list that the record has still change the record.
        List<Leg> current = swap.getLegs();
        current.add(leg(5));
        assertThat(rates(swap.getLegs())).containsExactly(3, 5);
        swap.setLegs(current);
        assertThat(rates(views.view(swap).getLegs())).containsExactly(3, 5);
    }

    @Test
    void shouldKeepTheElementsOfAListWhoseGroupWasReplaced() {
        Swap swap = views.create();
        swap.setMain(main(1, 2, 3));
        MainLeg held = Objects.requireNonNull(swap.getMain());
        List<Leg> marks = held.getMarks();
        swap.setMain(main(4, 5));
        assertThat(rates(marks)).containsExactly(2, 3);
        swap.setMain(null);
        swap.setMain(main(6));
        assertThat(rates(marks)).containsExactly(2, 3);
        assertThat(rates(Objects.requireNonNull(views.view(swap).getMain()).getMarks()))
                .isEmpty();
    }

    /** A difference: the group of an object would keep its values. */
    @Test
    void shouldShowTheRecordInAGroupThatWasReplaced() {
        Swap swap = views.create();
        swap.setMain(main(1));
        MainLeg held = Objects.requireNonNull(swap.getMain());
        swap.setMain(main(2));
        assertThat(held.getRate()).isEqualTo(2);
        held.setRate(3);
        assertThat(Objects.requireNonNull(views.view(swap).getMain()).getRate()).isEqualTo(3);
        swap.setMain(null);
        assertThat(held.getRate()).isZero();
    }

    /** A difference: the date of an object would change. */
    @Test
    void shouldReturnCopiesOfDates() {
        Swap swap = views.create();
        swap.setDay(new Date(86_400_000));
        Date day = Objects.requireNonNull(swap.getDay());
        day.setTime(0);
        assertThat(swap.getDay()).isEqualTo(new Date(86_400_000));
    }
}
