package io.millrace.config;

import io.millrace.client.MillraceClient;
import io.millrace.config.binding.ExtensionKinds;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.QueryProperties;
import io.millrace.config.properties.Role;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.expression.spring.RecordPropertyAccessor;
import io.millrace.feed.FeedFactory;
import io.millrace.measure.AlertListener;
import io.millrace.metrics.AlertMeters;
import io.millrace.metrics.PipelineMeters;
import io.millrace.metrics.PipelineReporter;
import io.millrace.metrics.RegionMeters;
import io.millrace.metrics.SampleListener;
import io.millrace.metrics.Sampler;
import io.millrace.metrics.StoreMeters;
import io.millrace.metrics.StoreWatch;
import io.millrace.metrics.TableMeters;
import io.millrace.output.OutputFactory;
import io.millrace.pipeline.PipelineAssembler;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.alert.AlertDispatcher;
import io.millrace.pipeline.rules.RuleHistories;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.HostName;
import io.millrace.table.Tables;
import io.millrace.web.WebConfiguration;
import io.millrace.web.answer.QueryLimits;
import io.millrace.web.page.PageConfiguration;
import io.millrace.web.page.PageOptions;
import io.millrace.web.page.PlaceMap;
import io.millrace.web.stream.StreamLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.expression.SpelPropertyAccessorRegistrar;

/** Configures and runs pipelines, regions and tables from {@code millrace.*} in a Spring Boot application. */
@AutoConfiguration(after = ClusterAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "millrace.enabled", matchIfMissing = true)
@ConditionalOnExpression("'${millrace.role:ingest}'.toLowerCase() != 'locator'")
@EnableIntegration
@Import({RulesConfiguration.class, WebConfiguration.class, PageConfiguration.class})
@EnableConfigurationProperties(MillraceProperties.class)
public final class MillraceAutoConfiguration {

    @Bean
    static PipelineChannels millracePipelineChannels(Environment environment) {
        return new PipelineChannels(environment);
    }

    /** Returns the functions that are services or beans, for pipelines and queries. */
    @Bean
    @ConditionalOnMissingBean
    FunctionRegistry millraceFunctions(ObjectProvider<ExpressionFunction> functions) {
        return FunctionRegistry.installed().with(functions.stream().toList());
    }

    /** Returns a reader that also knows the kinds of feeds, steps and outputs that are beans. */
    @Bean
    @ConditionalOnMissingBean
    PipelineReader millracePipelineReader(
            Environment environment,
            ObjectProvider<FeedFactory<?>> feeds,
            ObjectProvider<StepFactory<?>> steps,
            ObjectProvider<OutputFactory<?>> outputs,
            ConfigurableListableBeanFactory beans) {
        ExtensionKinds installed = ExtensionKinds.installed();
        return new PipelineReader(
                environment,
                new ExtensionKinds(
                        installed.feeds().with(feeds.orderedStream().toList()),
                        installed.steps().with(steps.orderedStream().toList()),
                        installed.outputs().with(outputs.orderedStream().toList())),
                new BeanSettings(environment, beans));
    }

    @Bean
    @ConditionalOnMissingBean
    Setup millraceSetup(MillraceProperties properties, PipelineReader reader, FunctionRegistry functions) {
        return new SetupPlanner(properties, reader, functions).plan();
    }

    @Bean
    @ConditionalOnMissingBean
    Store millraceStore(
            Setup setup,
            MillraceProperties properties,
            FunctionRegistry functions,
            ObjectProvider<ClusterOptions> cluster) {
        return new StoreOpener(setup, properties, functions).open(cluster.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    MillraceClient millraceClient(Store store) {
        return MillraceClient.of(store);
    }

    @Bean
    @ConditionalOnMissingBean
    QueryLimits millraceQueryLimits(MillraceProperties properties) {
        QueryProperties queries = properties.query();
        return new QueryLimits(
                queries.maxRecords(),
                queries.timeout(),
                queries.maxTimeout(),
                queries.maxConcurrent(),
                queries.maxWaiting(),
                properties.web().slowClientTimeout());
    }

    @Bean
    @ConditionalOnMissingBean
    StreamLimits millraceStreamLimits(MillraceProperties properties) {
        return new StreamLimits(properties.web().maxStreams(), properties.web().slowClientTimeout());
    }

    @Bean
    @ConditionalOnMissingBean
    PageOptions millracePageOptions(MillraceProperties properties) {
        return new PageOptions(properties.page().replay());
    }

    @Bean
    @ConditionalOnMissingBean
    Tables millraceTables(Setup setup) {
        return setup.tables();
    }

    /** Returns the map of the page, or null if none is configured. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    PlaceMap millracePlaceMap(Setup setup) {
        return setup.map();
    }

    @Bean
    TableRefresh millraceTableRefresh(Tables tables, MillraceProperties properties) {
        return new TableRefresh(tables, properties.tables());
    }

    @Bean
    @ConditionalOnMissingBean
    TableMeters millraceTableMeters(Tables tables) {
        return new TableMeters(tables);
    }

    /** Shows the tables that serve old rows because their files have become invalid. Always up, as they still serve. */
    @Bean
    @ConditionalOnMissingBean(name = "tablesHealthIndicator")
    HealthIndicator tablesHealthIndicator(Tables tables) {
        return new TablesHealth(tables);
    }

    /** Shows whether records can be written and queried. */
    @Bean
    @ConditionalOnMissingBean(name = "geodeHealthIndicator")
    HealthIndicator geodeHealthIndicator(Store store) {
        return new StoreHealth(store::requireAvailable);
    }

    /** Down if a pipeline has failed. Not part of readiness by default, because regions are still served. */
    @Bean
    @ConditionalOnMissingBean(name = "pipelinesHealthIndicator")
    HealthIndicator pipelinesHealthIndicator(Pipelines pipelines) {
        return new PipelinesHealth(pipelines);
    }

    /** Shows the pipelines that run in another process. This process is ready to take them over. */
    @Bean
    @ConditionalOnMissingBean(name = "standbyHealthIndicator")
    HealthIndicator standbyHealthIndicator(Pipelines pipelines) {
        return new StandbyHealth(pipelines);
    }

    /** Shows the regions that are stored but not configured. */
    @Bean
    @ConditionalOnMissingBean(name = "regionsHealthIndicator")
    HealthIndicator regionsHealthIndicator(
            Store store, MillraceProperties properties, ObjectProvider<ClusterOptions> cluster) {
        boolean client = properties.role() == Role.INGEST && cluster.getIfAvailable() != null;
        return new RegionsHealth(client ? null : store);
    }

    /**
     * Shows whether all data of the cluster has its redundant copies. Not part of readiness: a single server still
     * serves. In a rolling restart, wait until it is up before you stop the next server.
     */
    @Bean
    @ConditionalOnMissingBean(name = "copiesHealthIndicator")
    @ConditionalOnExpression("'${millrace.role:ingest}'.toLowerCase() == 'server'")
    HealthIndicator copiesHealthIndicator(Store store) {
        return new StoreHealth(store::requireCopies);
    }

    @Bean
    @ConditionalOnMissingBean
    Pipelines millracePipelines(
            Setup setup,
            Store store,
            MillraceProperties properties,
            RuleHistories histories,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<SslBundles> sslBundles) {
        PipelineLimits limits = new PipelineLimits(
                properties.batchRecords(),
                properties.latency(),
                properties.flush(),
                properties.boundedFeedRetryTimeout());
        PipelineAssembler assembler = new PipelineAssembler(
                beans,
                store,
                setup.outputs(),
                limits,
                bundle -> FeedTls.of(sslBundles.getObject().getBundle(bundle)),
                properties.instance() == null ? HostName.get() : properties.instance(),
                properties.pipelines().keySet());
        return new Pipelines(
                properties.role() == Role.SERVER
                        ? List.of()
                        : setup.pipelines().stream()
                                .map(plan -> assembler.assemble(plan, histories.add(plan)))
                                .toList());
    }

    /** Passes alerts to the application's listeners, from the first record on: pipelines start after all beans. */
    @Bean
    @ConditionalOnMissingBean
    AlertDispatcher millraceAlertDispatcher(Pipelines pipelines, ConfigurableListableBeanFactory beans) {
        AlertDispatcher dispatcher = new AlertDispatcher(beans.getBeansOfType(AlertListener.class));
        pipelines.all().stream()
                .flatMap(pipeline -> pipeline.measures().stream())
                .forEach(measure -> measure.listen(dispatcher));
        return dispatcher;
    }

    @Bean
    @ConditionalOnMissingBean
    AlertMeters millraceAlertMeters(AlertDispatcher dispatcher) {
        return new AlertMeters(dispatcher);
    }

    @Bean
    @ConditionalOnMissingBean
    PipelineMeters millracePipelineMeters(Pipelines pipelines) {
        return new PipelineMeters(pipelines);
    }

    @Bean
    @ConditionalOnMissingBean
    RegionMeters millraceRegionMeters(Store store, Setup setup) {
        return new RegionMeters(
                store, setup.regions().stream().map(RegionDefinition::name).toList());
    }

    @Bean
    @ConditionalOnMissingBean
    PipelineReporter millracePipelineReporter() {
        return new PipelineReporter();
    }

    @Bean
    @ConditionalOnMissingBean
    Sampler millraceSampler(Pipelines pipelines, ObjectProvider<SampleListener> listeners) {
        return new Sampler(pipelines, listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    StoreWatch millraceStoreWatch(Store store, Setup setup) {
        return new StoreWatch(
                store, setup.regions().stream().map(RegionDefinition::name).toList());
    }

    @Bean
    @ConditionalOnMissingBean
    StoreMeters millraceStoreMeters(StoreWatch watch, MillraceProperties properties) {
        return new StoreMeters(watch, properties.role() == Role.SERVER);
    }

    /** Hides the secrets of clients even if the actuator is configured to show values. */
    @Bean
    @ConditionalOnMissingBean(name = "millraceSecrets")
    SanitizingFunction millraceSecrets() {
        return data -> data.getLowerCaseKey().endsWith("secret") ? data.withSanitizedValue() : data;
    }

    /** Lets an application's expressions read fields of a record that is the {@code byte[]} payload of a message. */
    @Bean
    @ConditionalOnMissingBean
    SpelPropertyAccessorRegistrar millraceRecordFields(Setup setup) {
        Map<Long, Schema> schemas = new LinkedHashMap<>();
        setup.pipelines().stream()
                .map(plan -> plan.schema().base())
                .forEach(schema -> schemas.put(schema.fingerprint(), schema));
        SpelPropertyAccessorRegistrar registrar = new SpelPropertyAccessorRegistrar();
        schemas.values().stream()
                .flatMap(schema -> RecordPropertyAccessor.of(schema).stream())
                .forEach(accessor -> registrar.add(
                        "millrace-" + registrar.getPropertyAccessors().size(), accessor));
        return registrar;
    }
}
