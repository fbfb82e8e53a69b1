package io.millrace.config;

import io.millrace.config.binding.PipelineReader;
import io.millrace.config.plan.RulesPlanner;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RuleHistories;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.rules.RulesWatch;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.pipeline.shadow.Surroundings;
import io.millrace.store.Store;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.write.HostName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.AbstractSubscribableChannel;
import org.springframework.messaging.MessageChannel;

/** Versions of rules, and their change while pipelines run. */
@Configuration(proxyBeanMethods = false)
class RulesConfiguration {

    /** How long the caller of a change waits until it is applied. */
    private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);

    @Bean
    @ConditionalOnMissingBean
    RulesCompiler millraceRulesCompiler(
            MillraceProperties properties,
            PipelineReader reader,
            FunctionRegistry functions,
            Setup setup,
            BeanFactory beans) {
        return new RulesPlanner(properties, reader, functions, setup, channel -> hasReceiver(beans, channel));
    }

    private static boolean hasReceiver(BeanFactory beans, String channel) {
        return beans.containsBean(channel)
                && beans.isTypeMatch(channel, MessageChannel.class)
                && !(beans.getBean(channel) instanceof AbstractSubscribableChannel subscribable
                        && subscribable.getSubscriberCount() == 0);
    }

    @Bean
    @ConditionalOnMissingBean
    RuleHistories millraceRuleHistories(Store store, RulesCompiler compiler, MillraceProperties properties) {
        RuleHistory.Identity identity = new RuleHistory.Identity(
                Objects.requireNonNullElseGet(properties.instance(), HostName::get),
                ProcessName.self().toString(),
                System.getProperty("user.name", "-"));
        return new RuleHistories(store, compiler, identity, InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    RuleChanges millraceRuleChanges(Pipelines pipelines, RuleHistories histories, RulesCompiler compiler) {
        RuleChanges changes = new RuleChanges(pipelines, histories, compiler, CHANGE_TIMEOUT);
        changes.start();
        return changes;
    }

    @Bean
    @ConditionalOnMissingBean
    Shadows millraceShadows(RulesCompiler compiler, Store store, BeanFactory beans) {
        return new Shadows(
                compiler,
                new Surroundings(
                        channel -> beans.getBean(channel, MessageChannel.class),
                        region -> store.definition(region).schema(),
                        System::nanoTime),
                InstantSource.system());
    }

    /** Returns the watch of the configured folder, or null if none is configured. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    RulesWatch millraceRulesWatch(RuleChanges changes, MillraceProperties properties) {
        Path folder = properties.rules().watch();
        if (folder == null) {
            return null;
        }
        RulesWatch watch = new RulesWatch(folder, changes);
        watch.start(properties.rules().watchInterval());
        return watch;
    }
}
