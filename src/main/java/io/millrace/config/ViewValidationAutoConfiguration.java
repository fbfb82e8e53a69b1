package io.millrace.config;

import io.millrace.view.ViewValidation;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;

/** Lets the validator of a Spring Boot application validate views of classes with constraints on fields. */
@AutoConfiguration
@ConditionalOnClass(ValidationConfigurationCustomizer.class)
public final class ViewValidationAutoConfiguration {

    /** Next to those of the application, unless it has one of this name. */
    @Bean
    @ConditionalOnMissingBean(name = "millraceViewValidation")
    static ValidationConfigurationCustomizer millraceViewValidation() {
        return ViewValidation::configure;
    }
}
