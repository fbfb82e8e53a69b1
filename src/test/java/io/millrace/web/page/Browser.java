package io.millrace.web.page;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.TestTimeout;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Chromium without a window, that tells what it logged and what it asked for. */
final class Browser implements AutoCloseable {

    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

    private final ChromeDriver driver;
    private final String origin;

    private Browser(ChromeDriver driver, String origin) {
        this.driver = driver;
        this.origin = origin;
    }

    /** Starts it; where it is not installed, the tests that need it are skipped. */
    static Browser start(String origin) {
        assumeTrue(
                Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM),
                "no browser here: apt-get install chromium chromium-driver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.setCapability("goog:loggingPrefs", logs);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,900");
        // With the driver's path said, Selenium looks for none on the network.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER.toString()))
                .usingAnyFreePort()
                .withTimeout(TestTimeout.MAX)
                .build();
        return new Browser(new ChromeDriver(service, options), origin);
    }

    /** Goes to a view with all figures, by its address behind #, in a page that is loaded anew. */
    void open(String view) {
        driver.get("about:blank");
        driver.get(origin + "/" + view);
        until(".connection.live, .connection.faulty");
    }

    /** Goes to a path of the service, and waits for nothing. */
    void go(String path) {
        driver.get("about:blank");
        driver.get(origin + path);
    }

    /** Goes to a page of another origin. */
    void leaveFor(String address) {
        driver.get(address);
    }

    /** How wide the screen is, and in which colours it is looked at. */
    void lookAs(int width, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Waits for an element, and gives it. */
    WebElement until(String selector) {
        await(selector)
                .ignoreExceptions()
                .until(() -> !driver.findElements(By.cssSelector(selector)).isEmpty());
        return driver.findElement(By.cssSelector(selector));
    }

    /** The elements there are, none perhaps. */
    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** What a function body returns in the page. */
    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The same as JSON, at one moment of the page. */
    JsonNode look(String expression) {
        return JsonMapper.shared().readTree(String.valueOf(run("return JSON.stringify(" + expression + ")")));
    }

    /** What a function body gives to the callback that is its last argument. */
    @Nullable
    Object runAsync(String script) {
        driver.manage().timeouts().scriptTimeout(TestTimeout.MAX);
        return driver.executeAsyncScript(script);
    }

    /** The element that keys go to. */
    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    /** Warnings and errors that were logged since the last call. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Addresses that were asked for since the last call. */
    List<String> requests() {
        List<String> addresses = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = JsonMapper.shared().readTree(entry.getMessage()).path("message");
            if (message.path("method").asString().equals("Network.requestWillBeSent")) {
                addresses.add(message.at("/params/request/url").asString());
            }
        }
        return addresses;
    }

    @Override
    public void close() {
        driver.quit();
    }
}
