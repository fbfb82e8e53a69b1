package io.millrace.view.expression;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A desk of a bank, which consists of desks. */
public interface Desk {

    /** How often a desk contains itself, as in the schema. */
    int DEPTH = 3;

    Schema SCHEMA = SchemaReader.read("desk.yml", """
            schema: desk
            layout: compact
            types:
              Desk:
                fields:
                  - { name: name, type: string, length: 40, charset: utf8 }
                  - { name: limit, type: decimal, scale: 2, optional: true }
                  - { name: heads, type: i32 }
                  - { name: open, type: boolean }
                  - { name: deputy, type: Desk, optional: true, depth: 3 }
                  - { name: desks, type: Desk, repeat: many, depth: 3 }
            extends: Desk
            """.getBytes(StandardCharsets.UTF_8));

    String getName();

    @Nullable
    BigDecimal getLimit();

    int getHeads();

    boolean isOpen();

    @Nullable
    Desk getDeputy();

    List<Desk> getDesks();

    /** A desk without bytes. */
    record Plain(
            String getName,
            @Nullable BigDecimal getLimit,
            int getHeads,
            boolean isOpen,
            @Nullable Desk getDeputy,
            List<Desk> getDesks)
            implements Desk {}

    static Desk next(Transfers random) {
        return next(random, DEPTH);
    }

    private static Desk next(Transfers random, int levels) {
        boolean innermost = levels == 1;
        return new Plain(
                random.text(),
                random.orNull(random::amount),
                random.small(),
                random.coin(),
                innermost ? null : random.orNull(() -> next(random, levels - 1)),
                innermost ? List.of() : random.list(2, () -> next(random, levels - 1)));
    }
}
