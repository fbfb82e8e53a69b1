package io.millrace.pipeline.shadow;

import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.MessageChannel;

/** Shadows for which time passes only as the test says: on a busy machine, they still have time for all batches. */
@Configuration(proxyBeanMethods = false)
class ShadowClock {

    private final AtomicLong nanos = new AtomicLong();

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Bean
    Shadows shadows(RulesCompiler compiler, Store store, BeanFactory beans) {
        return new Shadows(
                compiler,
                new Surroundings(
                        channel -> beans.getBean(channel, MessageChannel.class),
                        region -> store.definition(region).schema(),
                        nanos::get),
                InstantSource.system());
    }
}
