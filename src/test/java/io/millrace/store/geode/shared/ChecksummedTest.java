package io.millrace.store.geode.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.geode.cache.Region;

/** Values of shared maps whose bytes change on the disk. */
class ChecksummedTest {

    @Property(seed = "20261126", tries = 200)
    void shouldReturnWhatWasStored(@ForAll String text, @ForAll byte[] bytes) {
        // An unpaired surrogate can't be encoded.
        String stored = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(Checksummed.open(Checksummed.of(stored))).isEqualTo(stored);
        assertThat(Checksummed.<byte[]>open(Checksummed.of(bytes))).isEqualTo(bytes);
    }

    @Property(seed = "20261126", tries = 100)
    void shouldNoticeEveryFlippedBitAndEachMissingByte(@ForAll byte[] bytes) {
        byte[] stored = Checksummed.of(bytes);
        for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
            byte[] flipped = stored.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThat(Checksummed.<byte[]>open(flipped)).isNull();
        }
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThat(Checksummed.<byte[]>open(cut)).isNull();
        }
    }

    @Example
    void shouldNoticeEveryCharacterThatIsAnother() {
        String stored = Checksummed.of("position=117000000\nrules=5f1e9c07\nclean=true");
        for (int at = 0; at < stored.length(); at++) {
            for (int bit = 0; bit < 7; bit++) {
                StringBuilder flipped = new StringBuilder(stored);
                flipped.setCharAt(at, (char) (stored.charAt(at) ^ 1 << bit));
                assertThat(Checksummed.open(flipped.toString())).isNull();
            }
            assertThat(Checksummed.open(stored.substring(0, at))).isNull();
        }
    }

    @Example
    void shouldBeTheChecksumOfTheJdk() {
        CRC32C crc = new CRC32C();
        crc.update("a".getBytes(StandardCharsets.UTF_8));
        assertThat(Checksummed.of("a")).isEqualTo("a crc=%08x".formatted(crc.getValue()));
    }

    /** It can't be repaired by waiting. */
    @Example
    void shouldNameRegionAndKeyAndEndTheAttempts() {
        try (PeerCache cache = new PeerCache(GeodeOptions.inMemory())) {
            Region<String, String> region = cache.shared("commits", false, false, null);
            RegionMap<String> map = new RegionMap<>(cache, region);
            map.putOwn("trades/0", "position=39");
            assertThat(map.get("trades/0")).isEqualTo("position=39");
            String stored = Objects.requireNonNull(region.get("trades/0"));
            region.put("trades/0", stored.replace("39", "38"));
            Pauses pauses = new Pauses() {
                @Override
                public boolean pause(Duration time) {
                    throw new AssertionError("attempted again");
                }

                @Override
                public long nanoTime() {
                    return 0;
                }
            };
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> new Retry("trades", pauses).run(() -> map.get("trades/0")))
                    .withMessage(
                            "Corrupt value of key 'trades/0' in region 'commits': invalid checksum. [corrupt-data]");
        }
    }
}
