package io.millrace.test;

import io.millrace.config.properties.MillraceProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.FileSystemUtils;

/**
 * Replaces the configuration of Millrace by one without feeds, whose data folder is a temporary one. Removes this
 * folder at the end, after everything that uses the configuration was closed.
 */
final class TestProperties implements BeanPostProcessor, AutoCloseable {

    /** Name of the bean of this type. */
    static final String BEAN = "millraceTestProperties";

    private final ConfigurableBeanFactory beans;
    private final Path folder;

    TestProperties(ConfigurableBeanFactory beans) throws IOException {
        this.beans = beans;
        folder = Files.createTempDirectory("millrace-test");
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (!(bean instanceof MillraceProperties properties)) {
            return bean;
        }
        // Beans are closed before those that they depend on.
        beans.registerDependentBean(BEAN, name);
        return properties.withoutFeeds(folder);
    }

    @Override
    public void close() throws IOException {
        FileSystemUtils.deleteRecursively(folder);
    }
}
