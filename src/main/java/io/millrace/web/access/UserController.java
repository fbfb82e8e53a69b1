package io.millrace.web.access;

import io.millrace.web.request.ApiPath;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the user of a request. */
@RestController
@RequestMapping(ApiPath.BASE + "/user")
final class UserController {

    /**
     * A user.
     *
     * @param name null if the interface is open, or for a token without a subject
     * @param role the user's highest role
     */
    record UserView(@Nullable String name, String role) {}

    @GetMapping
    UserView user(Authentication user) {
        AccessRole role = Authorities.highest(user.getAuthorities().stream()
                        .map(authority -> String.valueOf(authority.getAuthority()))
                        .toList())
                .orElseThrow();
        return new UserView(user instanceof AnonymousAuthenticationToken ? null : user.getName(), role.word());
    }
}
