package io.millrace.aggregate;

import io.millrace.aggregate.Slot.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out what is kept of a group, figure by figure: figures that need the same column, or the same of a column, share
 * it. Not thread-safe; what it gives is good once all figures are laid out.
 */
public final class AggregateLayout {

    private final List<Column> columns = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private int width;

    /** The columns that have to be filled, in order. */
    public List<Column> columns() {
        return columns;
    }

    /** What is kept of a group, in order. */
    public List<Slot> slots() {
        return slots;
    }

    /** How many longs are kept of a group. */
    public int width() {
        return width;
    }

    /** Whether groups can be {@linkplain Groups#takeAway taken away} again. */
    public boolean reversible() {
        return slots.stream().allMatch(slot -> slot.operation().reversible());
    }

    /** The index of a column, which is added if there is none of its expression. */
    public int column(Column column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).text().equals(column.text())
                    && columns.get(i).type().equals(column.type())) {
                return i;
            }
        }
        columns.add(column);
        return columns.size() - 1;
    }

    /** Where in a group's longs something lies that is told of no column. */
    public int at(Operation operation) {
        return at(operation, -1);
    }

    /** Where in a group's longs something lies that is told of a column; added if it is new. */
    public int at(Operation operation, int column) {
        for (Slot slot : slots) {
            if (slot.operation() == operation && slot.column() == column) {
                return slot.at();
            }
        }
        Slot added = new Slot(operation, column, width);
        slots.add(added);
        width += operation.longs();
        return added.at();
    }
}
