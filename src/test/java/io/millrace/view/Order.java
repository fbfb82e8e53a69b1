package io.millrace.view;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An order with a group and legs, of the schemas in {@link Orders}. */
public interface Order {

    /** A name of a dictionary. */
    enum Side {
        BUY,
        SELL
    }

    /** Who ordered. */
    interface Party {
        String getName();

        void setName(String name);

        @Nullable
        Integer getRating();

        void setRating(@Nullable Integer rating);
    }

    /** A part of the order. */
    interface Leg {
        BigDecimal getAmount();

        Leg setAmount(BigDecimal amount);

        Side side();

        void setSide(Side side);
    }

    long getId();

    void setId(long id);

    int getQuantity();

    void setQuantity(int quantity);

    LocalDate getDay();

    void setDay(LocalDate day);

    Instant getSeen();

    void setSeen(Instant seen);

    double getRatio();

    void setRatio(double ratio);

    boolean isOpen();

    void setOpen(boolean open);

    Side getSide();

    void setSide(Side side);

    Optional<String> getNote();

    void setNote(Optional<String> note);

    Party getParty();

    void setParty(@Nullable Party party);

    List<Leg> getLegs();

    void setLegs(List<Leg> legs);

    boolean isValid();

    default String title() {
        return getSide() + " " + getQuantity();
    }
}
