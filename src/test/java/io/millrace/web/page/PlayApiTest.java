package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** How fast feeds are, set while they run, over a real socket. */
class PlayApiTest {

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=false",
                        "--millrace.data=" + folder,
                        "--millrace.regions.all.layout=blocks",
                        "--millrace.pipelines.made.feed.generator.rate=35000",
                        "--millrace.pipelines.made.schema=trade",
                        "--millrace.pipelines.made.steps[0].to=all",
                        "--millrace.pipelines.sent.schema=trade",
                        "--millrace.pipelines.sent.steps[0].to=all");
        client = new PageClient(context);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    private static long in() {
        return context.getBean(Pipelines.class)
                .named("made")
                .orElseThrow()
                .arrived()
                .get();
    }

    @Test
    void shouldPauseAndGoOnAtAnotherRate() throws Exception {
        String path = "/api/pipelines/made/replay";
        assertThat(client.get(path).body()).isEqualTo("{\"rate\":35000,\"paused\":false,\"settable\":true}");
        await().until(() -> in() > 0);

        assertThat(client.put(path, "{\"paused\":true}").body())
                .isEqualTo("{\"rate\":35000,\"paused\":true,\"settable\":true}");
        await().until(() ->
                "waiting".equals(client.json("/api/pipelines/made").get("state").asString()));
        long paused = in();
        await().during(Duration.ofMillis(300)).until(() -> in() == paused);

        assertThat(client.put(path, "{\"rate\":1,\"paused\":false}").body())
                .isEqualTo("{\"rate\":1,\"paused\":false,\"settable\":true}");
        await().until(() -> in() > paused);

        client.put(path, "{\"rate\":0}");
        await().until(() -> in() > paused + 100_000);
        client.put(path, "{\"rate\":35000,\"paused\":false}");
    }

    @Test
    void shouldReportWhereNothingCanBeSet() throws Exception {
        assertThat(client.get("/api/pipelines/sent/replay").body())
                .isEqualTo("{\"rate\":0,\"paused\":false,\"settable\":false}");
        HttpResponse<String> refused = client.put("/api/pipelines/sent/replay", "{\"paused\":true}");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("\"code\":\"not-settable\"");
    }

    @Test
    void shouldRefuseWhatIsNoRate() throws Exception {
        HttpResponse<String> refused = client.put("/api/pipelines/made/replay", "{\"rate\":-1}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"code\":\"bad-rate\"", "Invalid rate '-1'. Use 0");
        assertThat(client.put("/api/pipelines/made/replay", "{\"rate\":\"fast\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(client.put("/api/pipelines/nobody/replay", "{}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldChangeNothingWhereItIsSwitchedOff() {
        PlayController off = new PlayController(context.getBean(Pipelines.class), new PageOptions(false));
        assertThat(off.play("made").settable()).isFalse();
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> off.play("made", new PlayController.PlayChange(1L, true)))
                .withMessageContaining("Replay is off.");
        assertThat(off.play("made").paused()).isFalse();
    }
}
