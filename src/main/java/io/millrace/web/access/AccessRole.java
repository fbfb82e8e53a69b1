package io.millrace.web.access;

import java.util.Locale;

/** The role of a user of the HTTP interface. Each role includes those before it. */
public enum AccessRole {
    /** Read and query. */
    VIEWER,
    /** Change the service's work: reload tables, set the rate of feeds. */
    OPERATOR,
    /** Everything, such as changing log levels with the actuator. */
    ADMIN;

    /** Returns the role's name in configurations, tokens and messages. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
