package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.codec.RejectSink;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.DiskSpace;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.region.CurrentValues;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.query.RecordListener;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of a process that runs alone. When its disk fails, for example because it is full, Geode closes all
 * regions, including those in memory. This store then reopens all of them and retries until it succeeds. Meanwhile each
 * call fails with a {@link StoreException} that states the cause. If a disk file is truncated, it remains closed, and
 * each call fails with a {@link CorruptDataException}.
 *
 * <p>The state is then the same as after a restart of the process: regions on disk have what was stored, those in
 * memory are empty. Terms of feeds with positions end with a {@link StoreReopenedException}, so that their pipelines
 * return to the last stored position. Writers of other feeds can't read records again; they continue with the records
 * that they have.
 *
 * <p>A dedicated thread reopens the store. Thread-safe.
 */
public final class EmbeddedStore extends ReplacedStore {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);
    private static final Duration FIRST_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private final GeodeOptions options;
    private final FunctionRegistry functions;
    /**
     * Survives the replacement of Geode: writers that continue keep their numbers, which no other writer may receive
     * then.
     */
    private final LocalMap<String> writersInMemory = new LocalMap<>();

    /** Reopens everything that was opened, in the same order. */
    private final Map<String, Consumer<GeodeStore>> openings = new LinkedHashMap<>();

    /** The store in which each term was claimed, by the term's token. */
    private final Map<String, GeodeStore> claims = new ConcurrentHashMap<>();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("geode-reopen").unstarted(this::watch);
    private final BackgroundTask task = new BackgroundTask("geode-reopen");
    private volatile GeodeStore store;

    /**
     * Starts Geode.
     *
     * @param functions that queries may call in addition to the built-in ones
     * @throws StoreException if Geode can't be started
     */
    public EmbeddedStore(GeodeOptions options, FunctionRegistry functions) {
        this.options = options;
        this.functions = functions;
        store = new GeodeStore(options, functions, writersInMemory);
    }

    /** Starts the thread that reopens the store when necessary. */
    public void start() {
        thread.start();
    }

    @Override
    GeodeStore current() {
        GeodeStore geode = store;
        if (!geode.isOpen()) {
            String why = whyClosed(geode);
            throw geode.isTruncated() ? new CorruptDataException(why, null) : new StoreException(why);
        }
        return geode;
    }

    private String whyClosed(GeodeStore closed) {
        String cause = closed.failure();
        return cause == null
                ? "The store is closed."
                : "The disk of folder '" + options.folder() + "' has failed: " + cause
                        + (closed.isTruncated()
                                ? ". The store is closed. " + Causes.RESTORE
                                : ". The store is closed, and opened again by itself once the disk can be written.");
    }

    /**
     * Returns the store to write to in a term.
     *
     * @throws StoreReopenedException if the term has ended with an earlier store
     */
    private GeodeStore current(@Nullable Term term) {
        GeodeStore geode = current();
        if (term != null && term.writer().instance() == null && claims.get(term.token()) != geode) {
            throw new StoreReopenedException("The store was opened again after its disk had failed.");
        }
        return geode;
    }

    @Override
    GeodeStore latest() {
        return store;
    }

    @Override
    BackgroundTask task() {
        return task;
    }

    @Override
    synchronized void open(String what, Consumer<GeodeStore> opening) {
        opening.accept(current());
        openings.put(what, opening);
    }

    @Override
    public void openMeasure(String name, StoredDefinition definition, boolean persistent) {
        open("measure " + name, geode -> geode.openMeasure(name, definition, persistent));
    }

    /** Rows of a region in memory that are lost on reopening stay with the listener until they are put again. */
    @Override
    public synchronized void follow(String region, RecordListener listener) {
        open("follower " + openings.size() + " of " + region, geode -> geode.follow(region, listener));
    }

    @Override
    public Claim claim(WriterName writer, boolean persistent) {
        GeodeStore geode = current();
        Claim claim = geode.claim(writer, persistent);
        Term term = claim.term();
        if (term != null) {
            claims.put(term.token(), geode);
        }
        return claim;
    }

    @Override
    public void release(Term term) {
        current().release(term);
        claims.remove(term.token());
    }

    @Override
    public void requireTerm(Term term) {
        var _ = current(term);
    }

    @Override
    public Commits commits(boolean persistent) {
        return new Commits() {
            @Override
            public @Nullable Commit get(WriterName writer) {
                return current().commits(persistent).get(writer);
            }

            @Override
            public void put(Term term, Commit commit) {
                current(term).commits(persistent).put(term, commit);
            }

            @Override
            public Map<String, Commit> all() {
                return current().commits(persistent).all();
            }

            @Override
            public long storedUpTo(WriterName writer, String region) {
                return current().commits(persistent).storedUpTo(writer, region);
            }

            @Override
            public void setStoredUpTo(Term term, String region, long position) {
                current(term).commits(persistent).setStoredUpTo(term, region, position);
            }
        };
    }

    @Override
    public StateStore states(boolean persistent) {
        boolean lasting = current().states(persistent).lasting();
        return new StateStore() {
            @Override
            public byte @Nullable [] get(String key) {
                return current().states(persistent).get(key);
            }

            @Override
            public void put(String key, byte[] value, Term term) {
                current(term).states(persistent).put(key, value, term);
            }

            @Override
            public void remove(String key, Term term) {
                current(term).states(persistent).remove(key, term);
            }

            @Override
            public boolean lasting() {
                return lasting;
            }
        };
    }

    @Override
    public RegionWriter writer(String region, WriterName writer, Schema records, RejectSink rejects) {
        GeodeStore geode = current();
        BlockRegionWriter.Target target = new BlockRegionWriter.Target(
                new CurrentValues(region, term -> current(term).opened(region).all()),
                geode.opened(region).configured(),
                () -> current().opened(region).toWrite(),
                false);
        boolean persistent = target.definition().persistent();
        return geode.writer(
                target,
                term -> current(term).number(writer, term),
                term -> current(term).commits(persistent),
                records,
                rejects);
    }

    /** The definitions remain available while the store is closed. */
    @Override
    public RegionDefinition definition(String region) {
        return store.definition(region);
    }

    @Override
    public List<String> regions() {
        return store.regions();
    }

    private void watch() {
        Duration delay = CHECK_INTERVAL;
        while (!stopsWithin(delay)) {
            try {
                if (store.isOpen()) {
                    delay = CHECK_INTERVAL;
                } else if (store.isTruncated()) { // Opened again, it would fail at the same value.
                    LOG.error("The data folder stays closed: reason={}", whyClosed(store));
                    return;
                } else {
                    delay = reopened(store) ? CHECK_INTERVAL : nextDelay(delay);
                }
            } catch (Throwable e) { // Errors must not end the thread: nothing else reopens the store.
                task.recordFailure(e);
                delay = MAX_RETRY_DELAY;
            }
        }
    }

    private static Duration nextDelay(Duration delay) {
        Duration doubled = delay.compareTo(FIRST_RETRY_DELAY) < 0 ? FIRST_RETRY_DELAY : delay.multipliedBy(2);
        return doubled.compareTo(MAX_RETRY_DELAY) > 0 ? MAX_RETRY_DELAY : doubled;
    }

    /** Reopens everything, if possible. */
    private synchronized boolean reopened(GeodeStore failed) {
        try {
            // Waits until Geode has closed; a second call does nothing.
            failed.close();
            requireSpace();
            store = opened();
            task.recordSuccess();
            LOG.warn("The data folder is open again, regions in memory begin empty: folder={}", options.folder());
            return true;
        } catch (RuntimeException e) {
            if (task.recordFailure(e)) {
                LOG.warn("{} Last attempt: {}", whyClosed(failed), e.getMessage());
            }
            return false;
        }
    }

    private void requireSpace() {
        Path folder = options.folder();
        if (folder != null && Files.isDirectory(folder)) {
            new DiskSpace(folder, options.diskReserve()).require();
        }
    }

    private GeodeStore opened() {
        GeodeStore opened = new GeodeStore(options, functions, writersInMemory);
        try {
            openings.values().forEach(opening -> opening.accept(opened));
            return opened;
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    private boolean stopsWithin(Duration time) {
        try {
            return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            if (thread.isAlive() && !thread.join(STOP_TIMEOUT)) {
                LOG.warn("The data folder was not opened or closed in time: timeout={}", STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
