package io.millrace.simulation;

import io.millrace.store.Trades;

/** The records of the simulation: trades whose desk is the key of entries. Some records in a row share few keys. */
final class SharedKeys {

    /** Name of the field that is the key. */
    static final String FIELD = "desk";

    /** Condition of the records that remove the entry of their key. */
    static final String REMOVE = "id % 13 == 5";

    /** So many records in a row have these keys, and no others do, so that also keys in the middle stay. */
    private static final int ROW = 40;

    private static final int KEYS = 20;
    private static final int LETTERS = 26;
    private static final int DESK = 11;

    private SharedKeys() {}

    /** A feed of so many records, ids from 0. */
    static byte[] feed(int count) {
        byte[] feed = new byte[count * Trades.LENGTH];
        for (int id = 0; id < count; id++) {
            write(feed, id * Trades.LENGTH, id);
        }
        return feed;
    }

    static void write(byte[] into, int at, int id) {
        Trades.write(into, at, id);
        for (int i = 0; i < 3; i++) {
            into[at + DESK + i] = letter(id, i);
        }
    }

    /** Returns the key of a record. */
    static String of(long id) {
        return new String(new char[] {(char) letter(id, 0), (char) letter(id, 1), (char) letter(id, 2)});
    }

    private static byte letter(long id, int place) {
        long row = id / ROW;
        return (byte) ('a' + (place == 0 ? id % KEYS : place == 1 ? row % LETTERS : row / LETTERS));
    }

    /** Whether {@link #REMOVE} holds for a record. */
    static boolean removes(long id) {
        return id % 13 == 5;
    }
}
