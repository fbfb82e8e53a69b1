package io.millrace.store.geode.cache;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.guard.MemberLease;
import java.time.Duration;
import java.util.Set;
import org.apache.geode.cache.CacheWriter;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.ClientCache;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.apache.geode.cache.client.ClientRegionShortcut;
import org.jspecify.annotations.Nullable;

/** A client's view of a cluster's regions, which stores nothing locally. */
public final class ClientSideCache implements GeodeCache {

    /** Longer than members take to detect the loss of another member. */
    private static final int READ_TIMEOUT_MS = 20_000;

    /** Short, because TCP retransmits lost packets at ever longer intervals: a new connection is faster. */
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    /** Retries on other servers. After these, the pipeline retries without limit. */
    private static final int RETRIES = 1;

    private static final int PING_MS = 2_000;

    private final ClientCache cache;

    public ClientSideCache(ClusterOptions options) {
        ClientCacheFactory factory = new ClientCacheFactory(GeodeProperties.client(options))
                .setPoolReadTimeout(READ_TIMEOUT_MS)
                .setPoolSocketConnectTimeout(CONNECT_TIMEOUT_MS)
                .setPoolRetryAttempts(RETRIES)
                .setPoolPingInterval(PING_MS)
                // Sends a put directly to the member that hosts the bucket.
                .setPoolPRSingleHopEnabled(true)
                .setPoolSocketFactory(new MappedSockets(options.reachedAt()));
        for (Address locator : options.locators()) {
            factory.addPoolLocator(locator.host(), locator.port());
        }
        MemberLease.begin(Duration.ZERO);
        try {
            cache = factory.create();
        } catch (RuntimeException e) {
            throw new StoreException("The client of the cluster can't be started: " + e.getMessage(), e);
        }
    }

    @Override
    public <K, V> Region<K, V> region(String name, StoragePolicy policy, @Nullable CacheWriter<Object, Object> check) {
        return proxy(name);
    }

    @Override
    public <V> Region<String, V> shared(String name, boolean persistent, boolean large, @Nullable TermCheck check) {
        return proxy(name);
    }

    @Override
    public <V> Region<String, V> spread(String name) {
        return proxy(name);
    }

    private <K, V> Region<K, V> proxy(String name) {
        try {
            return cache.<K, V>createClientRegionFactory(ClientRegionShortcut.PROXY)
                    .create(name);
        } catch (RuntimeException e) {
            throw new StoreException("Region '" + name + "' can't be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public <K> Set<K> keys(Region<K, ?> region) {
        return region.keySetOnServer();
    }

    @Override
    public long size(Region<?, ?> region) {
        return region.sizeOnServer();
    }

    @Override
    public void requireSpace(Region<?, ?> region) {
        // Servers check their own disks.
    }

    @Override
    public void requireSpace() {
        // Servers check their own disks.
    }

    @Override
    public boolean remote() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return !cache.isClosed();
    }

    @Override
    public void close() {
        cache.close();
    }
}
