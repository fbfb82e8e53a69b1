package io.millrace.pipeline;

import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
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

    Endpoints(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * A handler of the messages of a channel.
     *
     * @param name name of the endpoint
     * @param handler the handler, as a bean
     * @param consumer subscribes the handler to the channel while it runs
     */
    record Endpoint(String name, Object handler, EventDrivenConsumer consumer) {

        private String handlerName() {
            return name + ".step";
        }

        private String consumerName() {
            return name + ".endpoint";
        }

        /**
         * Starts the handler. Call it after the application's own endpoints have started: a step modifies the batch
         * that all subscribers of its channel share, so it must receive the batch last. The context stops the handler
         * after all senders, because a channel without subscribers would silently lose messages.
         */
        void start() {
            consumer.start();
        }
    }

    /**
     * Returns the channel of this name, and creates it if necessary. A created channel allows several subscribers and
     * fails to send a batch without subscribers, so that a misspelled name loses no records.
     */
    synchronized MessageChannel channel(String name) {
        if (!beans.containsBean(name)) {
            beans.registerSingleton(name, beans.initializeBean(new PublishSubscribeChannel(true), name));
        }
        return beans.getBean(name, MessageChannel.class);
    }

    /** Returns an endpoint that is neither registered nor started. */
    Endpoint endpoint(String channel, String name, MessageHandler handler) {
        Object bean = beans.initializeBean(handler, name + ".step");
        EventDrivenConsumer consumer = new EventDrivenConsumer((SubscribableChannel) channel(channel), handler);
        consumer.setAutoStartup(false);
        return new Endpoint(name, bean, (EventDrivenConsumer) beans.initializeBean(consumer, name + ".endpoint"));
    }

    /** Registers an endpoint that is not started. */
    void register(Endpoint endpoint) {
        beans.registerSingleton(endpoint.handlerName(), endpoint.handler());
        beans.registerSingleton(endpoint.consumerName(), endpoint.consumer());
    }

    /** Stops and removes endpoints, then registers and starts others, which may have the same names. */
    void replace(List<Endpoint> former, List<Endpoint> next) {
        for (Endpoint endpoint : former) {
            endpoint.consumer().stop();
            remove(endpoint.consumerName());
            remove(endpoint.handlerName());
        }
        next.forEach(this::register);
        next.forEach(Endpoint::start);
    }

    private void remove(String name) {
        ((DefaultSingletonBeanRegistry) beans).destroySingleton(name);
    }
}
