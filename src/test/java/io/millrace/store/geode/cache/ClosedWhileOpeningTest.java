package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.error.StoreException;
import java.nio.file.Path;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.distributed.internal.InternalDistributedSystem;
import org.apache.geode.distributed.internal.ResourceEvent;
import org.apache.geode.internal.cache.InternalCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache that Geode closes, as after a forced disconnect, while its disk store is being opened. */
class ClosedWhileOpeningTest {

    @TempDir
    Path folder;

    @Test
    void shouldOpenTheFolderAgain() {
        try (PeerCache cache = new PeerCache(GeodeOptions.inFolder(folder))) {
            Region<String, String> kept = cache.shared("kept", true, false, null);
            kept.put("key", "value");
        }

        try (PeerCache cache = new PeerCache(GeodeOptions.inFolder(folder))) {
            InternalCache geode = (InternalCache) CacheFactory.getAnyInstance();
            InternalDistributedSystem system = geode.getInternalDistributedSystem();
            system.addResourceListener((event, _) -> {
                if (event == ResourceEvent.DISKSTORE_CREATE) {
                    geode.close(); // Geode does not know the disk store yet, so it does not close it
                }
            });
            assertThat(opened(cache)).isFalse();
        }

        try (PeerCache cache = new PeerCache(GeodeOptions.inFolder(folder))) {
            assertThat(cache.<String>shared("kept", true, false, null)).containsEntry("key", "value");
        }
    }

    private static boolean opened(PeerCache cache) {
        try {
            cache.shared("kept", true, false, null);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }
}
