package io.millrace.cluster;

import static org.awaitility.Awaitility.await;

import java.util.BitSet;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the region {@code calls} which requests of a {@link io.millrace.feed.radius.RecordingClient} it holds. */
final class StoredCalls {

    private static final Pattern SESSION = Pattern.compile("\"sessionId\":\"(\\d+)\"");
    private static final int PAGE = 10_000;

    private StoredCalls() {}

    /** The numbers of those below a number, of the client whose sessions begin with this one. */
    static BitSet numbers(Node node, int firstSession, int below) {
        BitSet numbers = new BitSet();
        for (int number = 0; number < below; number += PAGE) {
            int from = firstSession + number;
            String where = "sessionId >= '" + session(from) + "' and sessionId < '" + session(from + PAGE) + "'";
            Matcher page = SESSION.matcher(
                    await().until(() -> node.records("calls", "sessionId", where, "", PAGE), Node.Answer::good)
                            .body());
            while (page.find()) {
                numbers.set(Integer.parseInt(page.group(1)) - firstSession);
            }
        }
        return numbers;
    }

    private static String session(int number) {
        return String.format(Locale.ROOT, "%09d", number);
    }
}
