package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.DiskAccessException;
import org.apache.geode.internal.cache.GemFireCacheImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiniteCausesTest {

    @TempDir
    Path folder;

    /** As each operation that finds the cache closed does with the failure that has closed it. */
    @Test
    void shouldNotLetAFailureBeTheCauseOfItself() {
        try (PeerCache _ = new PeerCache(GeodeOptions.inFolder(folder))) {
            GemFireCacheImpl geode = (GemFireCacheImpl) CacheFactory.getAnyInstance();
            IOException full = new IOException("No space left on device");
            DiskAccessException failure = new DiskAccessException("Failed writing", full);
            geode.close("disk", failure);
            RuntimeException closed = geode.getCancelCriterion().generateCancelledException(failure);
            assertThat(full.getCause()).isNull();
            assertThat(closed).hasRootCause(full);
        }
    }
}
