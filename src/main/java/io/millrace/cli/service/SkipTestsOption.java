package io.millrace.cli.service;

import picocli.CommandLine.Option;

/** What commands have in common that apply rules for the first time: tests that fail refuse them. */
final class SkipTestsOption {

    @Option(names = "--skip-tests", description = "Apply the rules although tests of the configuration fail.")
    private boolean skipTests;

    /** Returns the parameter of the request. */
    String query() {
        return "skipTests=" + skipTests;
    }
}
