package io.millrace.web.access;

import io.millrace.web.request.ApiPath;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns how users can sign in on the page. */
@RestController
@RequestMapping(SignInController.PATH)
final class SignInController {

    static final String PATH = ApiPath.BASE + "/sign-in";

    private final SignInView view;

    /**
     * The methods that the sign-in page offers.
     *
     * @param passwords whether users have passwords
     * @param providers identity providers
     */
    record SignInView(boolean passwords, List<IdentityProviders.Link> providers) {}

    SignInController(AccessOptions options, IdentityProviders providers) {
        this.view = new SignInView(options.hasPasswords(), providers.links());
    }

    @GetMapping
    SignInView signIn() {
        return view;
    }
}
