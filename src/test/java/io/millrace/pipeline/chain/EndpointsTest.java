package io.millrace.pipeline.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.schema.yaml.Schemas;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.EventDrivenConsumer;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.MessageBuilder;

/** Steps a, b and c of a pipeline, on the channels in, a, b. */
class EndpointsTest {

    private static final StepPlace A = new StepPlace("a", "in", "a", List.of());
    private static final StepPlace B = new StepPlace("b", "a", "b", List.of());
    private static final StepPlace C = StepPlace.last("b");

    private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final RecordBatch batch = new RecordBatch(Schemas.builtIn().get("trade"));
    private final List<String> events = new ArrayList<>();

    @Configuration
    @EnableIntegration
    static class Integration {}

    /** Adds its name to the events, and whether a message led to the call: of it, or of a step before. */
    private final class Step extends BatchStep {

        private final String called;

        Step(String name, String called) {
            super(name, "test");
            this.called = called;
        }

        @Override
        protected void process(RecordBatch received) {
            boolean sent = StackWalker.getInstance()
                    .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                            .filter(name -> name.equals(ChannelOutput.class.getName())
                                    || name.startsWith(StepEndpoint.class.getName()))
                            .findFirst()
                            .orElse("")
                            .startsWith(StepEndpoint.class.getName()));
            events.add(called + (sent ? " in a message" : ""));
        }
    }

    /** Adds the messages of a channel to the events. */
    private final class Tap implements ChannelInterceptor {

        private final List<Message<?>> messages = new ArrayList<>();

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel channel) {
            events.add("tap");
            messages.add(message);
            return message;
        }
    }

    @BeforeEach
    void start() {
        context = new AnnotationConfigApplicationContext(Integration.class);
        byte[] record = new byte[39];
        batch.fill(record, 0, 1, 0, 39);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private Endpoints endpoints(int partitions) {
        Endpoints endpoints = new Endpoints(context.getBeanFactory(), partitions);
        for (int i = 0; i < partitions; i++) {
            String of = partitions == 1 ? "" : String.valueOf(i);
            PartitionChannels channels = endpoints.of(i);
            add(channels, A, new Step("a", "a" + of));
            add(channels, B, new Step("b", "b" + of));
            channels.add(C, new Step("c", "c" + of));
        }
        endpoints.start();
        return endpoints;
    }

    private static void add(PartitionChannels channels, StepPlace place, BatchStep step) {
        step.setOutput(channels.output(place.name()));
        channels.add(place, step);
    }

    private PublishSubscribeChannel channel(String name) {
        return context.getBean(name, PublishSubscribeChannel.class);
    }

    private List<String> events() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    @Test
    void shouldCallTheNextStepUnlessSomethingInterceptsTheChannel() {
        PartitionChannels channels = endpoints(1).of(0);
        channels.output("in").accept(batch);
        assertThat(events()).containsExactly("a", "b", "c");

        Tap tap = new Tap();
        channel("a").addInterceptor(tap);
        channels.output("in").accept(batch);
        assertThat(events()).containsExactly("a", "tap", "b in a message", "c in a message");

        channel("a").removeInterceptor(tap);
        channels.output("in").accept(batch);
        assertThat(events()).containsExactly("a", "b", "c");
        assertThat(tap.messages)
                .singleElement()
                .satisfies(message -> assertThat(message.getPayload()).isSameAs(batch));
        assertThat(tap.messages.getFirst().getHeaders()).doesNotContainKey(PartitionChannels.PARTITION_HEADER);
    }

    @Test
    void shouldSendAMessageIfSomethingElseSubscribes() {
        PartitionChannels channels = endpoints(1).of(0);
        MessageHandler other = _ -> events.add("other");
        channel("b").subscribe(other);
        channels.output("in").accept(batch);
        assertThat(events()).containsExactlyInAnyOrder("a", "b", "c in a message", "other");

        channel("b").unsubscribe(other);
        channels.output("in").accept(batch);
        assertThat(events()).containsExactly("a", "b", "c");
    }

    @Test
    void shouldNotCallAStepWhoseEndpointWasStopped() {
        PartitionChannels channels = endpoints(1).of(0);
        context.getBean("b.endpoint", EventDrivenConsumer.class).stop();
        assertThatThrownBy(() -> channels.output("in").accept(batch)).hasStackTraceContaining("a");
        assertThat(events()).containsExactly("a");

        channel("a").subscribe(_ -> events.add("other"));
        channels.output("in").accept(batch);
        assertThat(events()).containsExactly("a", "other");
    }

    @Test
    void shouldPassTheHeadersOfASenderToAllChannels() {
        endpoints(1);
        Tap onA = new Tap();
        Tap onB = new Tap();
        channel("a").addInterceptor(onA);
        channel("b").addInterceptor(onB);
        Message<RecordBatch> sent =
                MessageBuilder.withPayload(batch).setHeader("desk", 7).build();
        channel("in").send(sent);
        assertThat(onA.messages).containsExactly(sent);
        assertThat(onB.messages).containsExactly(sent);
    }

    @Test
    void shouldHaveAMessageOfItsOwnForEachBatchOfTheFeed() {
        PartitionChannels channels = endpoints(1).of(0);
        Tap onA = new Tap();
        channel("a").addInterceptor(onA);
        channels.output("in").accept(batch);
        channels.output("in").accept(batch);
        assertThat(onA.messages)
                .extracting(message -> message.getHeaders().getId())
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldCallTheStepsOfThePartitionOfAMessage() {
        Endpoints endpoints = endpoints(3);
        endpoints.of(1).output("in").accept(batch);
        assertThat(events()).containsExactly("a1", "b1", "c1");

        Tap tap = new Tap();
        channel("a").addInterceptor(tap);
        endpoints.of(2).output("in").accept(batch);
        assertThat(events()).containsExactly("a2", "tap", "b2 in a message", "c2 in a message");
        assertThat(tap.messages)
                .singleElement()
                .satisfies(message ->
                        assertThat(message.getHeaders()).containsEntry(PartitionChannels.PARTITION_HEADER, 2));

        channel("in")
                .send(MessageBuilder.withPayload(batch)
                        .setHeader(PartitionChannels.PARTITION_HEADER, 1)
                        .build());
        assertThat(events()).containsExactly("a1 in a message", "tap", "b1 in a message", "c1 in a message");
        channel("in").send(MessageBuilder.withPayload(batch).build());
        assertThat(events()).containsExactly("a0 in a message", "tap", "b0 in a message", "c0 in a message");
    }

    @Test
    void shouldHaveStepsOfTwoVersionsWhilePartitionsChange() {
        Endpoints endpoints = new Endpoints(context.getBeanFactory(), 2);
        List<PartitionChannels> channels = List.of(endpoints.of(0), endpoints.of(1));
        channels.getFirst().add(StepPlace.last("in"), new Step("old", "old0"));
        channels.getLast().add(StepPlace.last("in"), new Step("old", "old1"));
        endpoints.start();
        StepPlace next = new StepPlace("new", "in", null, List.of());
        channels.getFirst().remove(StepPlace.last("in"));
        channels.getFirst().add(next, new Step("new", "new0"));

        channels.getFirst().output("in").accept(batch);
        channels.getLast().output("in").accept(batch);
        channel("in").addInterceptor(new Tap());
        channels.getFirst().output("in").accept(batch);
        channels.getLast().output("in").accept(batch);
        assertThat(events()).containsExactly("new0", "old1", "tap", "new0 in a message", "tap", "old1 in a message");

        channels.getLast().remove(StepPlace.last("in"));
        assertThat(context.containsBean("in.endpoint")).isFalse();
        assertThat(context.containsBean("new.endpoint")).isTrue();
        assertThatThrownBy(() -> channels.getLast().output("in").accept(batch))
                .hasStackTraceContaining("Partition 1 has no step 'new'.");
    }

    @Test
    void shouldRefuseOtherPayloads() {
        endpoints(1);
        assertThatThrownBy(() ->
                        channel("in").send(MessageBuilder.withPayload("text").build()))
                .hasStackTraceContaining("Invalid payload for step 'a': java.lang.String.");
    }
}
