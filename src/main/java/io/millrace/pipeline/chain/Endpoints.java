package io.millrace.pipeline.chain;

import io.millrace.pipeline.step.BatchStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.integration.endpoint.EventDrivenConsumer;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.SubscribableChannel;

/**
 * The endpoints of a pipeline, as beans of the application context, where the integration graph and other users of
 * Spring Integration find them. All partitions share them: an endpoint has a step of each. Thread-safe.
 */
public final class Endpoints {

    private final ConfigurableListableBeanFactory beans;
    private final int partitions;
    private final Map<String, StepChannel> channels = new HashMap<>();
    private boolean started;

    /** @param partitions number of partitions of the pipeline */
    public Endpoints(ConfigurableListableBeanFactory beans, int partitions) {
        this.beans = beans;
        this.partitions = partitions;
    }

    /** Returns the channel of this name, and creates a {@link PipelineChannel} if there is none. */
    public MessageChannel channel(String name) {
        return stepChannel(name).channel();
    }

    synchronized StepChannel stepChannel(String name) {
        return channels.computeIfAbsent(name, _ -> {
            if (!beans.containsBean(name)) {
                beans.registerSingleton(name, beans.initializeBean(new PipelineChannel(), name));
            }
            return new StepChannel(beans.getBean(name, MessageChannel.class));
        });
    }

    /** Returns the channels as a partition uses them. */
    public PartitionChannels of(int partition) {
        return new PartitionChannels(this, partition, partitions);
    }

    /**
     * Starts the endpoints, also those that are added later. Call it after the application's own endpoints have
     * started: a step modifies the batch that all subscribers of its channel share, so it must receive the batch last.
     * The context stops the endpoints after all senders, because a channel without subscribers would silently lose
     * messages.
     */
    public synchronized void start() {
        started = true;
        channels.values().forEach(channel -> channel.endpoints().forEach(channel::start));
    }

    /** Adds a step of a partition to the endpoint of its name, which is created if necessary. */
    synchronized void add(int partition, StepPlace place, BatchStep step, BatchMessage message) {
        StepChannel channel = stepChannel(place.channel());
        StepEndpoint endpoint = channel.endpoint(place.name());
        if (endpoint == null) {
            endpoint = create(place, channel);
        }
        endpoint.set(partition, step, message);
    }

    private StepEndpoint create(StepPlace place, StepChannel channel) {
        String bean = freeName(place.name());
        MessageChannel output = place.output() == null ? null : channel(place.output());
        List<String> targets = place.targets();
        StepEndpoint endpoint = targets.isEmpty()
                ? new StepEndpoint(place.name(), channel, output, partitions)
                : new RouteEndpoint(place.name(), channel, targets, partitions);
        Object handler = beans.initializeBean(endpoint, handler(bean));
        EventDrivenConsumer consumer = new EventDrivenConsumer((SubscribableChannel) channel.channel(), endpoint);
        consumer.setAutoStartup(false);
        Object initialized = beans.initializeBean(consumer, consumer(bean));
        beans.registerSingleton(handler(bean), handler);
        beans.registerSingleton(consumer(bean), initialized);
        endpoint.setConsumer(consumer, bean);
        channel.add(endpoint);
        if (started) {
            channel.start(endpoint);
        }
        return endpoint;
    }

    private static String handler(String bean) {
        return bean + ".step";
    }

    private static String consumer(String bean) {
        return bean + ".endpoint";
    }

    /**
     * Returns the name, or another one while a step of the former rules has it, which receives from another channel.
     */
    private String freeName(String name) {
        String free = name;
        for (int i = 2; beans.containsSingleton(consumer(free)); i++) {
            free = name + "-" + i;
        }
        return free;
    }

    /** Removes the step of a partition. The endpoint stops with its last step. */
    synchronized void remove(int partition, StepPlace place) {
        StepChannel channel = stepChannel(place.channel());
        StepEndpoint endpoint = channel.endpoint(place.name());
        if (endpoint != null && endpoint.remove(partition)) {
            endpoint.stop();
            channel.remove(endpoint);
            destroy(consumer(endpoint.bean()));
            destroy(handler(endpoint.bean()));
        }
    }

    private void destroy(String name) {
        ((DefaultSingletonBeanRegistry) beans).destroySingleton(name);
    }
}
