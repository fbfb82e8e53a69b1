package io.millrace.measure.plan;

import io.millrace.aggregate.GroupAggregate;

/** The mean of all present values. */
record MeanAggregate(GroupAggregate accumulator) implements Aggregate.OfReal {
    @Override
    public boolean optional() {
        return true;
    }

    @Override
    public boolean absent(GroupCursor group) {
        return accumulator.none(group.accumulators(), group.from());
    }

    @Override
    public double real(GroupCursor group) {
        return new SumAggregate(accumulator).real(group) / group.accumulators()[group.from() + accumulator.countAt()];
    }
}
