package io.millrace;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** The service as a Spring Boot application; everything in it comes by auto-configuration. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class MillraceApplication {}
