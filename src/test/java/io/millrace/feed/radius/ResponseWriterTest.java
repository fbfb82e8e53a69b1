package io.millrace.feed.radius;

import static io.millrace.feed.radius.Packets.NAS;
import static io.millrace.feed.radius.Packets.SECRET;
import static io.millrace.feed.radius.Packets.START;
import static io.millrace.feed.radius.Packets.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.Packets.Exchange;
import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.Secret;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ResponseWriterTest {

    private final ResponseWriter writer = new ResponseWriter(new PacketDigest());

    @Test
    void shouldAnswerTheStatusRequestOfRfc5997() {
        byte[] request = Packets.hex("0cb30026925f6b66dd5fed571fcb1db7ad3882605012e8d6eabda910875cd91fdade26367858");

        int length = writer.answerStatus(request, 0, Secret.of("xyzzy5461"));

        assertThat(written(length)).isEqualTo(Packets.hex("05b300140f6f92145f107e2f504e860a4860669c"));
    }

    @Test
    void shouldAnswerAsFreeRadiusDid() {
        for (Exchange exchange : Packets.freeRadius()) {
            byte[] request = exchange.request();
            if (exchange.response().length > 0) {
                assertThat(answer(request)).isEqualTo(exchange.response());
            }
        }
    }

    @Test
    void shouldEchoProxyStatesInTheirOrder() {
        byte[] first = attribute(33, "proxy-2");
        byte[] second = attribute(33, "");
        byte[] third = attribute(33, "proxy-1");
        byte[] request = Packets.request(9, first, START, second, attribute(44, "a"), NAS, third);

        assertThat(answer(request)).isEqualTo(Packets.response(request, SECRET, first, second, third));
    }

    @Test
    void shouldAnswerARequestAnywhereInAnArray() {
        byte[] request = Packets.request(9, START, attribute(44, "a"), NAS, attribute(33, "p"));
        byte[] array = new byte[request.length + 7];
        Arrays.fill(array, (byte) 33);
        System.arraycopy(request, 0, array, 5, request.length);

        int length = writer.answerAccounting(array, 5, request.length, Secret.of(SECRET));

        assertThat(written(length)).isEqualTo(Packets.response(request, SECRET, attribute(33, "p")));
    }

    @Test
    void shouldHoldTheLongestRequestOfProxyStates() {
        byte[][] states = new byte[16][];
        Arrays.fill(states, attribute(33, new int[253]));
        states[15] = attribute(33, new int[4096 - 20 - 15 * 255 - 2]);
        byte[] request = Packets.request(1, states);

        assertThat(request).hasSize(4096);
        assertThat(answer(request)).isEqualTo(Packets.response(request, SECRET, states));
    }

    private byte[] answer(byte[] request) {
        return written(writer.answerAccounting(request, 0, request.length, Secret.of(SECRET)));
    }

    private byte[] written(int length) {
        return Arrays.copyOf(writer.bytes(), length);
    }
}
