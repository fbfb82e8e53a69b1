package io.millrace.measure.run;

import io.millrace.codec.Counter;
import io.millrace.measure.window.OpenWindows;
import io.millrace.measure.window.Pane;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The panes that a partition has closed since its last entry in the {@link PaneLog}, from which the next one is made.
 *
 * <pre>
 * at  bytes  field of an entry
 *  0   1     what follows from the partition: 0 records, 1 nothing for now, 2 nothing, 3 nothing for the idle timeout
 *  1   8     watermark: the log has all panes of the partition that end at or before it, in milliseconds since 1970
 *  9   8     extent of the feed whose end the partition has reached, otherwise 0
 * 17   4     number of panes
 * 21         for each pane its start in 8 bytes, and its groups as {@link Pane#write} writes them
 * </pre>
 *
 * A pane may come in several entries. Not thread-safe.
 */
final class PaneBundle implements OpenWindows.Closing {

    /** The number of groups that may wait for the next entry. */
    private static final int GROUPS_MAX = 100_000;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private int panes;
    private int groups;
    /** The number of entries so far. Any thread may read it. */
    private final Counter entries = new Counter();

    private Progress sent = Progress.NONE;

    /**
     * How far a partition is.
     *
     * @param watermark the log has all panes of the partition that end at or before it, in milliseconds since 1970
     * @param follows what is expected to follow
     * @param extent that of the feed whose end the partition has reached, otherwise 0
     */
    record Progress(long watermark, Follows follows, long extent) {

        static final Progress NONE = new Progress(Long.MIN_VALUE, Follows.RECORDS, 0);

        /** Returns the progress with a watermark that is not before the current one. */
        Progress upTo(long other) {
            return new Progress(Math.max(watermark, other), follows, extent);
        }

        void write(DataOutput out) throws IOException {
            out.writeByte(follows.code);
            out.writeLong(watermark);
            out.writeLong(extent);
        }

        static Progress read(DataInput in) throws IOException {
            Follows follows = Follows.of(in.readByte());
            return new Progress(in.readLong(), follows, in.readLong());
        }
    }

    /** What is expected to follow from a partition. */
    enum Follows {
        /** Records: windows wait for them. */
        RECORDS(0),
        /** The end of a feed that may grow: windows wait until all partitions have reached the same extent. */
        NOTHING_NOW(1),
        /**
         * The end of a feed that does not grow: when all partitions have reached the same extent, all windows close.
         */
        NOTHING(2),
        /** None for the idle timeout: windows don't wait. */
        IDLE(3);

        private final int code;

        Follows(int code) {
            this.code = code;
        }

        private static Follows of(int code) throws IOException {
            return Arrays.stream(values())
                    .filter(follows -> follows.code == code)
                    .findFirst()
                    .orElseThrow(() -> new IOException("Unknown code '" + code + "'."));
        }
    }

    /** An entry as it was read. */
    record Entry(Progress progress, int panes, DataInputStream in) {

        static Entry read(byte[] entry) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry));
            return new Entry(Progress.read(in), in.readInt(), in);
        }
    }

    @Override
    public void window(long start, Pane window) {
        try {
            out.writeLong(start);
            window.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        panes++;
        groups += 1 + window.groups().size();
    }

    /** Returns whether so many groups wait that the next entry should be made now. */
    boolean full() {
        return groups > GROUPS_MAX;
    }

    /** Returns whether the next entry would contain anything new. */
    boolean isDue(Progress progress) {
        return panes > 0 || !progress.equals(sent);
    }

    /** Adds the next entry to an outbox, if it contains anything new. */
    void seal(Progress progress, Outbox outbox) {
        if (isDue(progress)) {
            outbox.add(PaneLog.NAME, entries.get(), Math.max(1, groups), entry(progress));
            entries.add(1);
            clearPanes();
            sent = progress;
        }
    }

    private byte[] entry(Progress progress) {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        try (DataOutputStream header = new DataOutputStream(entry)) {
            progress.write(header);
            header.writeInt(panes);
            bytes.writeTo(header);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entry.toByteArray();
    }

    private void clearPanes() {
        bytes.reset();
        panes = 0;
        groups = 0;
    }

    /** Returns the number of entries so far. Any thread may call it. */
    Counter entries() {
        return entries;
    }

    /** Returns the progress in the last entry. */
    Progress sent() {
        return sent;
    }

    /** Right after an entry was made: there are no panes. */
    @Override
    public void write(DataOutput state) throws IOException {
        state.writeLong(entries.get());
        sent.write(state);
    }

    @Override
    public void read(DataInput state) throws IOException {
        entries.set(state.readLong());
        sent = Progress.read(state);
    }

    @Override
    public void clear() {
        clearPanes();
        entries.set(0);
        sent = Progress.NONE;
    }
}
