package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views with a key are in the order of the objects for which they stand. */
class KeyOrderTest {

    private static final String FIELDS = """
              - { name: status, type: enum, values: [Closed, Open, Amended], optional: true }
              - { name: id, type: i32 }
            """;

    /** Neither in the order of its names nor in that of the schema. */
    enum Status {
        OPEN,
        CLOSED,
        AMENDED
    }

    /** A getter of the Java enum. */
    interface Constants {
        @Nullable
        Status getStatus();

        void setStatus(@Nullable Status status);

        int getId();

        void setId(int id);
    }

    /** A getter of an optional Java enum. */
    interface Optionals {
        Optional<Status> status();

        int id();
    }

    /** A getter of the name. */
    interface Names {
        @Nullable
        String status();

        int id();
    }

    private static <T> RecordViews<T> views(Class<T> type, Schema schema) {
        return RecordViews.builder(type, schema).key("status", "id").build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldOrderEnumsAsTheGetterDoes(String layout) {
        Schema schema = Orders.schema(layout, FIELDS);
        RecordViews<Constants> constants = views(Constants.class, schema);
        List<byte[]> records = Stream.of(null, Status.AMENDED, Status.CLOSED, Status.OPEN)
                .flatMap(status -> Stream.of(2, 1).map(id -> {
                    Constants view = constants.create();
                    view.setStatus(status);
                    view.setId(id);
                    return constants.bytes(view);
                }))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.reverse(records);

        assertThat(records.stream().map(constants::of).sorted(constants.comparator()))
                .extracting(Constants::getStatus)
                .containsExactly(
                        null,
                        null,
                        Status.OPEN,
                        Status.OPEN,
                        Status.CLOSED,
                        Status.CLOSED,
                        Status.AMENDED,
                        Status.AMENDED);
        Comparator<Constants> ofObjects = Comparator.comparing(
                        Constants::getStatus, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparingLong(Constants::getId);
        assertThat(records.stream().map(constants::of).sorted().toList())
                .isSortedAccordingTo(ofObjects)
                .isSortedAccordingTo(constants.comparator());

        RecordViews<Optionals> optionals = views(Optionals.class, schema);
        assertThat(records.stream().map(optionals::of).sorted(optionals.comparator()))
                .extracting(Optionals::status)
                .containsSubsequence(
                        Optional.empty(),
                        Optional.of(Status.OPEN),
                        Optional.of(Status.CLOSED),
                        Optional.of(Status.AMENDED));
        RecordViews<Names> names = views(Names.class, schema);
        assertThat(records.stream().map(names::of).sorted(names.comparator()))
                .extracting(Names::status)
                .containsExactly(null, null, "Amended", "Amended", "Closed", "Closed", "Open", "Open");
    }
}
