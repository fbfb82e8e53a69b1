package io.millrace.feed.radius.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Over real sockets: what goes through the kernel as one must come out as what was sent. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "native epoll is bundled for it only")
class DatagramSenderTest {

    private final List<Object> written = new ArrayList<>();
    private EventLoopGroup loop;
    private DatagramSender sender;
    private DatagramSocket one;
    private DatagramSocket other;

    @BeforeEach
    void open() throws Exception {
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        one = receiver();
        other = receiver();
        ChannelOutboundHandlerAdapter listener = new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                written.add(message);
                var _ = ctx.write(message, promise);
            }
        };
        ChannelPipeline pipeline = new Bootstrap()
                .group(loop)
                .channel(EpollDatagramChannel.class)
                .handler(listener)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel()
                .pipeline()
                .addLast(new ChannelInboundHandlerAdapter());
        sender = new DatagramSender(pipeline.lastContext());
    }

    @AfterEach
    void close() throws Exception {
        one.close();
        other.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldSendWhatFollowsEachOtherAsOne() throws Exception {
        send(one, "aaaa", "bbbb", "cccc");

        assertThat(written).hasSize(1).hasOnlyElementsOfType(SegmentedDatagramPacket.class);
        assertThat(received(one, 3)).containsExactly("aaaa", "bbbb", "cccc");
    }

    @Test
    void shouldKeepAddressesAndLengthsApart() throws Exception {
        run(() -> {
            give(one, "1111");
            give(one, "2222");
            give(other, "3333");
            give(other, "333");
            give(other, "444");
            give(one, "5555");
            sender.flush();
        });

        assertThat(written).hasSize(4);
        assertThat(received(one, 3)).containsExactlyInAnyOrder("1111", "2222", "5555");
        assertThat(received(other, 3)).containsExactlyInAnyOrder("3333", "333", "444");
    }

    @Test
    void shouldSendMoreThanTheKernelTakesAtOnce() throws Exception {
        String[] many = new String[200];
        for (int i = 0; i < many.length; i++) {
            many[i] = String.format("%020d", i);
        }
        send(one, many);

        assertThat(written).hasSize(4);
        assertThat(received(one, many.length)).containsExactly(many);
    }

    @Test
    void shouldSendLongOnesOneByOne() throws Exception {
        String letter = "x".repeat(2_000);
        send(one, letter, letter);

        assertThat(written).hasSize(2);
        assertThat(received(one, 2)).containsExactly(letter, letter);
    }

    @Test
    void shouldSendOneByOneOnceRequested() throws Exception {
        run(sender::sendApart);
        send(one, "aaaa", "bbbb");

        assertThat(written).hasSize(2).doesNotHaveAnyElementsOfTypes(SegmentedDatagramPacket.class);
        assertThat(received(one, 2)).containsExactly("aaaa", "bbbb");
    }

    private void send(DatagramSocket to, String... texts) throws InterruptedException {
        run(() -> {
            for (String text : texts) {
                give(to, text);
            }
            sender.flush();
        });
    }

    private void give(DatagramSocket to, String text) {
        byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
        sender.send(octets, octets.length, (InetSocketAddress) to.getLocalSocketAddress());
    }

    private void run(Runnable task) throws InterruptedException {
        loop.submit(task).sync();
    }

    private static DatagramSocket receiver() throws Exception {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        return socket;
    }

    private static List<String> received(DatagramSocket socket, int count) throws Exception {
        List<String> texts = new ArrayList<>();
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        for (int i = 0; i < count; i++) {
            socket.receive(packet);
            texts.add(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII));
        }
        return texts;
    }
}
