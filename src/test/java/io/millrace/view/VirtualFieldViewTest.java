package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual fields of a schema as getters. */
class VirtualFieldViewTest {

    private static Schema schema(String layout) {
        String text = """
            schema: sales
            layout: %s
            fields:
              - { name: id, type: i64 }
              - { name: quantity, type: i32 }
              - { name: price, type: decimal, scale: 2 }
              - { name: discount, type: i32, optional: true }
              - { name: name, type: string, length: 10 }
              - { name: total, virtual: quantity * price }
              - { name: large, virtual: quantity > 100 }
              - { name: code, virtual: "name.toUpperCase()" }
              - { name: rebate, virtual: discount }
              - { name: each, virtual: 1000 / quantity }
            """.formatted(layout);
        return SchemaReader.read("sales.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** A sale. */
    public interface Sale {
        long getId();

        void setId(long id);

        int getQuantity();

        void setQuantity(int quantity);

        BigDecimal getPrice();

        void setPrice(BigDecimal price);

        void setName(String name);

        void setDiscount(Integer discount);

        BigDecimal getTotal();

        boolean isLarge();

        String getCode();

        Optional<Long> getRebate();

        long getEach();
    }

    private static Sale sale(RecordViews<Sale> views, int quantity) {
        Sale sale = views.create();
        sale.setId(7);
        sale.setQuantity(quantity);
        sale.setPrice(new BigDecimal("2.50"));
        sale.setName("book");
        return sale;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldComputeVirtualFields(String layout) {
        RecordViews<Sale> views = RecordViews.of(Sale.class, schema(layout));
        Sale mutable = sale(views, 200);
        for (Sale sale : List.of(mutable, views.view(mutable))) {
            assertThat(sale.getTotal()).isEqualByComparingTo("500");
            assertThat(sale.isLarge()).isTrue();
            assertThat(sale.getCode()).isEqualTo("BOOK");
            assertThat(sale.getRebate()).isEmpty();
            assertThat(sale.getEach()).isEqualTo(5);
        }
        mutable.setQuantity(3);
        mutable.setDiscount(8);
        assertThat(mutable.getTotal()).isEqualByComparingTo("7.5");
        assertThat(mutable.isLarge()).isFalse();
        assertThat(views.view(mutable).getRebate()).contains(8L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldReportVirtualFieldsWithoutResult(String layout) {
        RecordViews<Sale> views = RecordViews.of(Sale.class, schema(layout));
        Sale sale = views.view(sale(views, 0));
        assertThatIllegalArgumentException().isThrownBy(sale::getEach);
        assertThat(sale.getTotal()).isEqualByComparingTo("0");
    }

    @Test
    void shouldComputeForManyThreads() {
        RecordViews<Sale> views = RecordViews.of(Sale.class, schema("compact"));
        List<Sale> sales = IntStream.range(0, 1000)
                .mapToObj(i -> views.view(sale(views, i)))
                .toList();
        assertThat(IntStream.range(0, 20_000)
                        .parallel()
                        .filter(i ->
                                sales.get(i % 1000).getTotal().compareTo(BigDecimal.valueOf(i % 1000 * 25L, 1)) != 0)
                        .count())
                .isZero();
    }

    /** A record class with a virtual field. */
    record SaleRecord(long id, BigDecimal total) {}

    @Test
    void shouldComputeComponentsOfJavaRecords() {
        RecordViews<Sale> views = RecordViews.of(Sale.class, schema("fixed"));
        SaleRecord sale = RecordViews.of(SaleRecord.class, schema("fixed")).of(views.bytes(sale(views, 4)));
        assertThat(sale.id()).isEqualTo(7);
        assertThat(sale.total()).isEqualByComparingTo("10");
    }

    /** Getters that can't hold the values. */
    interface Narrow {
        int getTotal();
    }

    interface Absent {
        long getRebate();
    }

    @Test
    void shouldRefuseGettersThatCannotHoldTheValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Narrow.class, schema("fixed")))
                .withMessageContaining("getTotal() can't hold the values of 'total'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(Absent.class, schema("fixed")))
                .withMessageContaining("or null where absent");
    }

    @Test
    void shouldRefuseInvalidVirtualFields() {
        String text = """
            schema: wrong
            fields:
              - { name: id, type: i64 }
              - { name: total, virtual: id * name }
            """;
        Schema wrong = SchemaReader.read("wrong.yml", text.getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> RecordViews.of(Narrow.class, wrong))
                .withMessageContaining("name");
    }
}
