package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The events of the Yahoo Streaming Benchmark (Chintapalli et al., IPDPS workshops 2016) as records of 34 bytes: views,
 * clicks and purchases of the ads of 1,000 campaigns, a third each, 100,000 a second of their own time. Written once.
 */
final class YsbData {

    static final int EVENTS = 10_000_000;
    static final int LENGTH = 34;
    static final int CAMPAIGNS = 1_000;
    /** Ten of each campaign. */
    static final int ADS = 10 * CAMPAIGNS;

    static final long WINDOW_MS = 10_000;
    static final long FIRST_MS = 1_767_225_600_000L;
    static final int EVENTS_PER_MS = 100;
    static final int WINDOWS = (int) (EVENTS / EVENTS_PER_MS / WINDOW_MS);

    /** Offsets of fields. */
    static final int AD = 16;

    static final int EVENT_TYPE = 21;
    static final int TIME = 22;

    static final Path FOLDER = Path.of("target", "bench", "ysb");
    static final Path EVENTS_FILE = FOLDER.resolve("events-10m.bin");
    static final Path ADS_FILE = FOLDER.resolve("ads.csv");

    private static final long SEED = 2016;
    private static final int PORTION = 10_000;

    private YsbData() {}

    /** Returns the campaign of an ad. */
    static int campaign(long ad) {
        return (int) (ad * 7919 % ADS / 10);
    }

    /** Writes the files that are not there yet. */
    static void write() throws IOException {
        Files.createDirectories(FOLDER.resolve("schemas"));
        Files.writeString(FOLDER.resolve("schemas").resolve("ad-event.yml"), """
                schema: ad-event
                fields:
                  - { name: user,      type: i64 }
                  - { name: page,      type: i64 }
                  - { name: ad,        type: i32 }
                  - { name: adType,    type: enum, values: [banner, modal, sponsored, mail, mobile] }
                  - { name: eventType, type: enum, values: [view, click, purchase] }
                  - { name: time,      type: instant, unit: ms }
                  - { name: address,   type: ipv4 }
                """);
        Files.writeString(
                ADS_FILE,
                IntStream.range(0, ADS)
                        .mapToObj(ad -> ad + "," + campaign(ad) + "\n")
                        .collect(Collectors.joining("", "ad,campaign\n", "")));
        if (Files.notExists(EVENTS_FILE) || Files.size(EVENTS_FILE) != (long) EVENTS * LENGTH) {
            Random random = new Random(SEED);
            byte[] portion = new byte[PORTION * LENGTH];
            try (OutputStream out = Files.newOutputStream(EVENTS_FILE)) {
                for (int event = 0; event < EVENTS; event++) {
                    fill(portion, event % PORTION * LENGTH, event, random);
                    if (event % PORTION == PORTION - 1) {
                        out.write(portion);
                    }
                }
            }
        }
    }

    private static void fill(byte[] bytes, int at, int event, Random random) {
        RawBytes.putLong(bytes, at, random.nextLong());
        RawBytes.putLong(bytes, at + 8, random.nextInt(100));
        RawBytes.putInt(bytes, at + AD, random.nextInt(ADS));
        bytes[at + 20] = (byte) random.nextInt(5);
        bytes[at + EVENT_TYPE] = (byte) random.nextInt(3);
        RawBytes.putLong(bytes, at + TIME, FIRST_MS + event / EVENTS_PER_MS);
        RawBytes.putInt(bytes, at + 30, random.nextInt());
    }

    /** Returns the configuration of the pipeline. Once counted, no event is left for the region that it has to name. */
    static Path configuration() throws IOException {
        return Files.writeString(FOLDER.resolve("ysb.yml"), """
                millrace:
                  schemas: %1$s/schemas
                  tables:
                    ads: { file: %2$s, key: ad }
                  regions:
                    campaigns: { layout: blocks, persistent: true }
                    others:    { layout: blocks, persistent: true }
                  pipelines:
                    ysb:
                      on-known-feed: read
                      feed: { file: %3$s }
                      schema: ad-event
                      steps:
                        - filter: eventType == 'view'
                        - enrich: { table: ads, key: ad, add: { campaign: campaign } }
                        - measure:
                            name: campaigns
                            by: campaign
                            time: time
                            every: 10s
                            values: { views: count() }
                            to: campaigns
                        - filter: eventType != 'view'
                        - to: others
                """.formatted(FOLDER, ADS_FILE, EVENTS_FILE));
    }
}
