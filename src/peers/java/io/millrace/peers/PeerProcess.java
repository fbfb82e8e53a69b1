package io.millrace.peers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs jobs as its standard input says, and answers each line by one. Argument: {@code StreamsJob} or {@code FlinkJob}.
 *
 * <pre>
 * open KEY=VALUE KEY=VALUE ...   opened
 * run                            committed BYTES    that were allocated meanwhile
 * close                          closed BUYS SELLS  numbers of records of the targets
 * </pre>
 */
public final class PeerProcess {

    private PeerProcess() {}

    /** Ends with the standard input. */
    public static void main(String[] args) throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Object job = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("open ")) {
                System.gc();
                Map<String, String> settings = new HashMap<>();
                for (String setting : line.substring("open ".length()).split(" ")) {
                    settings.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
                }
                job = args[0].equals("FlinkJob") ? new FlinkJob(settings) : new StreamsJob(settings);
                System.out.println("opened");
            } else if (line.equals("run")) {
                long before = threads.getTotalThreadAllocatedBytes();
                ((Runnable) job).run();
                System.out.println("committed " + (threads.getTotalThreadAllocatedBytes() - before));
            } else {
                ((AutoCloseable) job).close();
                System.out.println("closed " + job);
            }
        }
        // Threads that are left over don't matter.
        System.exit(0);
    }
}
