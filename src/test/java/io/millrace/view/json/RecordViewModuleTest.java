package io.millrace.view.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.view.Order;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

/** Views as JSON. */
class RecordViewModuleTest {

    private static final String JSON = """
            {"id":8,"quantity":9,"day":"2024-03-08","seen":"2023-11-14T22:13:20.131Z","ratio":1.0,"open":true,\
            "side":"Sell","note":"note",%s"party":{"name":"name8","rating":8},\
            "legs":[{"amount":1.25,"side":"Buy"},{"amount":0.08,"side":"Sell"}]%s}""";

    static Stream<Schema> schemas() {
        return Stream.of(Orders.FIXED, Orders.COMPACT);
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void shouldWriteAndReadJson(Schema schema) {
        RecordViews<Order> views = RecordViews.of(Order.class, schema);
        JsonMapper mapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        Order order = views.view(Orders.fill(views.create(), 8));
        String marks = schema == Orders.COMPACT ? ",\"marks\":[]" : "";

        assertThat(mapper.writeValueAsString(order)).isEqualTo(JSON.formatted("", marks));
        assertThat(mapper.readValue(JSON.formatted("", ""), Order.class)).isEqualTo(order);
        assertThat(mapper.writeValueAsString(order.getLegs().get(0))).isEqualTo("{\"amount\":1.25,\"side\":\"Buy\"}");
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> mapper.readValue("{\"quantity\":1001}", Order.class))
                .withMessageContaining("Invalid value '1001' of 'quantity'. Use 1000 or less.");
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> mapper.readValue("{\"legs\":{}}", Order.class))
                .withMessageContaining("Use an array.");
    }
}
