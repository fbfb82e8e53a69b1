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
 * Registers a pipeline's endpoints as beans of the application context, where the integration graph and other users of
 * Spring Integration find them.
 */
final class Endpoints {

    private final ConfigurableListableBeanFactory beans;
    private final List<EventDrivenConsumer> consumers = new ArrayList<>();

    Endpoints(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns the channel of this name, and creates it if necessary. A created channel allows several subscribers and
     * fails to send a batch without subscribers, so that a misspelled name loses no records.
     */
    MessageChannel channel(String name) {
        if (!beans.containsBean(name)) {
            register(name, new PublishSubscribeChannel(true));
        }
        return beans.getBean(name, MessageChannel.class);
    }

    /** Subscribes a handler to a channel. The handler receives messages after {@link #start()}. */
    void subscribe(String channel, String endpoint, MessageHandler handler) {
        register(endpoint + ".step", handler);
        EventDrivenConsumer consumer = new EventDrivenConsumer((SubscribableChannel) channel(channel), handler);
        consumer.setAutoStartup(false);
        register(endpoint + ".endpoint", consumer);
        consumers.add(consumer);
    }

    /**
     * Starts all handlers. Call it after the application's own endpoints have started: a step modifies the batch that
     * all subscribers of its channel share, so it must receive the batch last. The context stops the handlers after all
     * senders, because a channel without subscribers would silently lose messages.
     */
    void start() {
        consumers.forEach(EventDrivenConsumer::start);
    }

    private void register(String name, Object bean) {
        beans.registerSingleton(name, beans.initializeBean(bean, name));
    }
}
