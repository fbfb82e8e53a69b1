package io.millrace.web.access;

import java.util.Locale;

/** What a user of the HTTP interface may do; each role may do what those before it may. */
public enum AccessRole {
    /** Read and query. */
    VIEWER,
    /** Change how the service works on its feeds: reload tables, set the speed of feeds. */
    OPERATOR,
    /** Everything, such as to change log levels by the actuator. */
    ADMIN;

    /** The word in configurations, tokens and messages. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
