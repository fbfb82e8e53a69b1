package io.millrace.store.geode.expiry;

import io.millrace.store.geode.region.OpenRegion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes entries that exceed the maximum age; an entry that is stored again meanwhile stays. */
final class EntryExpiry implements Expiry {

    private static final Logger LOG = LoggerFactory.getLogger(EntryExpiry.class);

    private final OpenRegion region;
    private final Duration age;

    EntryExpiry(OpenRegion region) {
        this.region = region;
        this.age = Objects.requireNonNull(region.definition().retention().age());
    }

    @Override
    public Duration interval() {
        return ExpiryScheduler.interval(age);
    }

    @Override
    public void run(long now) {
        long storedUpTo = now - age.toMillis();
        List<Object> old = new ArrayList<>();
        region.values().each((key, storedAt) -> {
            if (storedAt <= storedUpTo) {
                old.add(key);
            }
        });
        long expired = 0;
        for (Object key : old) {
            // Check the time again: the version must be that of the expired entry.
            OptionalLong version = region.values().version(key, storedUpTo);
            if (version.isPresent() && region.expire(key, version.getAsLong())) {
                expired++;
            }
        }
        if (expired > 0) {
            LOG.info(
                    "Expired entries removed: region={} entries={}",
                    region.definition().name(),
                    expired);
        }
    }
}
