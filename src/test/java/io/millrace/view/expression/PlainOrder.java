package io.millrace.view.expression;

import io.millrace.view.Order;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An order without bytes. */
@SuppressWarnings("NullAway.Init") // set after construction
public class PlainOrder implements Order {
    private long id;
    private int quantity;
    private LocalDate day;
    private Instant seen;
    private double ratio;
    private boolean open;
    private Side side;
    private Optional<String> note;
    private @Nullable Party party;
    private List<Leg> legs;

    @Override
    public long getId() {
        return id;
    }

    @Override
    public void setId(long id) {
        this.id = id;
    }

    @Override
    public int getQuantity() {
        return quantity;
    }

    @Override
    public void setQuantity(int quantity) {
        this.quantity = quantity;
    }

    @Override
    public LocalDate getDay() {
        return day;
    }

    @Override
    public void setDay(LocalDate day) {
        this.day = day;
    }

    @Override
    public Instant getSeen() {
        return seen;
    }

    @Override
    public void setSeen(Instant seen) {
        this.seen = seen;
    }

    @Override
    public double getRatio() {
        return ratio;
    }

    @Override
    public void setRatio(double ratio) {
        this.ratio = ratio;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void setOpen(boolean open) {
        this.open = open;
    }

    @Override
    public Side getSide() {
        return side;
    }

    @Override
    public void setSide(Side side) {
        this.side = side;
    }

    @Override
    public Optional<String> getNote() {
        return note;
    }

    @Override
    public void setNote(Optional<String> note) {
        this.note = note;
    }

    @Override
    @SuppressWarnings("NullAway") // absent in the compact layout
    public Party getParty() {
        return party;
    }

    @Override
    public void setParty(@Nullable Party party) {
        this.party = party;
    }

    @Override
    public List<Leg> getLegs() {
        return legs;
    }

    @Override
    public void setLegs(List<Leg> legs) {
        this.legs = legs;
    }

    @Override
    public boolean isValid() {
        return quantity > 0;
    }
}
