package io.millrace.config;

import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.DefinitionReader;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.feed.ChannelDefinition;
import io.millrace.pipeline.definition.PipelineDefinition;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.integration.channel.PublishSubscribeChannel;

/**
 * Defines the channels of all pipelines before any other bean is created, so that the endpoints of an application find
 * them. They are publish-subscribe channels: each subscriber gets every batch in addition to the pipeline, not instead
 * of it.
 */
final class PipelineChannels implements BeanDefinitionRegistryPostProcessor {

    private final Environment environment;

    PipelineChannels(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        MillraceProperties properties = PropertyBinding.bind(environment);
        properties.pipelines().forEach((name, pipeline) -> {
            PipelineDefinition definition = new DefinitionReader(name, pipeline, _ -> {})
                    .read(new ChannelDefinition(PipelineDefinition.inputChannel(name)));
            channelNames(definition, properties)
                    .filter(channel -> !registry.containsBeanDefinition(channel))
                    .forEach(channel -> registry.registerBeanDefinition(
                            channel,
                            new RootBeanDefinition(PublishSubscribeChannel.class, PublishSubscribeChannel::new)));
        });
    }

    private static Stream<String> channelNames(PipelineDefinition definition, MillraceProperties properties) {
        Stream<String> own =
                Stream.of(definition.inputChannel(), definition.admittedChannel(), definition.rejectedChannel());
        Stream<String> steps = Stream.iterate(0, i -> i < definition.steps().size() - 1, i -> i + 1)
                .map(definition::stepName);
        Stream<String> stores = properties.regions().keySet().stream().map(definition::storeChannel);
        return Stream.of(own, steps, stores).flatMap(names -> names);
    }
}
