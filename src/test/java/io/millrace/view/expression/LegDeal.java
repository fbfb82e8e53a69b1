package io.millrace.view.expression;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A swap whose legs are of several classes: subclasses of a sealed class, and one that an annotation names. */
@SuppressWarnings("NullAway.Init") // set after construction
public class LegDeal {

    static final Schema SCHEMA = SchemaReader.read("deal.yml", """
            schema: deal
            layout: compact
            types:
              Leg:
                choice: [FixedLeg, FloatLeg]
                fields:
                  - { name: currency, type: string, length: 3 }
                  - { name: notional, type: decimal, scale: 2 }
              FixedLeg:
                extends: Leg
                fields:
                  - { name: rate, type: f64 }
                  - { name: days, type: i32 }
              FloatLeg:
                extends: Leg
                choice: [FloatLeg, CappedLeg]
                fields:
                  - { name: index, type: string, length: 40, charset: utf8 }
                  - { name: spread, type: f64, optional: true }
              CappedLeg:
                extends: FloatLeg
                fields:
                  - { name: cap, type: decimal, scale: 2, optional: true }
            fields:
              - { name: id, type: i64 }
              - { name: main, type: Leg }
              - { name: hedge, type: Leg, optional: true }
              - { name: legs, type: Leg, repeat: many }
            """.getBytes(StandardCharsets.UTF_8));

    /** A leg of one of three classes. */
    @SuppressWarnings("NullAway.Init") // set after construction
    public abstract static sealed class Leg permits FixedLeg, FloatLeg {
        private String currency;
        private BigDecimal notional;

        public String getCurrency() {
            return currency;
        }

        public void setCurrency(String currency) {
            this.currency = currency;
        }

        public BigDecimal getNotional() {
            return notional;
        }

        public void setNotional(BigDecimal notional) {
            this.notional = notional;
        }
    }

    /** A leg with a rate. */
    public static non-sealed class FixedLeg extends Leg {
        private double rate;
        private int days;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }

        public int getDays() {
            return days;
        }

        public void setDays(int days) {
            this.days = days;
        }
    }

    /** A leg with an index. */
    @JsonSubTypes(@JsonSubTypes.Type(CappedLeg.class))
    @SuppressWarnings("NullAway.Init") // set after construction
    public static non-sealed class FloatLeg extends Leg {
        private String index;
        private @Nullable Double spread;

        public String getIndex() {
            return index;
        }

        public void setIndex(String index) {
            this.index = index;
        }

        public @Nullable Double getSpread() {
            return spread;
        }

        public void setSpread(@Nullable Double spread) {
            this.spread = spread;
        }
    }

    /** A leg with an index and a cap. */
    public static class CappedLeg extends FloatLeg {
        private @Nullable BigDecimal cap;

        public @Nullable BigDecimal getCap() {
            return cap;
        }

        public void setCap(@Nullable BigDecimal cap) {
            this.cap = cap;
        }
    }

    private long id;
    private Leg main;
    private @Nullable Leg hedge;
    private List<Leg> legs = List.of();

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public Leg getMain() {
        return main;
    }

    public void setMain(Leg main) {
        this.main = main;
    }

    public @Nullable Leg getHedge() {
        return hedge;
    }

    public void setHedge(@Nullable Leg hedge) {
        this.hedge = hedge;
    }

    public List<Leg> getLegs() {
        return legs;
    }

    public void setLegs(List<Leg> legs) {
        this.legs = legs;
    }

    /** Returns the rule for an expression: members of a subclass are in the group of its type. */
    static String rule(String expression) {
        return expression
                .replaceAll("#this instanceof T\\(\\S+[$]Leg\\)", "true")
                .replaceAll(" instanceof T\\(\\S+[$]Leg\\)", " != null")
                .replaceAll("#this instanceof T\\(\\S+[$](\\w+)\\)", "$1 != null")
                .replaceAll(" instanceof T\\(\\S+[$](\\w+)\\)", ".$1 != null")
                .replace("FixedLeg", "fixedLeg")
                .replace("FloatLeg", "floatLeg")
                .replace("CappedLeg", "floatLeg.cappedLeg")
                .replaceAll("\\b(rate|days)\\b", "fixedLeg.$1")
                .replaceAll("\\b(index|spread)\\b", "floatLeg.$1")
                .replaceAll("\\bcap\\b", "floatLeg.cappedLeg.cap");
    }

    static LegDeal next(Transfers random) {
        LegDeal deal = new LegDeal();
        deal.setId(random.number());
        deal.setMain(leg(random));
        deal.setHedge(random.orNull(() -> leg(random)));
        deal.setLegs(random.list(3, () -> leg(random)));
        return deal;
    }

    private static Leg leg(Transfers random) {
        Leg leg = random.coin() ? fixed(random) : floating(random);
        leg.setCurrency(random.oneOf(List.of("EUR", "USD", "CHF")));
        leg.setNotional(random.amount());
        return leg;
    }

    private static FixedLeg fixed(Transfers random) {
        FixedLeg leg = new FixedLeg();
        leg.setRate(random.rate());
        leg.setDays(random.small());
        return leg;
    }

    private static FloatLeg floating(Transfers random) {
        FloatLeg leg = random.coin() ? new FloatLeg() : capped(random);
        leg.setIndex(random.text());
        leg.setSpread(random.orNull(random::rate));
        return leg;
    }

    private static CappedLeg capped(Transfers random) {
        CappedLeg leg = new CappedLeg();
        leg.setCap(random.orNull(random::amount));
        return leg;
    }
}
