package io.millrace.config;

import io.millrace.codec.file.FileErrors;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.CheckedConfiguration;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.Role;
import io.millrace.extension.ConnectionCheck;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.FolderLock;
import io.millrace.store.geode.cluster.LocatorProbe;
import io.millrace.table.LiveTable;
import io.millrace.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ssl.JksSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.PemSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.PropertiesSslBundle;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;

/** Lists what a configuration needs outside of the process that runs it. */
public final class ConnectionItems {

    private static final String BUNDLES = "spring.ssl.bundle.";

    private final Setup setup;
    private final MillraceProperties properties;
    private final Environment environment;
    private final List<ConnectionItem> items = new ArrayList<>();

    private ConnectionItems(CheckedConfiguration configuration) {
        setup = configuration.setup();
        properties = configuration.properties();
        environment = configuration.environment();
    }

    /** Returns all items: of feeds, outputs, tables, SSL bundles, the store and the HTTP server. Reaches none yet. */
    public static List<ConnectionItem> of(CheckedConfiguration configuration) {
        ConnectionItems list = new ConnectionItems(configuration);
        list.addPipelines();
        list.setup.tables().all().forEach(list::add);
        new TreeSet<>(PropertyBinding.sslBundles(list.environment)).forEach(list::addBundle);
        list.addStore();
        list.addPorts();
        return List.copyOf(list.items);
    }

    private void add(String name, String place, ConnectionItem.Attempt attempt) {
        items.add(new ConnectionItem(name, place, attempt));
    }

    private void addPipelines() {
        setup.pipelines().forEach(plan -> {
            int partitions = plan.definition().parallelism().partitions();
            add(
                    "feed of " + plan.name(),
                    plan.definition().feed().describe(),
                    check -> plan.definition().feed().connect(partitions, check));
        });
        setup.outputs().forEach((name, output) -> add("output " + name, output.describe(), output::connect));
    }

    /** A table of a file is loaded by the check of the configuration already. */
    private void add(Table table) {
        add("table " + table.name(), table.status().source(), check -> {
            if (table instanceof LiveTable) {
                check.nothing();
            } else {
                check.ok(String.format(Locale.ROOT, "%,d rows", table.status().rows()));
            }
        });
    }

    private void addBundle(String name) {
        add("SSL bundle", name, check -> {
            bundle(name).createSslContext();
            check.ok("");
        });
    }

    private SslBundle bundle(String name) {
        PemSslBundleProperties pem = named(name, "pem", PemSslBundleProperties.class);
        if (pem != null) {
            return PropertiesSslBundle.get(pem);
        }
        JksSslBundleProperties jks = named(name, "jks", JksSslBundleProperties.class);
        if (jks != null) {
            return PropertiesSslBundle.get(jks);
        }
        throw new IllegalStateException("Unknown SSL bundle '" + name + "'. Define it under 'spring.ssl.bundle'.");
    }

    private <P> @Nullable P named(String name, String kind, Class<P> type) {
        return Binder.get(environment)
                .bind(BUNDLES + kind, Bindable.mapOf(String.class, type))
                .map(bundles -> bundles.get(name))
                .orElse(null);
    }

    private void addStore() {
        List<String> locators = properties.geode().locators();
        locators.forEach(locator -> add("locator", locator, _ -> requireLocator(locator)));
        boolean client = !locators.isEmpty() && properties.role() == Role.INGEST;
        boolean onDisk = setup.regions().stream()
                        .anyMatch(
                                region -> region.persistent() || region.memory().limit() != null)
                || setup.pipelines().stream().anyMatch(plan -> plan.definition().hasOutputs());
        if (onDisk && !client) {
            add("data folder", properties.data().toString(), this::checkData);
        }
    }

    private void requireLocator(String locator) throws IOException {
        String bundle = properties.geode().sslBundle();
        SocketFactory sockets = bundle == null
                ? SocketFactory.getDefault()
                : bundle(bundle).createSslContext().getSocketFactory();
        LocatorProbe.requireAnswer(Address.parse(locator), sockets, ConnectionCheck.TIMEOUT.minusSeconds(1));
    }

    private void checkData(ConnectionCheck check) {
        Path folder = properties.data();
        String refusal = FileErrors.folderRefusal(folder);
        if (refusal == null) {
            FolderLock.requireFree(folder);
            check.ok(Files.exists(folder) ? "" : "the folder will be created");
        } else {
            check.failed(refusal);
        }
    }

    private void addPorts() {
        String port = environment.getProperty("server.port", "8080");
        addPort("HTTP server", "server", port);
        String management = environment.getProperty("management.server.port", port);
        if (!management.equals(port)) {
            addPort("HTTP server of actuator", "management.server", management);
        }
    }

    private void addPort(String name, String prefix, String port) {
        String host = environment.getProperty(prefix + ".address");
        if (!port.startsWith("-")) { // A negative port turns the server off.
            add(name, (host == null ? "*" : host) + ":" + port, check -> check.tcpPort(host, Integer.parseInt(port)));
        }
    }
}
