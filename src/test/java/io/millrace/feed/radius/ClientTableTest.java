package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.packet.Secret;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientTableTest {

    private static RadiusClient client(AddressRange range) {
        return new RadiusClient(range, Secret.of(range.toString()), false, false);
    }

    @Test
    void shouldFindTheLongestPrefix() {
        RadiusClient all = client(AddressRange.parse("0.0.0.0/0"));
        RadiusClient ten = client(AddressRange.parse("10.0.0.0/8"));
        RadiusClient one = client(AddressRange.parse("10.1.2.3"));
        ClientTable table = new ClientTable(List.of(one, all, ten));

        assertThat(find(table, 10, 1, 2, 3)).isSameAs(one);
        assertThat(find(table, 10, 1, 2, 4)).isSameAs(ten);
        assertThat(find(table, 10, 1, 2, 2)).isSameAs(ten);
        assertThat(find(table, 11, 0, 0, 0)).isSameAs(all);
        assertThat(table.find(0x2001_0DB8_0000_0000L, 1)).isNull();
    }

    private static @Nullable RadiusClient find(ClientTable table, int... address) {
        byte[] bytes = new byte[address.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) address[i];
        }
        return table.find(AddressRange.high(bytes), AddressRange.low(bytes));
    }

    @Property(tries = 300)
    void shouldFindWhatAScanOfAllRangesFinds(@ForAll Random random) {
        List<RadiusClient> clients = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            clients.add(client(random(random)));
        }
        ClientTable table = new ClientTable(clients);
        for (int i = 0; i < 50; i++) {
            AddressRange near = clients.get(random.nextInt(clients.size())).range();
            long high = near.high() + random.nextInt(3) - 1;
            long low = random.nextBoolean() ? near.low() - 1 + random.nextInt(3) : near.lastLow() + random.nextInt(2);

            RadiusClient found = table.find(high, low);

            int longest = clients.stream()
                    .map(RadiusClient::range)
                    .filter(range -> range.contains(high, low))
                    .map(AddressRange::prefix)
                    .max(Comparator.naturalOrder())
                    .orElse(-1);
            assertThat(found == null ? -1 : found.range().prefix()).isEqualTo(longest);
            assertThat(found == null || found.range().contains(high, low)).isTrue();
        }
    }

    /** Few different bits, so that ranges lie in one another. */
    private static AddressRange random(Random random) {
        int prefix = random.nextInt(129);
        long high = random.nextInt(4) * 0x4000_0000_0000_0001L;
        long low = random.nextInt(4) * 0x4000_0000_0000_0001L;
        long highMask = prefix == 0 ? 0 : -1L << Math.max(0, 64 - prefix);
        long lowMask = prefix <= 64 ? 0 : -1L << (128 - prefix);
        return new AddressRange(high & highMask, low & lowMask, prefix);
    }
}
