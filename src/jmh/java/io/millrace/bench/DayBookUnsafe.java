package io.millrace.bench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.math.BigInteger;

/**
 * {@code sun.misc.Unsafe}, {@value DayBookStore#PACKED} bytes an order. Called through constant method handles, which
 * the JIT compiler makes the same instructions of as of calls: a call written in the source is a warning that can't be
 * suppressed.
 */
final class DayBookUnsafe implements DayBookStore {

    private static final MethodHandle ALLOCATE = method("allocateMemory", long.class, long.class);
    private static final MethodHandle FREE = method("freeMemory", void.class, long.class);
    private static final MethodHandle PUT_INT = method("putInt", void.class, long.class, int.class);
    private static final MethodHandle PUT_BYTE = method("putByte", void.class, long.class, byte.class);
    private static final MethodHandle GET_INT = method("getInt", int.class, long.class);
    private static final MethodHandle GET_BYTE = method("getByte", byte.class, long.class);

    private final long start;
    private final int most;

    DayBookUnsafe(int most) {
        this.most = most;
        try {
            start = (long) ALLOCATE.invokeExact((long) most * PACKED);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void fill(DayBookData data, int orders) {
        try {
            long to = start;
            for (int i = 0; i < orders; i++) {
                int at = i % DayBookData.DRAWN;
                PUT_INT.invokeExact(to, data.tickets[at]);
                PUT_INT.invokeExact(to + 4, data.amounts[at]);
                PUT_INT.invokeExact(to + 8, data.prices[at]);
                PUT_BYTE.invokeExact(to + 12, (byte) (data.buys[at] ? 1 : 0));
                to += PACKED;
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public BigInteger balance() {
        try {
            long sum = 0;
            long at = start;
            for (int i = 0; i < most; i++) {
                int amount = (int) GET_INT.invokeExact(at + 4);
                int price = (int) GET_INT.invokeExact(at + 8);
                byte buy = (byte) GET_BYTE.invokeExact(at + 12);
                sum += (long) amount * price * (buy == 1 ? 1 : -1);
                at += PACKED;
            }
            return BigInteger.valueOf(sum);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long bytes() {
        return (long) most * PACKED;
    }

    @Override
    public void close() {
        try {
            FREE.invokeExact(start);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle method(String name, Class<?> result, Class<?>... parameters) {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(type, name, MethodType.methodType(result, parameters))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
