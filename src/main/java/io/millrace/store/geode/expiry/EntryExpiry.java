package io.millrace.store.geode.expiry;

import io.millrace.store.geode.region.LocalValues;
import io.millrace.store.geode.region.OpenRegion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes entries that exceed the maximum age; an entry that is stored again meanwhile stays. */
public final class EntryExpiry implements Expiry {

    private static final Logger LOG = LoggerFactory.getLogger(EntryExpiry.class);

    private final String region;
    private final Duration age;
    private final LongUnaryOperator latest;
    private final Entries entries;

    /** The entries of a region whose primary copy is on this member. */
    public interface Entries {

        /** Visits all entries, while others may be put and removed. */
        void each(LocalValues.Visitor visitor);

        /** As {@link LocalValues#version}. */
        OptionalLong version(Object key, long storedUpTo);

        /** As {@link OpenRegion#expire(Object, long)}. */
        boolean expire(Object key, long version);
    }

    /** @param latest returns the latest time at which an entry with this time may have been stored */
    EntryExpiry(OpenRegion region, LongUnaryOperator latest) {
        this(
                region.definition().name(),
                Objects.requireNonNull(region.definition().retention().age()),
                latest,
                new Entries() {
                    @Override
                    public void each(LocalValues.Visitor visitor) {
                        region.values().each(visitor);
                    }

                    @Override
                    public OptionalLong version(Object key, long storedUpTo) {
                        return region.values().version(key, storedUpTo);
                    }

                    @Override
                    public boolean expire(Object key, long version) {
                        return region.expire(key, version);
                    }
                });
    }

    /**
     * @param age maximum age
     * @param latest returns the latest time at which an entry with this time may have been stored
     */
    public EntryExpiry(String region, Duration age, LongUnaryOperator latest, Entries entries) {
        this.latest = latest;
        this.region = region;
        this.age = age;
        this.entries = entries;
    }

    @Override
    public Duration interval() {
        return ExpiryInterval.of(age);
    }

    @Override
    public void run(long now) {
        long storedUpTo = now - age.toMillis();
        List<Object> old = new ArrayList<>();
        entries.each((key, storedAt) -> {
            if (latest.applyAsLong(storedAt) <= storedUpTo) {
                old.add(key);
            }
        });
        long expired = 0;
        for (Object key : old) {
            // Check the time again: the version must be that of the expired entry.
            OptionalLong version = entries.version(key, storedUpTo);
            if (version.isPresent() && entries.expire(key, version.getAsLong())) {
                expired++;
            }
        }
        if (expired > 0) {
            LOG.info("Expired entries removed: region={} entries={}", region, expired);
        }
    }
}
