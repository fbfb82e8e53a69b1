package io.millrace.bench;

import java.util.HashMap;
import java.util.Map;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.PartitionAttributesFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionShortcut;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * W1 the classic way: Spring Integration with direct channels, a message and an object per record, expressions that
 * Spring compiles, and a put per record into embedded Geode, whose regions are set up as Millrace's are.
 *
 * <p>Spring does not compile comparisons of BigDecimal, so the filter compares the amount as a double.
 */
final class W1Classic implements AutoCloseable {

    private static final int BUCKETS = 16;

    private final Cache cache;
    private final Region<Long, ClassicTrade> buys;
    private final Region<Long, ClassicTrade> sells;
    private final AnnotationConfigApplicationContext context;
    private final MessageChannel input;

    W1Classic() {
        cache = new CacheFactory()
                .set("name", "classic")
                .set("locators", "")
                .set("mcast-port", "0")
                .set("log-level", "warning")
                .set("statistic-sampling-enabled", "false")
                .set("enable-time-statistics", "false")
                .set("jmx-manager", "false")
                .set("http-service-port", "0")
                .set("enable-cluster-configuration", "false")
                .set("use-cluster-configuration", "false")
                .create();
        buys = region("buys");
        sells = region("sells");
        Map<Long, Long> desks = new HashMap<>();
        for (long key = 0; key < W1Data.DESKS; key++) {
            desks.put(key, W1Data.desk(key));
        }
        context = new AnnotationConfigApplicationContext();
        context.registerBean("desks", Map.class, () -> desks);
        context.registerBean(W1Classic.class, () -> this);
        context.register(Flow.class);
        context.refresh();
        input = context.getBean("trades", MessageChannel.class);
    }

    private Region<Long, ClassicTrade> region(String name) {
        return cache.<Long, ClassicTrade>createRegionFactory(RegionShortcut.PARTITION)
                .setPartitionAttributes(new PartitionAttributesFactory<Long, ClassicTrade>()
                        .setTotalNumBuckets(BUCKETS)
                        .create())
                .setConcurrencyChecksEnabled(false)
                .create(name);
    }

    /** The flow. */
    @Configuration
    @EnableIntegration
    static class Flow {

        @Bean
        DirectChannel trades() {
            return new DirectChannel();
        }

        @Bean
        IntegrationFlow work(Map<Long, Long> desks) {
            return IntegrationFlow.from("trades")
                    .filter(
                            "payload.currency1 != 'JPY' and payload.amount1.doubleValue() > 1000000.0",
                            filter -> filter.discardChannel("nullChannel")) // else it warns of each
                    .<ClassicTrade>handle((trade, headers) -> {
                        Long desk = desks.get(trade.getId() % W1Data.DESKS);
                        trade.setDesk(desk == null ? 0 : desk);
                        return trade;
                    })
                    .<ClassicTrade>handle((trade, headers) -> {
                        trade.setNotional(trade.getAmount1().doubleValue() * trade.getExchangeRate());
                        return trade;
                    })
                    .route("payload.buySell == 'Buy' ? 'toBuys' : 'toSells'")
                    .get();
        }

        @Bean
        IntegrationFlow storeBuys(W1Classic classic) {
            return IntegrationFlow.from("toBuys")
                    .handle(message -> put(classic.buys, (ClassicTrade) message.getPayload()))
                    .get();
        }

        @Bean
        IntegrationFlow storeSells(W1Classic classic) {
            return IntegrationFlow.from("toSells")
                    .handle(message -> put(classic.sells, (ClassicTrade) message.getPayload()))
                    .get();
        }

        private static void put(Region<Long, ClassicTrade> region, ClassicTrade trade) {
            region.put(trade.getId(), trade);
        }
    }

    /** Sends the first so many trades through the flow. */
    void run(byte[] bytes, int count) {
        for (int i = 0, at = 0; i < count; i++, at += W1Data.LENGTH) {
            input.send(new GenericMessage<>(new ClassicTrade(bytes, at)));
        }
    }

    /** Fails unless the regions hold as many trades as they should. */
    void require(long expectedBuys, long expectedSells) {
        if (buys.size() != expectedBuys || sells.size() != expectedSells) {
            throw new IllegalStateException("buys=" + buys.size() + " sells=" + sells.size());
        }
    }

    @Override
    public void close() {
        context.close();
        cache.close();
    }
}
