package io.millrace.store.geode.region;

import io.millrace.store.region.RegionDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The definition that the members of a cluster use for a region. A member looks it up for each query, in its own
 * memory. A client asks the servers once, and again after a failure: each query contains the version that it was
 * compiled for, and servers refuse other versions. Thread-safe.
 */
public final class SharedDefinition implements DefinitionInUse {

    private record Known(String text, RegionDefinition definition) {}

    private final Definitions definitions;
    private final RegionDefinition configured;
    private final boolean remote;
    private volatile @Nullable Known known;
    /** Whether a client has to ask the servers again. */
    private volatile boolean discarded;

    /** @param remote whether this process is a client */
    public SharedDefinition(Definitions definitions, RegionDefinition configured, boolean remote) {
        this.definitions = definitions;
        this.configured = configured;
        this.remote = remote;
    }

    @Override
    public RegionDefinition toRead() {
        Known last = known;
        if (last != null && remote && !discarded) {
            return last.definition();
        }
        String text = definitions.requireAvailable(configured.name());
        if (last == null || !last.text().equals(text)) {
            last = new Known(text, definitions.inUse(configured, text));
            known = last;
        }
        discarded = false;
        return last.definition();
    }

    @Override
    public RegionDefinition toWrite() {
        return definitions.toWrite(configured);
    }

    @Override
    public void discard() {
        discarded = true;
    }
}
