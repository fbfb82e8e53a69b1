package io.millrace.feed.generator;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * RADIUS accounting of a made-up mobile network with {@value #CELLS} cells: sessions that start, tell once how they
 * are, and stop; 35,000 events of a second of their own time, so that ten minutes are 21 million. Some cells have more
 * traffic than others. One in a hundred sessions is dropped, but in cell {@value #BAD_CELL} half of them from the third
 * to the sixth minute.
 */
final class AccountingMaker implements BatchMaker {

    static final String SCHEMA = "radius-accounting";

    private static final int CELLS = 600;
    private static final int BAD_CELL = 137;

    /** Sessions that are open at the same time: all of them start, then all tell, then all stop. */
    private static final int OPEN = 4096;

    private static final int START = 0;
    private static final int STOP = 2;
    private static final int[] STATUS = {1, 3, 2};
    private static final int EVENTS_A_SECOND = 35_000;
    private static final long BEGIN = Instant.parse("2014-11-08T12:00:00Z").getEpochSecond();
    private static final int BAD_FROM = 120;
    private static final int BAD_TO = 360;
    private static final int USER_REQUEST = 1;
    private static final int LOST_CARRIER = 2;
    private static final int GERAN = 2;
    private static final int UTRAN = 1;
    private static final int EUTRAN = 6;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final AccountingTemplate template = new AccountingTemplate();
    private final Draws draws;
    private final byte[] bytes;
    private final int[] bounds;

    AccountingMaker(long seed, int batchRecords) {
        draws = new Draws(seed);
        bytes = new byte[Math.multiplyExact(template.length(STOP), batchRecords)];
        bounds = new int[batchRecords + 1];
    }

    @Override
    public int positionsPerRecord() {
        return 1;
    }

    @Override
    public void fill(RecordBatch batch, long first, int count) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            bounds[i] = at;
            at += put(first + i, at);
        }
        bounds[count] = at;
        batch.fill(bytes, bounds, count, first);
    }

    /** Writes one packet; returns its length. */
    private int put(long event, int at) {
        int step = (int) (event / OPEN % (STOP + 1));
        long session = event / (OPEN * (STOP + 1L)) * OPEN + event % OPEN;
        long second = event / EVENTS_A_SECOND;
        int length = template.length(step);
        template.copy(bytes, at, length);

        // What belongs to the session is drawn from its number, so that all its events agree.
        draws.start(session);
        int cell = cell();
        int subscriber = draws.below(10_000_000);
        long id = draws.next();
        boolean bad = cell == BAD_CELL && second >= BAD_FROM && second < BAD_TO;
        boolean dropped = draws.below(100) < (bad ? 50 : 1);
        int rat = cell % 10 == 0 ? GERAN : cell % 3 == 0 ? UTRAN : EUTRAN;

        bytes[at + 1] = (byte) event;
        RawBytes.putShort(bytes, at + 2, (short) length);
        RawBytes.putLong(bytes, at + 4, draws.next());
        RawBytes.putLong(bytes, at + 12, draws.next());
        RawBytes.putInt(bytes, at + template.nasIp, 0x0A220000 | cell % 16);
        RawBytes.putInt(bytes, at + template.framedIp, 0x64400000 | subscriber % 0x400000);
        RawBytes.putInt(bytes, at + template.status, STATUS[step]);
        RawBytes.putInt(bytes, at + template.time, (int) (BEGIN + second));
        RawBytes.putInt(bytes, at + template.chargingId, (int) session);
        bytes[at + template.rat] = (byte) rat;
        digits(at + template.msisdnDigits, subscriber);
        digits(at + template.imsiDigits, subscriber);
        hex(at + template.sessionId, id);
        location(at + template.location, cell, rat);
        if (step != START) {
            long received = draws.between(1_000, 9_000_000_000L);
            RawBytes.putInt(bytes, at + template.sessionTime, step * draws.below(1800));
            RawBytes.putInt(bytes, at + template.inputOctets, (int) (received / 8));
            RawBytes.putInt(bytes, at + template.outputOctets, (int) received);
            RawBytes.putInt(bytes, at + template.outputGigawords, (int) (received >>> 32));
        }
        if (step == STOP) {
            RawBytes.putInt(bytes, at + template.terminateCause, dropped ? LOST_CARRIER : USER_REQUEST);
        }
        return length;
    }

    /** From 1 on; the smaller ones more often. */
    private int cell() {
        double unit = draws.unit();
        return 1 + (int) (CELLS * unit * Math.sqrt(unit));
    }

    /** The location's kind goes with the network that the cell belongs to: ECGI of 4G, SAI of 3G, CGI of 2G. */
    private void location(int at, int cell, int rat) {
        bytes[at] = (byte) (rat == EUTRAN ? 129 : rat == UTRAN ? 1 : 0);
        if (rat == EUTRAN) {
            RawBytes.putInt(bytes, at + 4, cell);
        } else {
            RawBytes.putShort(bytes, at + 4, (short) (cell / 20));
            RawBytes.putShort(bytes, at + 6, (short) cell);
        }
    }

    private void digits(int at, int number) {
        int rest = number;
        for (int i = AccountingTemplate.DIGITS - 1; i >= 0; i--) {
            bytes[at + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void hex(int at, long number) {
        for (int i = 0; i < AccountingTemplate.HEX_DIGITS; i++) {
            bytes[at + i] = HEX[(int) (number >>> (60 - 4 * i)) & 0xF];
        }
    }
}
