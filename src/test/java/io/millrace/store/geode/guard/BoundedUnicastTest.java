package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.ReceiverAdapter;
import org.jgroups.View;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedUnicastTest {

    private static final int MESSAGES = 1_000;

    private final List<JChannel> channels = new ArrayList<>();

    private JChannel channel(BoundedUnicast unicast) throws Exception {
        DISCARD lossy = new DISCARD();
        lossy.setUpDiscardRate(0.05);
        unicast.setValue("xmit_interval", 20L);
        JChannel channel = new JChannel(new SHARED_LOOPBACK(), lossy, unicast);
        channels.add(channel);
        channel.connect("test");
        return channel;
    }

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    /** More than fit into its tables, in order, although some are lost and others have to wait for them. */
    @Test
    void shouldDeliverAllMessages() throws Exception {
        JChannel one = channel(new BoundedUnicast());
        JChannel two = channel(new BoundedUnicast());
        View view = new View(one.getAddress(), 1, List.of(one.getAddress(), two.getAddress()));
        one.down(new Event(Event.VIEW_CHANGE, view));
        two.down(new Event(Event.VIEW_CHANGE, view));
        List<Integer> received = Collections.synchronizedList(new ArrayList<>());
        two.setReceiver(new ReceiverAdapter() {
            @Override
            public void receive(Message message) {
                received.add((Integer) message.getObject());
            }
        });

        for (int i = 0; i < MESSAGES; i++) {
            one.send(new Message(two.getAddress(), null, (Object) i));
        }

        await().until(() -> received.size() == MESSAGES);
        assertThat(received)
                .containsExactlyElementsOf(IntStream.range(0, MESSAGES).boxed().toList());
    }

    @Test
    void shouldForgetTheOldestStrangers() throws Exception {
        BoundedUnicast unicast = new BoundedUnicast();
        var _ = channel(unicast);
        for (int i = 0; i < 1_000; i++) {
            var _ = unicast.createReceiverEntry(address(i), 1, (short) 0);
        }
        assertThat(unicast.getNumReceiveConnections()).isEqualTo(BoundedUnicast.MAX_STRANGERS);
    }

    private static Address address(int id) {
        return new UUID(id, id);
    }
}
