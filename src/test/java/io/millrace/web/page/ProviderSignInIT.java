package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.application.MillraceApplication;
import io.millrace.web.access.OpenIdProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page in a browser whose user signs in at an identity provider, and pages of other origins in that browser. */
class ProviderSignInIT {

    @TempDir
    Path folder;

    private ConfigurableApplicationContext service(OpenIdProvider provider) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "a password of some length");
        String client = "--spring.security.oauth2.client.";
        return new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.regions.all.layout=blocks",
                        "--millrace.pipelines.made.feed.generator.rate=1000",
                        "--millrace.pipelines.made.schema=trade",
                        "--millrace.pipelines.made.steps[0].to=all",
                        "--management.endpoints.web.exposure.include=*",
                        "--millrace.security.roles-claim=realm_access.roles",
                        "--millrace.security.users.vera.password-file=" + secret,
                        "--millrace.security.users.vera.role=viewer",
                        client + "registration.plant.client-id=millrace",
                        client + "registration.plant.client-secret=" + OpenIdProvider.SECRET,
                        client + "registration.plant.scope=openid",
                        client + "registration.plant.client-name=Plant",
                        client + "provider.plant.issuer-uri=" + provider.issuer(),
                        client + "provider.plant.user-name-attribute=preferred_username");
    }

    private static String address(ConfigurableApplicationContext service) {
        return "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port");
    }

    @Test
    void shouldShowThePageByTheRoleOfTheProvider() throws Exception {
        try (OpenIdProvider provider = new OpenIdProvider();
                ConfigurableApplicationContext service = service(provider);
                Browser browser = Browser.start(address(service))) {
            browser.go("/");
            assertThat(browser.until("#providers a").getText()).isEqualTo("Sign in with Plant");
            assertThat(browser.until("form[action='/sign-in.html'] button").isDisplayed())
                    .isTrue();
            assertThat(statuses(browser)).containsExactly(401L, 401L, 401L);

            signIn(browser, "none");
            assertThat(browser.until("#no-role:not([hidden])").getText()).contains("no role");

            signIn(browser, "viewer");
            assertSignedIn(browser, "viewer");
            assertThat(statuses(browser)).containsExactly(200L, 403L, 403L);
            browser.until("#sign-out").click();

            signIn(browser, "operator");
            assertSignedIn(browser, "operator");
            assertThat(statuses(browser)).containsExactly(200L, 200L, 403L);
            browser.until("#sign-out").click();

            signIn(browser, "admin");
            assertSignedIn(browser, "admin");
            assertThat(statuses(browser)).containsExactly(200L, 200L, 200L);
        }
    }

    /** On 127.0.0.1 the other page is of the same site, so the browser sends the cookie; on localhost it is not. */
    @Test
    void shouldRefuseRequestsFromPagesOfOtherOrigins() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            byte[] page = "<!doctype html><title>Other</title><p id='other'>Other</p>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        other.start();
        try (OpenIdProvider provider = new OpenIdProvider();
                ConfigurableApplicationContext service = service(provider);
                Browser browser = Browser.start(address(service))) {
            browser.go("/");
            signIn(browser, "admin");
            assertSignedIn(browser, "admin");
            for (String host : List.of("127.0.0.1", "localhost")) {
                browser.leaveFor("http://" + host + ":" + other.getAddress().getPort());
                browser.until("#other");
                String read = "fetch('" + address(service) + "/api/user', { credentials: 'include' })";
                assertThat(outcome(browser, read)).as("read from %s", host).isEqualTo("TypeError");
                String change = "fetch('" + address(service) + "/api/pipelines/made/replay', { method: 'PUT', "
                        + "credentials: 'include', headers: { 'Content-Type': 'application/json' }, "
                        + "body: '{\"paused\":true}' })";
                assertThat(outcome(browser, change)).as("change from %s", host).isEqualTo("TypeError");
                // Sent without a preflight, whatever the response.
                String signOut = "fetch('" + address(service) + "/sign-out', { method: 'POST', mode: 'no-cors', "
                        + "credentials: 'include' })";
                assertThat(outcome(browser, signOut)).isEqualTo("opaque");
                browser.run("const form = document.createElement('form'); form.method = 'post'; form.action = '"
                        + address(service) + "/sign-out'; document.body.append(form); form.submit();");
                browser.until("pre");

                browser.go("/");
                assertSignedIn(browser, "admin");
                assertThat(browser.runAsync("""
                        const done = arguments[arguments.length - 1];
                        fetch('/api/pipelines/made/replay').then((response) => response.text()).then(done);
                        """)).asString().contains("\"paused\":false");
            }
        } finally {
            other.stop(0);
        }
    }

    private static void assertSignedIn(Browser browser, String user) {
        browser.until(".connection.live");
        assertThat(browser.until("#user:not([hidden]) button").getText()).isEqualTo("Sign out " + user);
    }

    private static void signIn(Browser browser, String user) {
        browser.until("#providers a").click();
        browser.until("#" + user + "[href]").click();
    }

    /** Returns the statuses of a read, a change and a request to the actuator by the page's scripts. */
    @SuppressWarnings("unchecked")
    private static List<Object> statuses(Browser browser) {
        Object statuses = browser.runAsync("""
                const done = arguments[arguments.length - 1];
                // Without it, the browser would open a dialog for a password.
                const headers = { 'X-Requested-With': 'fetch', 'Content-Type': 'application/json' };
                Promise.all([
                  fetch('/api/pipelines', { headers }),
                  fetch('/api/pipelines/made/replay', {
                    method: 'PUT',
                    headers,
                    body: '{"rate":1000}',
                  }),
                  fetch('/actuator/env', { headers }),
                ]).then((responses) => done(responses.map((response) => response.status)));
                """);
        return (List<Object>) Objects.requireNonNull(statuses);
    }

    /** Returns the type of the response that a script gets, or the name of its error. */
    private static Object outcome(Browser browser, String expression) {
        return String.valueOf(browser.runAsync("const done = arguments[arguments.length - 1]; " + expression
                + ".then((response) => done(response.type), (error) => done(error.name));"));
    }
}
