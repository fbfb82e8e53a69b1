package io.millrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreMetersTest {

    private static final RegionDefinition BUYS = new RegionDefinition(
            "buys", Layout.BLOCKS, 1, false, Schemas.builtIn().get("trade"), List.of(), 4096);

    private final Store store = mock(Store.class);
    private final StoreWatch watch = new StoreWatch(store, List.of("buys"));
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void bind() {
        when(store.info("buys")).thenReturn(new RegionInfo(BUYS, 2, 1_000, 40_000, 0));
        new StoreMeters(watch, true).bindTo(registry);
    }

    @Test
    void shouldReportNothingBeforeTheFirstCheck() {
        assertThat(value("millrace.store.up")).isZero();
        assertThat(records("buys")).isNaN();
    }

    @Test
    void shouldReportWhatTheStoreHolds() {
        watch.check();

        assertThat(value("millrace.store.up")).isOne();
        assertThat(value("millrace.store.copies.complete")).isOne();
        assertThat(records("buys")).isEqualTo(1_000);
        assertThat(value("millrace.region.size")).isEqualTo(40_000 + 2 * RegionInfo.ENTRY_OVERHEAD);
    }

    @Test
    void shouldCountRefusedWrites() {
        when(store.refusedWrites()).thenReturn(3L);

        assertThat(registry.get("millrace.store.writes.refused")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
    }

    @Test
    void shouldReportThatCopiesAreMissing() {
        doThrow(new StoreException("Region 'buys' lacks redundant copies of 3 buckets."))
                .when(store)
                .requireCopies();
        watch.check();

        assertThat(value("millrace.store.up")).isOne();
        assertThat(value("millrace.store.copies.complete")).isZero();
    }

    @Test
    void shouldKnowNothingOfAStoreThatIsNotThere() {
        watch.check();
        doThrow(new StoreException("No server of the cluster answers"))
                .when(store)
                .requireAvailable();
        watch.check();

        assertThat(value("millrace.store.up")).isZero();
        assertThat(value("millrace.store.copies.complete")).isZero();
        assertThat(records("buys")).isNaN();
        assertThat(value("millrace.region.size")).isNaN();

        doNothing().when(store).requireAvailable();
        watch.check();

        assertThat(records("buys")).isEqualTo(1_000);
    }

    @Test
    void shouldKnowNoRecordsIfACheckEndsWithAnUnexpectedException() {
        when(store.info(anyString())).thenThrow(new IllegalStateException("the cache is closed"));
        assertThatIllegalStateException().isThrownBy(watch::check);

        assertThat(value("millrace.store.up")).isOne();
        assertThat(records("buys")).isNaN();
    }

    private double value(String meter) {
        return registry.get(meter).gauge().value();
    }

    private double records(String region) {
        return registry.get("millrace.region.records")
                .tag("region", region)
                .gauge()
                .value();
    }
}
