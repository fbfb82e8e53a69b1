package io.millrace.pipeline.chain;

import io.millrace.pipeline.step.BatchStep;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.channel.BroadcastCapableChannel;
import org.springframework.integration.support.management.SubscribableChannelManagement;
import org.springframework.messaging.MessageChannel;

/** A channel with the endpoints of a pipeline that receive from it. Thread-safe. */
final class StepChannel {

    private final MessageChannel channel;
    private final List<StepEndpoint> endpoints = new CopyOnWriteArrayList<>();

    StepChannel(MessageChannel channel) {
        this.channel = channel;
    }

    MessageChannel channel() {
        return channel;
    }

    List<StepEndpoint> endpoints() {
        return endpoints;
    }

    /** Returns the endpoint of a name, or null. */
    @Nullable
    StepEndpoint endpoint(String name) {
        for (StepEndpoint endpoint : endpoints) {
            if (endpoint.name().equals(name)) {
                return endpoint;
            }
        }
        return null;
    }

    void add(StepEndpoint endpoint) {
        endpoints.add(endpoint);
    }

    void remove(StepEndpoint endpoint) {
        endpoints.remove(endpoint);
    }

    /**
     * Starts an endpoint.
     *
     * @throws IllegalStateException if the channel gives each message to one of its subscribers only, and the
     *     application has subscribed: the pipeline would lose what they receive
     */
    void start(StepEndpoint endpoint) {
        if (!(channel instanceof BroadcastCapableChannel)
                && channel instanceof SubscribableChannelManagement own
                && own.getSubscriberCount()
                        > endpoints.stream().filter(StepEndpoint::isRunning).count()) {
            throw new IllegalStateException("Channel '" + channel + "' has another subscriber than step '"
                    + endpoint.name() + "', and gives each message to one of them only. Define it as a bean of"
                    + " PublishSubscribeChannel.");
        }
        endpoint.start();
    }

    /** Returns whether one of the endpoints has a step of a partition. */
    boolean hasStep(int partition) {
        return endpoints.stream().anyMatch(endpoint -> endpoint.step(partition) != null);
    }

    /**
     * Returns the step of a partition if it alone would receive a message: nothing else subscribes to the channel or
     * intercepts it. Otherwise null.
     */
    @Nullable
    BatchStep onlyReceiver(int partition) {
        if (!(channel instanceof PipelineChannel own)
                || own.getClass() != PipelineChannel.class // the application may have it proxied
                || !own.getInterceptors().isEmpty()) {
            return null;
        }
        BatchStep only = null;
        int running = 0;
        for (StepEndpoint endpoint : endpoints) {
            if (endpoint.isRunning()) {
                running++;
                BatchStep step = endpoint.step(partition);
                only = step == null ? only : step;
            }
        }
        return running == own.getSubscriberCount() ? only : null;
    }
}
