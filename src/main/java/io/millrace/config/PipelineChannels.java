package io.millrace.config;

import io.millrace.config.binding.ExtensionKinds;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.extension.Extensions;
import io.millrace.pipeline.chain.PipelineChannel;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.step.StepFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Defines the channels of all pipelines before any other bean is created, so that the endpoints of an application find
 * them.
 */
final class PipelineChannels implements BeanDefinitionRegistryPostProcessor {

    private final Environment environment;

    PipelineChannels(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        MillraceProperties properties = PropertyBinding.bind(environment);
        Extensions<StepFactory<?>> kinds = ExtensionKinds.installed().steps();
        properties
                .pipelines()
                .forEach((name, pipeline) -> channelNames(name, pipeline, kinds, properties)
                        .filter(channel -> !registry.containsBeanDefinition(channel))
                        .forEach(channel -> registry.registerBeanDefinition(
                                channel, new RootBeanDefinition(PipelineChannel.class, PipelineChannel::new))));
    }

    private static Stream<String> channelNames(
            String pipeline,
            PipelineProperties configured,
            Extensions<StepFactory<?>> kinds,
            MillraceProperties properties) {
        Stream<String> own = Stream.of(
                PipelineDefinition.inputChannel(pipeline),
                PipelineDefinition.admittedChannel(pipeline),
                PipelineDefinition.rejectedChannel(pipeline));
        Stream<String> steps = IntStream.range(0, configured.steps().size() - 1)
                .boxed()
                .flatMap(i -> configured.steps().get(i).keySet().stream()
                        .map(kind -> PipelineDefinition.stepName(pipeline, i, name(kind, kinds))));
        Stream<String> stores =
                properties.regions().keySet().stream().map(region -> PipelineDefinition.storeChannel(pipeline, region));
        Stream<String> outputs = properties.outputs().keySet().stream()
                .map(output -> PipelineDefinition.outputChannel(pipeline, output));
        return Stream.of(own, steps, stores, outputs).flatMap(names -> names);
    }

    /** Returns the name of a kind as its factory spells it. The kinds that are beans do not exist yet. */
    private static String name(String kind, Extensions<StepFactory<?>> kinds) {
        StepFactory<?> installed = kinds.named(kind);
        return installed == null ? kind : installed.name();
    }
}
