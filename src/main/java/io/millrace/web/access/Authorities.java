package io.millrace.web.access;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Roles as Spring Security asks for them. Apart from the roles, which applications without it bind too. */
final class Authorities {

    private Authorities() {}

    /** Returns a role and all that it includes. */
    static List<GrantedAuthority> of(AccessRole role) {
        return Stream.of(AccessRole.values())
                .filter(included -> included.compareTo(role) <= 0)
                .<GrantedAuthority>map(included -> new SimpleGrantedAuthority(included.word()))
                .toList();
    }

    /** Returns the highest of the roles that words name; other words mean nothing. */
    static Optional<AccessRole> highest(Collection<String> words) {
        return Stream.of(AccessRole.values())
                .filter(role -> words.contains(role.word()))
                .max(Comparator.naturalOrder());
    }
}
