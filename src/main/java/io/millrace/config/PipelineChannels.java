package io.millrace.config;

import io.millrace.config.binding.ExtensionKinds;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.extension.Extensions;
import io.millrace.pipeline.chain.PipelineChannel;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.Target;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

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
        Stream<String> targets = texts(configured.steps().stream())
                .map(Target::parse)
                .filter(target -> switch (target) {
                    case Target.RegionTarget(var region) -> properties.regions().containsKey(region);
                    case Target.OutputTarget(var output) -> properties.outputs().containsKey(output);
                    case Target.ChannelTarget _ -> false;
                })
                .map(target -> target.channel(pipeline));
        return Stream.of(own, steps, targets).flatMap(names -> names);
    }

    /**
     * Returns all texts in properties of steps, among which are the targets. Which properties are targets is known to
     * the kinds of steps only; to define the channels of all regions for each pipeline would take as many beans as
     * their product.
     */
    private static Stream<String> texts(Stream<?> values) {
        return values.flatMap(value -> switch (value) {
            case Map<?, ?> map -> Stream.concat(texts(map.keySet().stream()), texts(map.values().stream()));
            case Collection<?> list -> texts(list.stream());
            case null -> Stream.of();
            default ->
                Arrays.stream(StringUtils.commaDelimitedListToStringArray(value.toString()))
                        .map(String::strip);
        });
    }

    /** Returns the name of a kind as its factory spells it. The kinds that are beans do not exist yet. */
    private static String name(String kind, Extensions<StepFactory<?>> kinds) {
        StepFactory<?> installed = kinds.named(kind);
        return installed == null ? kind : installed.name();
    }
}
