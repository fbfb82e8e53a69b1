package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page in a browser, of a service that has users. */
class SignInIT {

    private static final String PASSWORD = "a password of some length";

    @TempDir
    Path folder;

    @Test
    void shouldShowThePageToWhoSignsInAndChangeWhatTheRolePermits() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), PASSWORD);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                        .run(
                                "--server.port=0",
                                "--millrace.data=" + folder.resolve("data"),
                                "--millrace.regions.all.layout=blocks",
                                "--millrace.pipelines.made.feed.generator.rate=1000",
                                "--millrace.pipelines.made.schema=trade",
                                "--millrace.pipelines.made.steps[0].to=all",
                                "--millrace.security.users.vera.password-file=" + secret,
                                "--millrace.security.users.vera.role=viewer",
                                "--millrace.security.users.olaf.password-file=" + secret,
                                "--millrace.security.users.olaf.role=operator");
                Browser browser = Browser.start(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))) {
            browser.go("/");
            assertThat(browser.until("form[action='/sign-in.html'] button").getText())
                    .isEqualTo("Sign in");
            signIn(browser, "vera", "another password, as long");
            assertThat(browser.until("#refused:not([hidden])").getText())
                    .contains("Unknown user or incorrect password");

            signIn(browser, "vera", PASSWORD);
            browser.until(".connection.live");
            assertThat(browser.until("#user:not([hidden]) button").getText()).isEqualTo("Sign out vera");
            assertThat(pause(browser)).isEqualTo(403L);

            browser.until("#sign-out").click();
            browser.until("form[action='/sign-in.html']");
            signIn(browser, "olaf", PASSWORD);
            browser.until(".connection.live");
            assertThat(pause(browser)).isEqualTo(200L);
        }
    }

    /** Returns the status of what the page's script is answered. */
    private static @Nullable Object pause(Browser browser) {
        return browser.runAsync("""
                const tell = arguments[arguments.length - 1];
                fetch('/api/pipelines/made/replay', {
                  method: 'PUT',
                  headers: { 'Content-Type': 'application/json' },
                  body: '{"paused":true}',
                }).then((response) => tell(response.status));
                """);
    }

    private static void signIn(Browser browser, String user, String password) {
        browser.until("input[name=username]").sendKeys(user);
        browser.until("input[name=password]").sendKeys(password, Keys.ENTER);
    }
}
