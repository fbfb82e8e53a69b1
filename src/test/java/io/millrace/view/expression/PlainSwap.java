package io.millrace.view.expression;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import swaps.Swap;

/** A swap without bytes. */
record PlainSwap(
        String getId,
        LocalDate getTradeDate,
        Status getStatus,
        Party getBuyer,
        @Nullable Party getBroker,
        List<Leg> getLegs,
        List<String> getBooks)
        implements Swap {

    @Override
    public void setStatus(Status status) {
        throw new UnsupportedOperationException();
    }

    /** A party without bytes. */
    record PlainParty(String getName, Optional<String> getLei, String getCountry) implements Party {}

    /** A leg without bytes. */
    record PlainLeg(
            String getCurrency, BigDecimal getNotional, Optional<Double> getFixedRate, List<Payment> getPayments)
            implements Leg {

        @Override
        public void setNotional(BigDecimal notional) {
            throw new UnsupportedOperationException();
        }
    }

    /** A payment without bytes. */
    record PlainPayment(LocalDate getDate, BigDecimal getAmount) implements Payment {}

    static PlainSwap next(Transfers random) {
        return new PlainSwap(
                random.oneOf(List.of("EUR", "", "fee")),
                random.day(),
                random.oneOf(List.of(Status.values())),
                party(random),
                random.orNull(() -> party(random)),
                random.list(3, () -> leg(random)),
                random.list(3, () -> random.oneOf(List.of("EUR", "", "abc"))));
    }

    private static Party party(Transfers random) {
        return new PlainParty(
                random.text(),
                Optional.ofNullable(random.orNull(() -> "5493001KJTIIGC8Y1R12")),
                random.oneOf(List.of("DE", "US", "", "X")));
    }

    private static Leg leg(Transfers random) {
        return new PlainLeg(
                random.oneOf(List.of("EUR", "USD", "CHF")),
                random.amount(),
                Optional.ofNullable(random.orNull(random::rate)),
                random.list(3, () -> new PlainPayment(random.day(), random.amount())));
    }
}
