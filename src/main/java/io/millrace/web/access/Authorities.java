package io.millrace.web.access;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** Converts roles to authorities of Spring Security, which applications that bind {@link AccessRole} need not have. */
final class Authorities {

    private Authorities() {}

    /** Returns a role and all that it includes. */
    static List<GrantedAuthority> of(AccessRole role) {
        return Stream.of(AccessRole.values())
                .filter(included -> included.compareTo(role) <= 0)
                .<GrantedAuthority>map(included -> new SimpleGrantedAuthority(included.word()))
                .toList();
    }

    /** Returns the highest role among words; other words are ignored. */
    static Optional<AccessRole> highest(Collection<String> words) {
        return Stream.of(AccessRole.values())
                .filter(role -> words.contains(role.word()))
                .max(Comparator.naturalOrder());
    }
}
