package io.millrace.test;

import io.millrace.config.MillraceProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.util.FileSystemUtils;

/**
 * Replaces the configuration of Millrace by one without feeds, whose data folder is a temporary one. Removes the folder
 * with the configuration, after everything that uses it was closed.
 */
final class TestProperties implements DestructionAwareBeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        return bean instanceof MillraceProperties properties ? properties.withoutFeeds(temporaryFolder()) : bean;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("millrace-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof MillraceProperties;
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String name) {
        if (bean instanceof MillraceProperties properties) {
            try {
                FileSystemUtils.deleteRecursively(properties.data());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
