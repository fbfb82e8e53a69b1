package io.millrace.web.access;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

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

    /** This role and all that it includes, as Spring Security asks for them. */
    List<GrantedAuthority> authorities() {
        return Stream.of(values())
                .filter(role -> role.compareTo(this) <= 0)
                .<GrantedAuthority>map(role -> new SimpleGrantedAuthority(role.word()))
                .toList();
    }
}
