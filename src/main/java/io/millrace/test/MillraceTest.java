package io.millrace.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.ClassMode;
import org.springframework.test.context.TestPropertySource;

/**
 * Starts the application for a test class, with its pipelines but without their feeds. The test sends records through
 * the bean {@link TestPipelines}. Regions are stored in this process, in a temporary folder where they are persistent,
 * even if the configuration names a cluster. There is no web server.
 *
 * <p>Each test method gets a new application context with empty regions.
 */
@API(status = API.Status.STABLE)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@TestPropertySource(properties = {"millrace.role=ingest", "millrace.geode.locators="})
@DirtiesContext(classMode = ClassMode.AFTER_EACH_TEST_METHOD)
@Import(MillraceTestConfiguration.class)
public @interface MillraceTest {

    /** Returns the classes of the application; by default, the class with {@code @SpringBootConfiguration}. */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};

    /** Returns properties that replace those of the application, each as {@code key=value}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};
}
