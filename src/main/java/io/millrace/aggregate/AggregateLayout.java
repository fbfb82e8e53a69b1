package io.millrace.aggregate;

import io.millrace.aggregate.GroupSlot.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of the values stored for a group, built aggregate by aggregate: aggregates that need the same column, or
 * the same value of a column, share it. Not thread-safe; its results are valid once all aggregates are added.
 */
public final class AggregateLayout {

    private final List<Column> columns = new ArrayList<>();
    private final List<GroupSlot> slots = new ArrayList<>();
    private int width;

    /** Returns the columns to fill, in order. */
    public List<Column> columns() {
        return columns;
    }

    /** Returns the slots of a group, in order. */
    public List<GroupSlot> slots() {
        return slots;
    }

    /** Returns the number of longs of a group. */
    public int width() {
        return width;
    }

    /** Returns whether groups can be {@linkplain Groups#takeAway subtracted} again. */
    public boolean reversible() {
        return slots.stream().allMatch(slot -> slot.operation().reversible());
    }

    /** Returns the index of a column, which is added if there is none with its expression. */
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

    /** Returns the index in a group's longs of a value that is computed from no column. */
    public int at(Operation operation) {
        return at(operation, -1);
    }

    /** Returns the index in a group's longs of a value that is computed from a column; added if it is new. */
    public int at(Operation operation, int column) {
        for (GroupSlot slot : slots) {
            if (slot.operation() == operation && slot.column() == column) {
                return slot.at();
            }
        }
        GroupSlot added = new GroupSlot(operation, column, width);
        slots.add(added);
        width += operation.longs();
        return added.at();
    }
}
