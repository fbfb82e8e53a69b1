package io.millrace.nemesis;

import io.millrace.MillraceProcess;
import io.millrace.nemesis.history.History;
import io.millrace.nemesis.history.Operation;
import io.millrace.nemesis.history.SetRead;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads registers and sets from regions of trades, as operations of a history. */
public final class RegionReader {

    private static final Pattern RATE = Pattern.compile("\"exchangeRate\":([0-9.E]+)");
    private static final int NO_CONTENT = 404;

    private RegionReader() {}

    /** Reads the entry of a key. Returns false if there was no answer. */
    public static boolean readRegister(MillraceProcess millrace, String region, long key, int client, History history)
            throws InterruptedException {
        History.Call call = history.read(client, key);
        try {
            HttpResponse<String> response = get(millrace, "/api/regions/" + region + "/" + key);
            Matcher rate = RATE.matcher(response.body());
            if (response.statusCode() == 200 && rate.find()) {
                call.ok((long) Double.parseDouble(rate.group(1)));
                return true;
            }
            if (response.statusCode() == NO_CONTENT && response.body().contains("unknown-key")) {
                call.ok(Operation.ABSENT);
                return true;
            }
        } catch (IOException e) {
            // it is killed, or starts
        }
        call.fail();
        return false;
    }

    /** Reads the ids of a range from the process with this name. Returns false if there was no answer. */
    public static boolean readSet(
            MillraceProcess millrace, String name, String region, long from, long to, History history)
            throws InterruptedException {
        long invoked = System.nanoTime();
        try {
            String where = URLEncoder.encode("id >= " + from + "L and id < " + to + "L", StandardCharsets.UTF_8);
            HttpResponse<String> response = get(
                    millrace, "/api/regions/" + region + "/records?format=csv&select=id&limit=10000&where=" + where);
            if (response.statusCode() != 200) {
                return false;
            }
            long[] ids =
                    response.body().lines().skip(1).mapToLong(Long::parseLong).toArray();
            history.add(new SetRead(name, from, to, ids, invoked, System.nanoTime()));
            return true;
        } catch (IOException e) {
            return false; // it is killed, or starts
        }
    }

    private static HttpResponse<String> get(MillraceProcess millrace, String path)
            throws IOException, InterruptedException {
        return millrace.send("GET", path, "text/plain", "");
    }
}
