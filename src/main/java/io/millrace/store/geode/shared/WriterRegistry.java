package io.millrace.store.geode.shared;

import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.region.BlockKey;
import io.millrace.store.write.Claim;
import io.millrace.store.write.PartitionOwners;
import io.millrace.store.write.PartitionOwners.Owner;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of all writers of a store: their numbers, their epochs, and their current owners. A claim replaces the
 * record of a writer by one with a new token, and succeeds only if no other process has replaced it since it was read.
 * When the claim returns, all servers refuse writes with an earlier token. Thread-safe.
 *
 * <p>Records are text, under the text of the writer's name: {@code NUMBER EPOCH TOKEN OWNER}, such as {@code 6 3
 * 5d41402abc4b2a76 host-1:4711:8104552:9f3a0c11}; the owner is {@code -} if the writer was released. Parts of writers
 * have a number only.
 */
public final class WriterRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(WriterRegistry.class);

    /** Key of the next number; no writer's name begins with this sign. */
    private static final String NEXT_NUMBER = "#next";

    private static final String NOBODY = "-";

    private final Function<Boolean, SharedMap<String>> maps;
    private final @Nullable Leases leases;
    private final ProcessName self;
    private final Supplier<String> tokens;

    /** A writer's record. */
    private record Entry(int number, long epoch, String token, String owner) {

        private static Entry parse(String key, String text) {
            String[] parts = text.split(" ", -1);
            try {
                return new Entry(Integer.parseInt(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]);
            } catch (RuntimeException e) {
                throw new StoreException("Invalid record '" + text + "' of writer '" + key + "'.", e);
            }
        }

        private String text() {
            return number + " " + epoch + " " + token + " " + owner;
        }

        private Entry heldBy(String process, String newToken) {
            return new Entry(number, epoch + 1, newToken, process);
        }
    }

    /**
     * @param maps the registry of writers to persistent regions, and that of writers to regions in memory only: each is
     *     as durable as the data of its writers
     * @param leases detects which processes are alive; null if this is the only one
     * @param tokens returns a new token each time
     */
    public WriterRegistry(
            Function<Boolean, SharedMap<String>> maps,
            @Nullable Leases leases,
            ProcessName self,
            Supplier<String> tokens) {
        this.maps = maps;
        this.leases = leases;
        this.self = self;
        this.tokens = tokens;
    }

    /** Returns a random token. */
    public static String newToken() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** Claims a writer; see {@link io.millrace.store.write.RegionWriters#claim}. */
    public Claim claim(WriterName writer, boolean persistent) {
        WriterName whole = writer.whole();
        SharedMap<String> map = maps.apply(persistent);
        String key = whole.text();
        String before = map.get(key);
        Entry held = before == null ? null : Entry.parse(key, before);
        ProcessName owner = held == null || held.owner().equals(NOBODY) ? null : ProcessName.parse(held.owner());
        if (owner != null && !owner.equals(self) && leases != null && !leases.expired(owner)) {
            return Claim.heldBy(owner.toString());
        }
        Entry mine = (held == null ? new Entry(nextNumber(map, persistent), 0, "", NOBODY) : held)
                .heldBy(self.text(), tokens.get());
        if (!exchange(map, key, before, mine.text())) {
            return Claim.heldBy("another process that claimed it at the same time");
        }
        if (owner != null && !owner.equals(self)) {
            LOG.info("Writer taken over: writer={} from={} epoch={}", key, owner, mine.epoch());
        }
        return Claim.granted(new Term(whole, persistent, mine.number(), mine.epoch(), mine.token()));
    }

    /** Shows other processes whether this one runs a pipeline; see {@link io.millrace.store.write.RegionWriters}. */
    public void participate(String pipeline, boolean participates) {
        if (leases != null) {
            leases.participate(pipeline, participates);
        }
    }

    /** Returns which processes run a pipeline; see {@link io.millrace.store.write.RegionWriters#owners}. */
    public Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
        if (leases == null) {
            return Optional.empty();
        }
        List<String> keys = IntStream.range(0, partitions)
                .mapToObj(partition -> WriterName.of(pipeline, partition).text())
                .toList();
        Map<String, String> entries = maps.apply(persistent).getAll(keys);
        List<Optional<Owner>> owners = new ArrayList<>();
        for (String key : keys) {
            owners.add(Optional.ofNullable(entries.get(key))
                    .map(text -> Entry.parse(key, text).owner())
                    .filter(owner -> !owner.equals(NOBODY))
                    .map(owner -> new Owner(owner, ProcessName.parse(owner).toString())));
        }
        return Optional.of(new PartitionOwners(self.text(), leases.participants(pipeline), owners));
    }

    /** Returns whether a key is that of the counter of numbers, and not of a writer. */
    public static boolean isCounter(String key) {
        return key.equals(NEXT_NUMBER);
    }

    /** The response may be lost after the change was made: in that case, the stored value is ours. */
    private static boolean exchange(SharedMap<String> map, String key, @Nullable String before, String after) {
        boolean changed = before == null ? map.putIfAbsent(key, after) == null : map.replace(key, before, after);
        return changed || after.equals(map.get(key));
    }

    /**
     * Returns a new unique number. Numbers of writers to persistent regions are even, the others odd: both kinds may
     * write to the same region in memory.
     */
    private static int nextNumber(SharedMap<String> map, boolean persistent) {
        while (true) {
            String before = map.get(NEXT_NUMBER);
            int next = before == null ? 1 : Integer.parseInt(before);
            String after = Integer.toString(next + 1);
            boolean drawn = before == null
                    ? map.putIfAbsent(NEXT_NUMBER, after) == null
                    : map.replace(NEXT_NUMBER, before, after);
            int number = 2 * next + (persistent ? 0 : 1);
            if (drawn && number <= BlockKey.MAX_NUMBER) {
                return number;
            }
            if (number > BlockKey.MAX_NUMBER) {
                throw new StoreException("All " + BlockKey.MAX_NUMBER + " numbers of writers are in use.");
            }
        }
    }

    /** Returns the number of a writer or of one of its parts, and assigns one if it has none yet. */
    public int number(WriterName writer, Term term) {
        if (writer.part() == null) {
            return term.number();
        }
        SharedMap<String> map = maps.apply(term.persistent());
        String key = writer.text();
        String known = map.get(key);
        if (known == null) {
            String drawn = new Entry(nextNumber(map, term.persistent()), 0, NOBODY, NOBODY).text();
            String other = map.putIfAbsent(key, drawn);
            known = other == null ? drawn : other;
        }
        return Entry.parse(key, known).number();
    }

    /** Ends a term, if it is the current one. */
    public void release(Term term) {
        SharedMap<String> map = maps.apply(term.persistent());
        String key = term.writer().text();
        String before = map.get(key);
        Entry held = before == null ? null : Entry.parse(key, before);
        if (before != null && held != null && held.token().equals(term.token())) {
            var _ = map.replace(key, before, new Entry(held.number(), held.epoch(), held.token(), NOBODY).text());
        }
    }

    /** Removes the writer of a term and its parts, if the term is current: the next claim assigns a new number. */
    public void forget(Term term) {
        SharedMap<String> map = maps.apply(term.persistent());
        String writer = term.writer().text();
        String held = map.get(writer);
        if (held == null || !Entry.parse(writer, held).token().equals(term.token())) {
            return;
        }
        for (String key : map.keys()) {
            String part = isCounter(key) || key.equals(writer) ? null : map.get(key);
            if (part != null && WriterName.parse(key).whole().equals(term.writer())) {
                var _ = map.remove(key, part);
            }
        }
        var _ = map.remove(writer, held);
    }

    /** Returns whether the writer of a {@linkplain Term#proof proof} has ever claimed. */
    public boolean knows(String proof) {
        int tokenEnd = proof.indexOf(':', 2);
        return tokenEnd >= 0 && maps.apply(proof.charAt(0) == 'p').get(proof.substring(tokenEnd + 1)) != null;
    }

    /** Requires that a term is the current one; see {@link io.millrace.store.write.RegionWriters#requireCurrent}. */
    public void requireCurrent(Term term) {
        String proof = term.proof();
        if (isCurrent(proof)) {
            return;
        }
        if (!knows(proof)) {
            throw new StoreReopenedException(
                    "Writer '" + term.writer().text() + "' is not known on the servers: all of them have restarted.");
        }
        throw new SupersededException(
                "Term '" + proof + "' has ended. Another process has taken over.", /* cause= */ null);
    }

    /**
     * Returns whether a {@linkplain Term#proof proof} belongs to the current term of its writer. Called for each write:
     * a corrupt record has no current term.
     */
    public boolean isCurrent(String proof) {
        int tokenEnd = proof.indexOf(':', 2);
        if (tokenEnd < 0) {
            return false;
        }
        String record = maps.apply(proof.charAt(0) == 'p').peek(proof.substring(tokenEnd + 1));
        if (record == null) {
            return false;
        }
        String token = proof.substring(2, tokenEnd);
        if (token.equals(NOBODY)) {
            return false;
        }
        int tokenStart = record.indexOf(' ', record.indexOf(' ') + 1) + 1;
        return record.startsWith(token, tokenStart) && record.charAt(tokenStart + token.length()) == ' ';
    }
}
