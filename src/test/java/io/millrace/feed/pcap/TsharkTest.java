package io.millrace.feed.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.radius.packet.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real packets: the feed brings the accounting requests that tshark shows ({@code pcap/README.md} says how). */
class TsharkTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"freeradius_3gpp_session.pcap", "packets.pcap"})
    void shouldBringTheRequestsThatTsharkShows(String capture) throws IOException {
        List<String> requests = new ArrayList<>();
        List<String> lines = new String(resource("tshark.tsv"), StandardCharsets.UTF_8)
                .lines()
                .toList();
        List<String> names = Arrays.asList(lines.getFirst().split("\t", -1));
        for (String line : lines.subList(1, lines.size())) {
            List<String> values = Arrays.asList(line.split("\t", -1));
            if (values.get(names.indexOf("file")).equals(capture)
                    && values.get(names.indexOf("radius.code")).equals("4")
                    && values.get(names.indexOf("udp.dstport")).equals("1813")) {
                requests.add(values.get(names.indexOf("udp.payload")));
            }
        }

        Brought brought = Brought.of(folder, resource(capture));

        assertThat(requests).isNotEmpty();
        assertThat(brought.records().values()).containsExactlyElementsOf(requests);
        assertThat(brought.pieces()).isEmpty();
    }

    @Test
    void shouldCheckTheSecretOfRealRequests() throws IOException {
        AccountingRequestFramer framer = new AccountingRequestFramer(Secret.of("testing123"));

        Brought brought = Brought.of(folder, resource("freeradius_3gpp_session.pcap"), framer, 0);

        // One request, sent twice, was made with another secret.
        assertThat(brought.records()).hasSize(6);
        assertThat(brought.counts()).containsEntry("forged", 2L);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(TsharkTest.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }
}
