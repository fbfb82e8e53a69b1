package io.millrace.bench;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random deals of ten legs for {@link ViewBenchmark}. */
final class DealData {

    static final int DEALS = 1024;
    static final int LEGS = 10;

    private DealData() {}

    static RecordViews<Deal> views(String layout) {
        String text = """
            schema: deal
            layout: %s
            fields:
              - { name: id, type: i64 }
              - { name: quantity, type: i32 }
              - { name: price, type: f64 }
              - { name: open, type: boolean }
              - { name: side, type: enum, values: [Buy, Sell] }
              - { name: limit, type: decimal, scale: 2 }
              - name: buyer
                type: group
                fields:
                  - { name: account, type: i64 }
                  - { name: rating, type: i32 }
              - name: legs
                type: group
                repeat: 10
                fields:
                  - { name: notional, type: decimal, scale: 2 }
                  - { name: rate, type: f64 }
                  - { name: count, type: i32 }
              - { name: sequence, type: i64 }
            """.formatted(layout);
        Schema schema = SchemaReader.read("deal.yml", text.getBytes(StandardCharsets.UTF_8));
        return RecordViews.of(Deal.class, schema);
    }

    static List<Deal> deals() {
        Random random = new Random(1);
        List<Deal> deals = new ArrayList<>();
        for (int i = 0; i < DEALS; i++) {
            List<Deal.Leg> legs = new ArrayList<>();
            for (int j = 0; j < LEGS; j++) {
                legs.add(new PlainDeal.PlainLeg(
                        BigDecimal.valueOf(random.nextInt(1_000_000_000), 2),
                        random.nextInt(100_000) / 10_000.0,
                        random.nextInt(1000)));
            }
            deals.add(new PlainDeal(
                    1_000_000_000L + i,
                    random.nextInt(100_000),
                    random.nextInt(1_000_000) / 10_000.0,
                    random.nextBoolean(),
                    random.nextBoolean() ? Deal.Side.BUY : Deal.Side.SELL,
                    BigDecimal.valueOf(random.nextInt(300_000), 2),
                    new PlainDeal.PlainParty(random.nextInt(1_000_000), random.nextInt(100)),
                    List.copyOf(legs),
                    i * 1000L));
        }
        return deals;
    }
}
