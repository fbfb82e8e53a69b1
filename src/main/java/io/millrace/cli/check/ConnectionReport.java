package io.millrace.cli.check;

import io.millrace.cli.service.QuietLogging;
import io.millrace.config.ConnectionItem;
import io.millrace.extension.ConnectionCheck;
import io.millrace.pipeline.step.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What was found where a configuration reads and writes.
 *
 * @param items number of items that were checked
 * @param failed number of items that failed
 * @param lines a line for each finding, in the order of the items
 */
record ConnectionReport(int items, int failed, List<String> lines) {

    /** Number of items that are reached at the same time: each connection to Kafka has threads of its own. */
    private static final int PARALLEL = 8;

    /** Reaches all items, each in a limited time. */
    static ConnectionReport of(List<ConnectionItem> items) {
        List<ConnectionFindings> all =
                items.stream().map(_ -> new ConnectionFindings()).toList();
        try (QuietLogging _ = new QuietLogging();
                ExecutorService workers = Executors.newFixedThreadPool(PARALLEL)) {
            for (int i = 0; i < items.size(); i++) {
                ConnectionItem item = items.get(i);
                ConnectionFindings findings = all.get(i);
                workers.execute(() -> reachInTime(item, findings));
            }
        }
        List<String> lines = new ArrayList<>();
        int failed = 0;
        for (int i = 0; i < items.size(); i++) {
            String start = items.get(i).name() + ": " + items.get(i).place() + ": ";
            ConnectionFindings findings = all.get(i);
            findings.lines().forEach(line -> lines.add(start + line));
            failed += findings.hasFailed() ? 1 : 0;
            close(findings);
        }
        return new ConnectionReport(items.size(), failed, lines);
    }

    /** The thread of an item that ignores the interruption does not keep the command from ending. */
    private static void reachInTime(ConnectionItem item, ConnectionFindings findings) {
        Thread attempt = Thread.ofPlatform().daemon().name("connect").start(() -> reach(item, findings));
        try {
            if (!attempt.join(ConnectionCheck.TIMEOUT)) {
                findings.failed("No answer within " + ConnectionCheck.TIMEOUT.toSeconds() + " s.");
                attempt.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void reach(ConnectionItem item, ConnectionFindings findings) {
        try {
            item.attempt().connect(findings);
        } catch (Throwable e) { // Includes errors, such as a class that an extension lacks.
            findings.failed(Failures.describe(e));
        }
    }

    private static void close(ConnectionFindings findings) {
        try {
            findings.close();
        } catch (IOException e) {
            // The process ends soon, and closes it.
        }
    }
}
