package io.millrace.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.integration.endpoint.EventDrivenConsumer;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.SubscribableChannel;

/**
 * Makes a pipeline's endpoints beans of the application context, where the integration graph, and everyone else who
 * works with Spring Integration, finds them.
 */
final class Endpoints {

    private final ConfigurableListableBeanFactory beans;
    private final List<EventDrivenConsumer> consumers = new ArrayList<>();

    Endpoints(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The channel of this name; made if there is none, such that more than one may listen, and a batch that nobody
     * listens to is an error: so that a misspelt name loses nothing.
     */
    MessageChannel channel(String name) {
        if (!beans.containsBean(name)) {
            register(name, new PublishSubscribeChannel(true));
        }
        return beans.getBean(name, MessageChannel.class);
    }

    /** Joins a handler to a channel; it listens once {@link #start()} was called. */
    void subscribe(String channel, String endpoint, MessageHandler handler) {
        register(endpoint + ".step", handler);
        EventDrivenConsumer consumer = new EventDrivenConsumer((SubscribableChannel) channel(channel), handler);
        consumer.setAutoStartup(false);
        register(endpoint + ".endpoint", consumer);
        consumers.add(consumer);
    }

    /**
     * Makes all handlers listen. Called after the application's own endpoints have begun to: a step works the batch
     * that all listeners of its channel share, so it has to come last. They listen until the context stops them, after
     * whoever may still send: a channel without listeners would lose what is sent and tell nobody.
     */
    void start() {
        consumers.forEach(EventDrivenConsumer::start);
    }

    private void register(String name, Object bean) {
        beans.registerSingleton(name, beans.initializeBean(bean, name));
    }
}
