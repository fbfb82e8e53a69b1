package io.millrace.bench;

import io.millrace.bench.sbe.BooleanType;
import io.millrace.bench.sbe.Currency;
import io.millrace.bench.sbe.MessageHeaderDecoder;
import io.millrace.bench.sbe.MessageHeaderEncoder;
import io.millrace.bench.sbe.OrderDecoder;
import io.millrace.bench.sbe.OrderEncoder;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Orders in Simple Binary Encoding, written and read by the codec that sbe-tool generates from
 * {@code src/jmh/resources/sbe/order.xml}. Buffers check bounds, as they do by default. Not thread-safe.
 */
final class SbeOrders {

    private static final long LIMIT = 1000_00;
    private static final long NOTIONAL = 1_000_000_00;
    private static final int MAX_BYTES = 256;

    private final UnsafeBuffer buffer;
    private final int[] bounds;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderDecoder order = new OrderDecoder();

    SbeOrders(List<GroupsData.Order> orders) {
        buffer = new UnsafeBuffer(new byte[orders.size() * MAX_BYTES]);
        bounds = new int[orders.size() + 1];
        for (int i = 0; i < orders.size(); i++) {
            bounds[i + 1] = encode(orders.get(i), bounds[i]);
        }
    }

    /** Writes an order and returns the offset past it. */
    private int encode(GroupsData.Order from, int at) {
        OrderEncoder to = new OrderEncoder().wrapAndApplyHeader(buffer, at, new MessageHeaderEncoder());
        to.id(from.getId()).currency(Currency.valueOf(from.getCurrency()));
        to.limitPrice().mantissa(from.getLimit().unscaledValue().longValueExact());
        OrderEncoder.LegsEncoder legs = to.legsCount(from.getLegs().size());
        for (GroupsData.Leg leg : from.getLegs()) {
            legs.next()
                    .rate(leg.getRate())
                    .open(leg.isOpen() ? BooleanType.T : BooleanType.F)
                    .notional()
                    .mantissa(leg.getNotional().unscaledValue().longValueExact());
        }
        return to.limit();
    }

    /** Returns the average bytes of an order. */
    int averageBytes() {
        return bounds[bounds.length - 1] / (bounds.length - 1);
    }

    /** Returns the number of orders that the rule of {@link CompactBenchmark} keeps. */
    int kept() {
        int kept = 0;
        for (int i = 0; i + 1 < bounds.length; i++) {
            order.wrapAndApplyHeader(buffer, bounds[i], header);
            if (order.id() > 10
                    && order.currency() != Currency.JPY
                    && order.limitPrice().mantissa() > LIMIT
                    && hasLeg(order.legs())) {
                kept++;
            }
        }
        return kept;
    }

    private static boolean hasLeg(OrderDecoder.LegsDecoder legs) {
        while (legs.hasNext()) {
            legs.next();
            if (legs.notional().mantissa() > NOTIONAL && legs.open() == BooleanType.T) {
                return true;
            }
        }
        return false;
    }
}
