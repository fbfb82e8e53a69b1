package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.core.domain.properties.HasReturnType.Predicates.rawReturnType;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.background.FailureCode;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.schema.ProblemCode;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.region.RegionValues;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.web.request.ApiErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.geode.cache.Region;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;

/**
 * The direction of the packages: background and schema ← codec ← {expression, table, feed} ← {aggregate, view} ← store
 * ← {measure, output} ← pipeline ← config ← root.
 */
@AnalyzeClasses(packages = "io.millrace", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    /** Comparisons that end at the first difference would show how much of an authenticator is right. */
    @ArchTest
    static final ArchRule shouldCompareAuthenticatorsInConstantTime = noClasses()
            .that()
            .resideInAPackage("io.millrace.feed.radius..")
            .should()
            .callMethodWhere(
                    target(owner(assignableTo(Arrays.class))).and(target(nameMatching("equals|mismatch|compare.*"))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(ByteBuffer.class)))
                    .and(target(nameMatching("equals|mismatch|compareTo"))));

    @ArchTest
    static final ArchRule shouldPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("background")
            .definedBy("io.millrace.background..")
            .layer("regex")
            .definedBy("io.millrace.regex..")
            .layer("schema")
            .definedBy("io.millrace.schema..")
            .layer("codec")
            .definedBy("io.millrace.codec..")
            .layer("extension")
            .definedBy("io.millrace.extension..")
            .layer("hash")
            .definedBy("io.millrace.hash..")
            .layer("memory")
            .definedBy("io.millrace.memory..")
            .layer("expression")
            .definedBy("io.millrace.expression..")
            .layer("view")
            .definedBy("io.millrace.view..")
            .layer("aggregate")
            .definedBy("io.millrace.aggregate..")
            .layer("measure")
            .definedBy("io.millrace.measure..")
            .layer("table")
            .definedBy("io.millrace.table..")
            .layer("kafka")
            .definedBy("io.millrace.kafka..")
            .layer("feed")
            .definedBy("io.millrace.feed..")
            .layer("store")
            .definedBy("io.millrace.store..")
            .layer("output")
            .definedBy("io.millrace.output..")
            .layer("pipeline")
            .definedBy("io.millrace.pipeline..")
            .layer("metrics")
            .definedBy("io.millrace.metrics..")
            .layer("client")
            .definedBy("io.millrace.client..")
            .layer("web")
            .definedBy("io.millrace.web..")
            .layer("config")
            .definedBy("io.millrace.config..")
            .layer("model")
            .definedBy("io.millrace.model..")
            .layer("maven")
            .definedBy("io.millrace.maven..")
            .layer("cli")
            .definedBy("io.millrace.cli..")
            .layer("containers")
            .definedBy("io.millrace.testcontainers..", "io.millrace.compose..")
            .layer("test")
            .definedBy("io.millrace.test..")
            .layer("root")
            .definedBy("io.millrace")
            .whereLayer("background")
            .mayNotAccessAnyLayer()
            .whereLayer("regex")
            .mayNotAccessAnyLayer()
            .whereLayer("schema")
            .mayOnlyAccessLayers("regex")
            .whereLayer("codec")
            .mayOnlyAccessLayers("schema")
            .whereLayer("extension")
            .mayOnlyAccessLayers("schema")
            .whereLayer("hash")
            .mayOnlyAccessLayers("codec")
            .whereLayer("memory")
            .mayOnlyAccessLayers("codec")
            .whereLayer("expression")
            .mayOnlyAccessLayers("regex", "schema", "codec")
            .whereLayer("view")
            .mayOnlyAccessLayers("schema", "codec", "expression")
            .whereLayer("aggregate")
            .mayOnlyAccessLayers("schema", "codec", "hash", "expression")
            .whereLayer("measure")
            .mayOnlyAccessLayers("schema", "codec", "expression", "aggregate", "store")
            .whereLayer("table")
            .mayOnlyAccessLayers("regex", "schema", "codec", "hash", "memory")
            .whereLayer("kafka")
            .mayOnlyAccessLayers("schema", "extension")
            .whereLayer("feed")
            .mayOnlyAccessLayers("background", "schema", "codec", "extension", "hash", "kafka")
            .whereLayer("model")
            .mayOnlyAccessLayers("regex", "schema", "codec")
            .whereLayer("model")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("maven")
            .mayOnlyAccessLayers("schema", "view")
            .whereLayer("maven")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("store")
            .mayOnlyAccessLayers("background", "schema", "codec", "hash", "expression", "view", "aggregate")
            .whereLayer("output")
            .mayOnlyAccessLayers("background", "schema", "codec", "extension", "expression", "kafka", "store")
            .whereLayer("pipeline")
            .mayOnlyAccessLayers(
                    "background",
                    "schema",
                    "codec",
                    "extension",
                    "memory",
                    "expression",
                    "view",
                    "table",
                    "feed",
                    "store",
                    "output",
                    "measure")
            .whereLayer("metrics")
            .mayOnlyAccessLayers("background", "codec", "table", "feed", "store", "measure", "pipeline")
            .whereLayer("client")
            .mayOnlyAccessLayers("schema", "codec", "expression", "view", "store")
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("config", "test")
            .whereLayer("web")
            .mayOnlyAccessLayers(
                    "background",
                    "schema",
                    "codec",
                    "expression",
                    "table",
                    "feed",
                    "store",
                    "measure",
                    "pipeline",
                    "metrics")
            .whereLayer("containers")
            .mayOnlyAccessLayers("config")
            .whereLayer("containers")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("test")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("root")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule shouldPointOneWayInTheStore = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("error")
            .definedBy("io.millrace.store.error")
            .layer("catalog")
            .definedBy("io.millrace.store.catalog")
            .layer("region")
            .definedBy("io.millrace.store.region")
            .layer("block")
            .definedBy("io.millrace.store.block")
            .layer("query")
            .definedBy("io.millrace.store.query")
            .layer("scan")
            .definedBy("io.millrace.store.scan")
            .layer("write")
            .definedBy("io.millrace.store.write")
            .layer("reject")
            .definedBy("io.millrace.store.reject")
            .layer("store")
            .definedBy("io.millrace.store")
            .whereLayer("error")
            .mayNotAccessAnyLayer()
            .whereLayer("catalog")
            .mayNotAccessAnyLayer()
            .whereLayer("region")
            .mayOnlyAccessLayers("error", "catalog")
            .whereLayer("block")
            .mayOnlyAccessLayers("error", "region")
            .whereLayer("query")
            .mayOnlyAccessLayers("error", "region")
            .whereLayer("scan")
            .mayOnlyAccessLayers("error", "region", "block", "query")
            .whereLayer("write")
            .mayOnlyAccessLayers("error", "catalog", "region")
            .whereLayer("reject")
            .mayOnlyAccessLayers("error", "region")
            .whereLayer("store")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule shouldPointOneWayInGeode = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("access")
            .definedBy("io.millrace.store.geode.access")
            .layer("cache")
            .definedBy("io.millrace.store.geode.cache")
            .layer("cluster")
            .definedBy("io.millrace.store.geode.cluster")
            .layer("shared")
            .definedBy("io.millrace.store.geode.shared")
            .layer("region")
            .definedBy("io.millrace.store.geode.region")
            .layer("write")
            .definedBy("io.millrace.store.geode.write")
            .layer("query")
            .definedBy("io.millrace.store.geode.query")
            .layer("expiry")
            .definedBy("io.millrace.store.geode.expiry")
            .layer("admin")
            .definedBy("io.millrace.store.geode.admin")
            .layer("geode")
            .definedBy("io.millrace.store.geode")
            .whereLayer("access")
            .mayNotAccessAnyLayer()
            .whereLayer("cache")
            .mayOnlyAccessLayers("access")
            .whereLayer("cluster")
            .mayOnlyAccessLayers("cache")
            .whereLayer("shared")
            .mayOnlyAccessLayers("cache")
            .whereLayer("region")
            .mayOnlyAccessLayers("cache")
            .whereLayer("write")
            .mayOnlyAccessLayers("region")
            .whereLayer("query")
            .mayOnlyAccessLayers("access", "cache", "region")
            .whereLayer("expiry")
            .mayOnlyAccessLayers("region")
            .whereLayer("admin")
            .mayOnlyAccessLayers("cache", "shared", "region")
            .whereLayer("geode")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule shouldPointOneWayInTheConfiguration = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("properties")
            .definedBy("io.millrace.config.properties")
            .layer("binding")
            .definedBy("io.millrace.config.binding")
            .layer("plan")
            .definedBy("io.millrace.config.plan")
            .layer("config")
            .definedBy("io.millrace.config")
            .whereLayer("properties")
            .mayNotAccessAnyLayer()
            .whereLayer("binding")
            .mayOnlyAccessLayers("properties")
            .whereLayer("plan")
            .mayOnlyAccessLayers("properties", "binding")
            .whereLayer("config")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule shouldPointOneWayInTheHttpInterface = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("request")
            .definedBy("io.millrace.web.request")
            .layer("access")
            .definedBy("io.millrace.web.access")
            .layer("stream")
            .definedBy("io.millrace.web.stream")
            .layer("answer")
            .definedBy("io.millrace.web.answer")
            .layer("measure")
            .definedBy("io.millrace.web.measure")
            .layer("web")
            .definedBy("io.millrace.web")
            .layer("page")
            .definedBy("io.millrace.web.page")
            .whereLayer("request")
            .mayNotAccessAnyLayer()
            .whereLayer("access")
            .mayOnlyAccessLayers("request")
            .whereLayer("stream")
            .mayOnlyAccessLayers("request")
            .whereLayer("answer")
            .mayOnlyAccessLayers("request")
            .whereLayer("measure")
            .mayOnlyAccessLayers("request", "stream")
            .whereLayer("web")
            .mayOnlyAccessLayers("request", "stream", "answer", "measure")
            .whereLayer("page")
            .mayOnlyAccessLayers("request", "stream", "web");

    @ArchTest
    static final ArchRule shouldPointOneWayInTheCommands = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("error")
            .definedBy("io.millrace.cli.error")
            .layer("file")
            .definedBy("io.millrace.cli.file")
            .layer("stored")
            .definedBy("io.millrace.cli.stored")
            .layer("check")
            .definedBy("io.millrace.cli.check")
            .layer("convert")
            .definedBy("io.millrace.cli.convert")
            .layer("model")
            .definedBy("io.millrace.cli.model")
            .layer("table")
            .definedBy("io.millrace.cli.table")
            .layer("service")
            .definedBy("io.millrace.cli.service")
            .layer("cli")
            .definedBy("io.millrace.cli")
            .whereLayer("error")
            .mayNotAccessAnyLayer()
            .whereLayer("file")
            .mayOnlyAccessLayers("error")
            .whereLayer("service")
            .mayOnlyAccessLayers("error", "file")
            .whereLayer("stored")
            .mayOnlyAccessLayers("error", "service")
            .whereLayer("check")
            .mayOnlyAccessLayers("error", "file", "service", "stored")
            .whereLayer("convert")
            .mayOnlyAccessLayers("error", "file")
            .whereLayer("model")
            .mayOnlyAccessLayers("error", "file")
            .whereLayer("table")
            .mayOnlyAccessLayers("error", "file")
            .whereLayer("cli")
            .mayOnlyAccessLayers("error");

    @ArchTest
    static final ArchRule shouldPointOneWayInRadius = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("packet")
            .definedBy("io.millrace.feed.radius.packet")
            .layer("load")
            .definedBy("io.millrace.feed.radius.load")
            .layer("radius")
            .definedBy("io.millrace.feed.radius")
            .whereLayer("packet")
            .mayNotAccessAnyLayer()
            .whereLayer("load")
            .mayOnlyAccessLayers("packet")
            .whereLayer("radius")
            .mayOnlyAccessLayers("packet");

    @ArchTest
    static final ArchRule shouldBeFreeOfCycles =
            slices().matching("io.millrace.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule shouldKnowGeodeInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage("io.millrace.store.geode..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.geode..");

    /** What other versions of Kafka's client may not have. */
    @ArchTest
    static final ArchRule shouldKnowTheInternalsOfKafkasClientInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage("io.millrace.feed.kafka.direct")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.kafka.clients",
                    "org.apache.kafka.clients.consumer.internals..",
                    "org.apache.kafka.common.compress..",
                    "org.apache.kafka.common.memory..",
                    "org.apache.kafka.common.message..",
                    "org.apache.kafka.common.network..",
                    "org.apache.kafka.common.protocol..",
                    "org.apache.kafka.common.record..",
                    "org.apache.kafka.common.requests..");

    /** A process that was superseded changes nothing: these classes write under keys of their own process. */
    @ArchTest
    static final ArchRule shouldWriteSharedMapsInATerm = noClasses()
            .that(not(belongToAnyOf(Leases.class, StoredRules.class)))
            .should()
            .callMethodWhere(target(owner(assignableTo(SharedMap.class))).and(target(nameMatching(".*Own"))));

    /**
     * These classes write in a term or compare with the former value. Servers also write definitions, without a term.
     */
    @ArchTest
    static final ArchRule shouldWriteRegionsInATerm = noClasses()
            .that(not(belongToAnyOf(RegionMap.class, RegionValues.class, Definitions.class)))
            .should()
            .callMethodWhere(target(owner(assignableTo(Region.class)))
                    .and(target(nameMatching("put|putAll|destroy|removeAll"))));

    /** What is removed or counted by the time of day would be wrong for good where the clock was. */
    @ArchTest
    static final ArchRule shouldNotFollowAClockThatJumps = noClasses()
            .that()
            .resideInAnyPackage("io.millrace.store.geode.expiry..", "io.millrace.measure..", "io.millrace.pipeline..")
            .and()
            .resideOutsideOfPackages("io.millrace.pipeline.rules..", "io.millrace.pipeline.tap..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(InstantSource.class, "system")
            .orShould()
            .callMethod(Instant.class, "now");

    @ArchTest
    static final ArchRule shouldKnowMavenInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage("io.millrace.maven..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.maven..");

    @ArchTest
    static final ArchRule shouldKeepTheDataPlanePlainJava = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.millrace.background..",
                    "io.millrace.schema..",
                    "io.millrace.codec..",
                    "io.millrace.memory..",
                    "io.millrace.table..",
                    "io.millrace.aggregate..",
                    "io.millrace.measure..",
                    "io.millrace.feed..",
                    "io.millrace.client..",
                    "io.millrace.store..",
                    "io.millrace.expression",
                    "io.millrace.expression.bytecode..",
                    "io.millrace.expression.check..",
                    "io.millrace.expression.error..",
                    "io.millrace.expression.function..",
                    "io.millrace.expression.ir..",
                    "io.millrace.expression.operand..",
                    "io.millrace.expression.operator..",
                    "io.millrace.expression.range..",
                    "io.millrace.view..",
                    "io.millrace.regex..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "org.springframework.boot..",
                            "org.springframework.context..",
                            "org.springframework.beans..",
                            "org.springframework.integration..")
                    // An annotation of the properties of feeds.
                    .and(not(type(DefaultValue.class))));

    /** A kind of feed is one package: nothing else knows it. */
    @ArchTest
    static final ArchRule shouldKnowFeedsByTheirFactoriesOnly = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.millrace.config..", "io.millrace.metrics..", "io.millrace.pipeline..", "io.millrace.web..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.millrace.feed.(*)..");

    /** A kind of step is one package: nothing else knows it. */
    @ArchTest
    static final ArchRule shouldKnowStepsByTheirFactoriesOnly = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.millrace.cli..",
                    "io.millrace.config..",
                    "io.millrace.metrics..",
                    "io.millrace.web..",
                    "io.millrace.pipeline",
                    "io.millrace.pipeline.alert..",
                    "io.millrace.pipeline.commit..",
                    "io.millrace.pipeline.definition..",
                    "io.millrace.pipeline.monitor..",
                    "io.millrace.pipeline.run..",
                    "io.millrace.pipeline.tap..",
                    "io.millrace.pipeline.version..",
                    "io.millrace.pipeline.step")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.millrace.pipeline.step.(*)..");

    /**
     * A bean of the application takes precedence over one of the library. Beans of classes that are not public are
     * excepted, as an application can't define them, and those of the executable and of tests, which no application
     * imports.
     */
    @ArchTest
    static final ArchRule shouldLetBeansOfTheApplicationWin = methods()
            .that()
            .areAnnotatedWith(Bean.class)
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages("io.millrace.application..", "io.millrace.test..", "io.millrace.web.access..")
            .and(rawReturnType(modifier(JavaModifier.PUBLIC)))
            .should()
            .beAnnotatedWith(ConditionalOnMissingBean.class);

    /** Such a name promises a test. An annotation for tests is one. */
    @ArchTest
    static final ArchRule shouldNotNameClassesLikeTests =
            classes().that().areNotAnnotations().should().haveNameNotMatching(".*Tests?");

    private static final int MAX_FILES = 30;

    /** Many files in one package hide which of them belong together. */
    @ArchTest
    static void shouldHaveSmallPackages(JavaClasses all) throws IOException {
        Path sources = Path.of("src/main/java/io/millrace");
        Map<String, Integer> files;
        try (Stream<Path> paths = Files.walk(sources)) {
            files = paths.filter(file -> file.toString().endsWith(".java"))
                    .collect(Collectors.toMap(
                            file -> sources.relativize(file.getParent()).toString(), _ -> 1, Integer::sum));
        }
        files.values().removeIf(count -> count <= MAX_FILES);
        assertThat(files).as("packages of more than %d files", MAX_FILES).isEmpty();
    }

    /** This number only falls. */
    private static final int CLASS_CYCLES = 16;

    /** Classes of a cycle can only be read, tested and changed together. */
    @ArchTest
    static void shouldHaveFewCyclesBetweenClasses(JavaClasses all) {
        List<List<String>> cycles = ClassCycles.of(all);
        assertThat(cycles.size())
                .as("cycles between classes: break new ones, and lower the number after others; now %s", cycles)
                .isEqualTo(CLASS_CYCLES);
    }

    /** A name that exists twice leads readers to the wrong file. */
    @ArchTest
    static void shouldGiveEachClassANameOfItsOwn(JavaClasses all) {
        Map<String, List<String>> classes = all.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        classes.values().removeIf(names -> names.size() == 1);
        assertThat(classes).isEmpty();
    }

    /** Otherwise the reference of messages would describe errors that never occur. */
    @ArchTest
    static void shouldUseEachErrorCode(JavaClasses all) {
        for (Class<?> codes : List.of(
                ErrorCode.class, ProblemCode.class, ApiErrorCode.class, RejectReason.Kind.class, FailureCode.class)) {
            assertThat(all.get(codes).getFields())
                    .filteredOn(field -> field.getModifiers().contains(JavaModifier.ENUM))
                    .isNotEmpty()
                    .allSatisfy(code -> assertThat(code.getAccessesToSelf())
                            .as(code.getFullName())
                            .anyMatch(access -> !access.getOriginOwner().equals(code.getOwner())));
        }
    }

    @ArchTest
    static final ArchRule shouldBeNullMarked = classes()
            .that()
            .haveSimpleName("package-info")
            .should()
            .beAnnotatedWith("org.jspecify.annotations.NullMarked");

    private static final List<String> MATCHERS_OF_NAMES = List.of(
            "aggregate.GroupAggregate",
            "codec.DateCodec",
            "codec.file.ContentCheck",
            "codec.file.TextContent",
            "measure.plan.MeasurePlanner",
            "pipeline.step.PlanContext",
            "pipeline.step.measure.MeasureReader",
            "store.geode.cache.ProcessName",
            "store.geode.cache.ProcFileSystem",
            "store.region.RegionNames",
            "store.scan.QueryPlan",
            "store.write.WriterName");

    /**
     * {@link java.util.regex} backtracks: a text can take it hours, or the stack. Values match a
     * {@link io.millrace.regex.TextPattern}. The classes that are excepted match names, configuration, and the first
     * bytes of a file.
     */
    @ArchTest
    static final ArchRule shouldMatchDataInLinearTime = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.millrace.aggregate..",
                    "io.millrace.client..",
                    "io.millrace.codec..",
                    "io.millrace.expression.bytecode..",
                    "io.millrace.expression.function..",
                    "io.millrace.feed..",
                    "io.millrace.measure..",
                    "io.millrace.memory..",
                    "io.millrace.pipeline..",
                    "io.millrace.store..",
                    "io.millrace.table..",
                    "io.millrace.view..")
            .and()
            .haveNameNotMatching(".*\\.(" + String.join("|", MATCHERS_OF_NAMES) + ")(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex");
}
