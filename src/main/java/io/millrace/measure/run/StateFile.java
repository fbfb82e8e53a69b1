package io.millrace.measure.run;

import io.millrace.codec.RawBytes;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Stores a measure's state in a {@link StateStore}: pieces, and a header that is written after them and refers to them.
 * The pieces of consecutive states alternate between two sets of keys, so the previous state stays intact until the
 * header refers to the new one. All numbers are big-endian.
 *
 * <pre>
 * key NAME        at  bytes  field
 *                  0   3     magic, "MRM" in ASCII (4D 52 4D)
 *                  3   1     version, 2
 *                  4   4     CRC32C of the bytes from 8 on, and of the pieces
 *                  8   8     fingerprint of the measure's definition
 *                 16   8     feed position up to which records are counted
 *                 24   8     number of the state, from 1; its lowest bit selects the keys of the pieces. 0: no state
 *                 32   4     number of pieces
 * key NAME/0/0    the first piece of states with even numbers, NAME/0/1 the second ...
 * key NAME/1/0    the first piece of states with odd numbers ...
 * </pre>
 *
 * Not thread-safe.
 */
final class StateFile {

    private static final int HEADER_LENGTH = StateStore.HEADER_LENGTH;
    private static final byte[] MAGIC = {'M', 'R', 'M'};
    private static final byte VERSION = 2;
    private static final int CRC_AT = 4;
    private static final int COVERED_FROM = 8;

    private final StateStore store;
    private final String key;
    private final long fingerprint;
    private long number;

    /**
     * @param key key of the state
     * @param fingerprint identifies the meaning of the state
     */
    StateFile(StateStore store, String key, long fingerprint) {
        this.store = store;
        this.key = key;
        this.fingerprint = fingerprint;
    }

    /** Writes or reads the content of a state. */
    interface Body<T> {
        void accept(T stream) throws IOException;
    }

    /** A serialized state. Storing it can be retried. */
    record Sealed(long number, long position, List<byte[]> pieces, byte[] header) {}

    /**
     * Begins a term and reads the state stored last. Writes its header again, so that a header of an earlier term that
     * is still in transit either arrives before this method returns or is refused.
     *
     * @return the position of the state, after its body was read; 0 if there is none
     */
    long open(Term term, Body<DataInputStream> body) {
        number = 0;
        byte[] header = store.get(key);
        if (header == null) {
            header = header(0, 0, List.of());
        }
        store.put(key, header, term);
        require(
                header.length == HEADER_LENGTH
                        && header[0] == MAGIC[0]
                        && header[1] == MAGIC[1]
                        && header[2] == MAGIC[2],
                "Invalid header of the state of measure '" + key + "'. It is corrupt, or not a state.");
        require(
                header[3] == VERSION,
                "Unknown version '" + header[3] + "' of the state of measure '" + key
                        + "'. This Millrace reads version " + VERSION
                        + ". Give this measure another name, so that it begins with a new state.");
        number = RawBytes.getLong(header, StateStore.NUMBER_AT);
        if (number == 0) {
            return 0;
        }
        List<byte[]> pieces = new ArrayList<>();
        for (int i = 0; i < RawBytes.getInt(header, 32); i++) {
            byte[] piece = store.get(pieceKey(number, i));
            if (piece == null) {
                throw corrupt("piece " + i + " is missing");
            }
            pieces.add(piece);
        }
        if (RawBytes.getInt(header, CRC_AT) != crc(header, pieces)) {
            throw corrupt("its checksum differs");
        }
        require(
                RawBytes.getLong(header, 8) == fingerprint,
                "The state of measure '" + key + "' is of another definition. Give this measure another name.");
        List<InputStream> streams = new ArrayList<>();
        pieces.forEach(piece -> streams.add(new ByteArrayInputStream(piece)));
        try (DataInputStream in = new DataInputStream(new SequenceInputStream(Collections.enumeration(streams)))) {
            body.accept(in);
        } catch (IOException e) {
            throw new IllegalStateException("The state of measure '" + key + "' can't be read: " + e.getMessage(), e);
        }
        return RawBytes.getLong(header, 16);
    }

    private static void require(boolean valid, String problem) {
        if (!valid) {
            throw new IllegalStateException(problem);
        }
    }

    private IllegalStateException corrupt(String problem) {
        return new IllegalStateException("Corrupt state of measure '" + key + "': " + problem + ".");
    }

    private String pieceKey(long state, int piece) {
        return key + "/" + (state & 1) + "/" + piece;
    }

    private static int crc(byte[] header, List<byte[]> pieces) {
        CRC32C crc = new CRC32C();
        crc.update(header, COVERED_FROM, HEADER_LENGTH - COVERED_FROM);
        pieces.forEach(crc::update);
        return (int) crc.getValue();
    }

    /** Serializes the next state. Later changes do not affect it. */
    Sealed seal(long position, Body<DataOutputStream> body) {
        Pieces pieces = new Pieces();
        try (DataOutputStream out = new DataOutputStream(pieces)) {
            body.accept(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Sealed(number + 1, position, pieces.all(), header(number + 1, position, pieces.all()));
    }

    private byte[] header(long state, long position, List<byte[]> pieces) {
        byte[] header = new byte[HEADER_LENGTH];
        System.arraycopy(MAGIC, 0, header, 0, MAGIC.length);
        header[3] = VERSION;
        RawBytes.putLong(header, 8, fingerprint);
        RawBytes.putLong(header, 16, position);
        RawBytes.putLong(header, StateStore.NUMBER_AT, state);
        RawBytes.putInt(header, 32, pieces.size());
        RawBytes.putInt(header, CRC_AT, crc(header, pieces));
        return header;
    }

    /**
     * Stores a state.
     *
     * @throws io.millrace.store.error.StoreException if a write fails; the call can be retried
     */
    void put(Sealed sealed, Term term) {
        for (int i = 0; i < sealed.pieces().size(); i++) {
            store.put(pieceKey(sealed.number(), i), sealed.pieces().get(i), term);
        }
        store.put(key, sealed.header(), term);
        // Only now: a state that was stored in part must not overwrite the pieces that the header refers to.
        number = sealed.number();
    }

    /** Splits the output into pieces. */
    private static final class Pieces extends ByteArrayOutputStream {

        private final List<byte[]> full = new ArrayList<>();

        @Override
        public synchronized void write(int one) {
            super.write(one);
            cut();
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            int at = from;
            int left = length;
            while (left > 0) {
                int size = Math.min(left, StateStore.MAX_VALUE_BYTES - count);
                super.write(bytes, at, size);
                cut();
                at += size;
                left -= size;
            }
        }

        private void cut() {
            if (count == StateStore.MAX_VALUE_BYTES) {
                full.add(toByteArray());
                reset();
            }
        }

        List<byte[]> all() {
            if (count > 0) {
                full.add(toByteArray());
                reset();
            }
            return full;
        }
    }
}
