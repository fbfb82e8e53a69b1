package io.millrace.feed.generator;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;

/**
 * Generates RADIUS accounting of a fictitious mobile network in Istanbul with {@value #CELLS} cells and
 * {@value #SUBSCRIBERS} subscribers, whose numbers are those of a test network: sessions with a start, one interim
 * update and a stop, at the times of a {@linkplain DayCurve day}. Cells with small numbers have more traffic than
 * others. A dropped session ends with Lost-Carrier, which is more frequent in {@linkplain BadCells some cells at some
 * times}.
 */
final class AccountingMaker implements BatchMaker {

    static final String SCHEMA = "radius-accounting";

    static final int CELLS = 3000;
    static final int SUBSCRIBERS = 300_000;

    /** Values of 3GPP-RAT-Type (TS 29.061, section 16.4.7.2). */
    static final int UTRAN = 1;

    static final int GERAN = 2;
    static final int EUTRAN = 6;

    /** Number of concurrent sessions: all of them start, then all send an interim update, then all stop. */
    private static final int OPEN = 4096;

    private static final int START = 0;
    private static final int STOP = 2;
    private static final int[] STATUS = {1, 3, 2};
    private static final byte[] RATS = rats();
    private static final int USER_REQUEST = 1;
    private static final int LOST_CARRIER = 2;
    private static final int IDLE_TIMEOUT = 4;

    /** One in so many sessions that are not dropped ends by idle timeout. */
    private static final int IDLE_ONE_IN = 8;

    private final AccountingTemplate template = new AccountingTemplate();
    private final BadCells badCells = new BadCells(CELLS);
    private final DayCurve now = new DayCurve();
    private final DayCurve start = new DayCurve();
    private final Draws draws;
    private final byte[] bytes;
    private final int[] bounds;
    /** For each event of a batch its cell, and the numbers that its other values are drawn from. */
    private final int[] cells;

    private final long[] drawn;

    AccountingMaker(long seed, int batchRecords) {
        draws = new Draws(seed);
        bytes = new byte[Math.multiplyExact(template.length(STOP), batchRecords)];
        bounds = new int[batchRecords + 1];
        cells = new int[batchRecords];
        drawn = new long[batchRecords];
    }

    @Override
    public int positionsPerRecord() {
        return 1;
    }

    @Override
    public void fill(RecordBatch batch, long first, int count) {
        draw(first, count);
        int at = 0;
        for (int i = 0; i < count; i++) {
            bounds[i] = at;
            at += put(first + i, i, at);
        }
        bounds[count] = at;
        batch.fill(bytes, bounds, count, first);
    }

    /**
     * Draws the cells of all events before the first packet is written: each takes many dependent instructions, so that
     * the processor computes several at once in a short loop.
     */
    private void draw(long first, int count) {
        for (int i = 0; i < count; i++) {
            // Values of a session are drawn from its number, so that all its events have the same ones.
            draws.start(sessionOf(first + i));
            cells[i] = cell();
            drawn[i] = draws.state();
        }
    }

    private static long sessionOf(long event) {
        return event / (OPEN * (STOP + 1L)) * OPEN + event % OPEN;
    }

    /** Writes one packet and returns its length. */
    private int put(long event, int index, int at) {
        int step = (int) (event / OPEN % (STOP + 1));
        now.moveTo(event);
        start.moveTo(event - (long) step * OPEN);
        int length = template.length(step);
        template.copy(bytes, at, length);

        draws.resume(drawn[index]);
        int cell = cells[index];
        int subscriber = draws.below(SUBSCRIBERS);
        long id = draws.next();
        boolean dropped = draws.below(100) < badCells.dropPercent(cell, now.secondOfDay());
        int rat = RATS[cell];

        bytes[at + 1] = (byte) event;
        RawBytes.putShort(bytes, at + 2, (short) length);
        RawBytes.putLong(bytes, at + 4, draws.next());
        RawBytes.putLong(bytes, at + 12, draws.next());
        RawBytes.putInt(bytes, at + template.nasIp, 0x0A220000 | cell % 16);
        RawBytes.putInt(bytes, at + template.framedIp, 0x64400000 | subscriber);
        RawBytes.putInt(bytes, at + template.status, STATUS[step]);
        RawBytes.putInt(bytes, at + template.time, (int) now.epochSecond());
        RawBytes.putInt(bytes, at + template.chargingId, (int) sessionOf(event));
        bytes[at + template.rat] = (byte) rat;
        long digits = digits(subscriber);
        RawBytes.putLong(bytes, at + template.msisdnDigits, digits);
        RawBytes.putLong(bytes, at + template.imsiDigits, digits);
        RawBytes.putLong(bytes, at + template.sessionId, hex((int) (id >>> Integer.SIZE)));
        RawBytes.putLong(bytes, at + template.sessionId + Long.BYTES, hex((int) id));
        location(at + template.location, cell, rat);
        if (step != START) {
            long received = draws.between(1_000, 9_000_000_000L) * step / STOP;
            RawBytes.putInt(bytes, at + template.sessionTime, (int) (now.epochSecond() - start.epochSecond()));
            RawBytes.putInt(bytes, at + template.inputOctets, (int) (received / 8));
            RawBytes.putInt(bytes, at + template.outputOctets, (int) received);
            RawBytes.putInt(bytes, at + template.outputGigawords, (int) (received >>> 32));
        }
        if (step == STOP) {
            int cause = draws.below(IDLE_ONE_IN) == 0 ? IDLE_TIMEOUT : USER_REQUEST;
            RawBytes.putInt(bytes, at + template.terminateCause, dropped ? LOST_CARRIER : cause);
        }
        return length;
    }

    /** Returns a cell number from 1 on; smaller ones are more frequent. */
    private int cell() {
        double unit = draws.unit();
        return 1 + (int) (CELLS * unit * Math.sqrt(unit));
    }

    /** Returns the radio technology of a cell: 2G for one cell in ten, 3G for three in ten, 4G for the others. */
    static int ratOf(int cell) {
        return cell % 10 == 0 ? GERAN : cell % 3 == 0 ? UTRAN : EUTRAN;
    }

    /** Returns the technologies of all cells: the processor often mispredicts branches on the number of a cell. */
    private static byte[] rats() {
        byte[] rats = new byte[CELLS + 1];
        for (int cell = 1; cell <= CELLS; cell++) {
            rats[cell] = (byte) ratOf(cell);
        }
        return rats;
    }

    /** Writes the location, whose type follows the cell's technology: ECGI for 4G, SAI for 3G, CGI for 2G. */
    private void location(int at, int cell, int rat) {
        int area = rat == EUTRAN ? 0 : cell / 20;
        bytes[at] = (byte) (rat == EUTRAN ? 129 : rat == UTRAN ? 1 : 0);
        RawBytes.putInt(bytes, at + 4, (area << Short.SIZE) | cell);
    }

    /** Returns the eight digits of a number in US-ASCII, the first one in the highest byte. */
    static long digits(int number) {
        long thousands = number / 10_000;
        // Four digits in each int, then two in each short, then one in each byte.
        long ints = (thousands << Integer.SIZE) | (number - thousands * 10_000);
        long hundreds = ((ints * 10_486) >>> 20) & 0x7F_0000_007FL;
        long shorts = (hundreds << Short.SIZE) | (ints - hundreds * 100);
        long tens = ((shorts * 103) >>> 10) & 0x000F_000F_000F_000FL;
        return ((tens << Byte.SIZE) | (shorts - tens * 10)) + 0x3030_3030_3030_3030L;
    }

    /** Returns the eight hexadecimal digits of a number in US-ASCII, the first one in the highest byte. */
    static long hex(int number) {
        long nibbles = number & 0xFFFF_FFFFL;
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFFL;
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FFL;
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0FL;
        // 1 in each byte of a digit from 10 on
        long letters = (nibbles + 0x0606_0606_0606_0606L) >>> 4 & 0x0101_0101_0101_0101L;
        return nibbles + 0x3030_3030_3030_3030L + letters * ('a' - '0' - 10);
    }
}
