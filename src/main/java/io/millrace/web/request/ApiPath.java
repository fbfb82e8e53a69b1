package io.millrace.web.request;

/** The path of the HTTP API. */
public final class ApiPath {

    /** Prefix of all paths, as a placeholder: Spring resolves it where controllers are mapped. */
    public static final String BASE = "${millrace.web.base-path:/api}";

    private ApiPath() {}
}
