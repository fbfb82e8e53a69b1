package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.GrantedAuthority;

class ClaimRolesTest {

    private static List<String> roles(String claim, Map<String, ?> claims) {
        return new ClaimRoles(claim)
                .of(claims).stream().map(GrantedAuthority::getAuthority).toList();
    }

    @Test
    void shouldReadListsAndWords() {
        assertThat(roles("roles", Map.of("roles", List.of("x", "operator", 7)))).containsExactly("viewer", "operator");
        assertThat(roles("roles", Map.of("roles", "x x viewer"))).containsExactly("viewer");
    }

    @Test
    void shouldFindNestedClaims() {
        assertThat(roles("realm_access.roles", Map.of("realm_access", Map.of("roles", List.of("admin")))))
                .contains("admin");
        assertThat(roles(
                        "resource_access.web.millrace.roles",
                        Map.of("resource_access", Map.of("web.millrace", Map.of("roles", List.of("viewer"))))))
                .containsExactly("viewer");
    }

    @Test
    void shouldFindClaimsWithDotsInTheirNames() {
        assertThat(roles("https://example.com/roles", Map.of("https://example.com/roles", "viewer")))
                .containsExactly("viewer");
    }

    @Test
    void shouldFindNoRolesInOtherClaims() {
        assertThat(roles("realm_access.roles", Map.of("roles", "admin"))).isEmpty();
        assertThat(roles("roles", Map.of("realm_access", Map.of("roles", "admin"))))
                .isEmpty();
        assertThat(roles("realm_access.roles", Map.of("realm_access", "admin"))).isEmpty();
        assertThat(roles("a.", Map.of("a", Map.of("b", "admin")))).isEmpty();
        assertThat(roles("roles", Map.of("roles", 1))).isEmpty();
        assertThat(roles("roles", Map.of("roles", "Admin superadmin"))).isEmpty();
    }
}
