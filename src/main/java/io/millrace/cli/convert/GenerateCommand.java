package io.millrace.cli.convert;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.FileCommand;
import io.millrace.cli.file.Progress;
import io.millrace.cli.file.ReplacedFile;
import io.millrace.cli.file.SchemaOptions;
import io.millrace.cli.file.StandardStreams;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.feed.radius.load.LoadClient;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Generates records: writes a file of records or a capture of RADIUS requests, or sends the requests to a server. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace generate --schema trade --count 1000000 trades.bin",
            "  millrace generate --schema radius-accounting --count 1000 --udp 127.0.0.1:1813"
        },
        description = {
            "Writes a file of generated records. The same seed generates the same records.",
            "RADIUS accounting is written as a capture, or sent to a server until it has answered all requests."
        })
public final class GenerateCommand extends FileCommand {

    @Mixin
    private SchemaOptions schemas = new SchemaOptions();

    private static final int RECORDS_AT_ONCE = 4096;
    private static final String USUAL_SECRET = "testing123";
    private static final double NANOS_A_MICRO = 1000;

    @Option(names = "--count", required = true, paramLabel = "N", description = "Number of records.")
    private long count;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Another seed generates other records; ${DEFAULT-VALUE} by default.")
    private long seed;

    @Option(
            names = "--pcap",
            paramLabel = "FILE",
            description = "Writes RADIUS accounting requests as a capture, at the times of their events.")
    private @Nullable Path pcap;

    @Option(
            names = "--udp",
            paramLabel = "HOST:PORT",
            description = "Sends RADIUS accounting requests to a server, with at most "
                    + GeneratedRequests.MOST_UNANSWERED
                    + " unanswered at a time. A request is sent again after a second without a response.")
    private @Nullable String udp;

    @Option(
            names = "--secret",
            paramLabel = "TEXT",
            description = "Shared secret of --pcap and --udp; " + USUAL_SECRET + " by default.")
    private @Nullable String secret;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "Requests per second of --udp; by default as many as are answered.")
    private @Nullable Long rate;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "OUT",
            description = "File of records of the fixed layout, or - for the standard output.")
    private @Nullable Path out;

    @Override
    protected int run() throws IOException {
        checkUsage();
        if (out != null) {
            writeFile(out);
            return SUCCESS;
        }
        Schema schema = schemas.schema();
        if (!schema.layout().variesInLength() || !GeneratorFeed.canMake(schema)) {
            throw new IllegalArgumentException(CommandErrorCode.SCHEMA_MISMATCH.message("Invalid schema '"
                    + schema.name() + "' for '--pcap' and '--udp'. Use --schema radius-accounting."));
        }
        GeneratedRequests requests = new GeneratedRequests(schema, seed, count);
        Secret shared = Secret.of(secret == null ? USUAL_SECRET : secret);
        if (pcap != null) {
            requests.writeCapture(shared, pcap);
            return SUCCESS;
        }
        InetSocketAddress server = ServerAddress.parse("--udp", Objects.requireNonNull(udp));
        LoadClient.Result result = requests.send(shared, server, rate == null ? 0 : rate);
        out().println(describe(result));
        out().flush();
        if (result.answered() < count) {
            return wrong(
                    CommandErrorCode.NO_ANSWER,
                    "Missing responses from '" + udp + "': " + result.answered() + " of " + count
                            + " requests were answered, and none in the last five seconds. Check the address and the"
                            + " secret.");
        }
        return SUCCESS;
    }

    private static String describe(LoadClient.Result result) {
        return String.format(
                Locale.ROOT,
                "sent %d, answered %d, sent again %d, wrong answers %d; %.0f answers/s; latency p50 %.1f us, p99 %.1f us",
                result.sent(),
                result.answered(),
                result.again(),
                result.wrong(),
                result.perSecond(),
                result.latency().percentile(0.5) / NANOS_A_MICRO,
                result.latency().percentile(0.99) / NANOS_A_MICRO);
    }

    private void checkUsage() {
        if (count < 0) {
            throw usage("Invalid --count '" + count + "'. Use 0 or more.");
        }
        if (Stream.of(out, pcap, udp).filter(Objects::nonNull).count() != 1) {
            throw usage("Use exactly one of: OUT, --pcap FILE, --udp HOST:PORT.");
        }
        if (pcap != null && StandardStreams.isMeant(pcap)) {
            throw usage("Missing value for --pcap. Use a file.");
        }
        if (rate != null && udp == null) {
            throw usage("'--rate' has no effect without '--udp'. Add that, or remove it.");
        }
        if (rate != null && rate <= 0) {
            throw usage("Invalid --rate '" + rate + "'. Use 1 or more.");
        }
        if (secret != null && out != null) {
            throw usage("'--secret' has no effect without '--pcap' or '--udp'. Add one, or remove it.");
        }
    }

    private void writeFile(Path target) throws IOException {
        Schema schema = schemas.schema();
        if (schema.layout().variesInLength()) {
            throw new IllegalArgumentException(CommandErrorCode.SCHEMA_MISMATCH.message("Invalid layout of schema '"
                    + schema.name() + "': "
                    + schema.layout().name() + ". Files of records have the fixed layout only. For RADIUS accounting,"
                    + " use --pcap FILE or --udp HOST:PORT."));
        }
        RecordGenerator generator = RecordGenerator.of(schema, seed);
        try (ReplacedFile file = new ReplacedFile(target)) {
            try (OutputStream stream =
                    Progress.writing(target).watch(file.stream(), "generate", count * schema.baseLength())) {
                write(generator, schema.baseLength(), stream);
            }
            file.commit();
        }
    }

    private void write(RecordGenerator generator, int length, OutputStream stream) throws IOException {
        byte[] buffer = new byte[length * RECORDS_AT_ONCE];
        for (long left = count; left > 0; left -= RECORDS_AT_ONCE) {
            int records = (int) Math.min(left, RECORDS_AT_ONCE);
            generator.fill(buffer, 0, records);
            stream.write(buffer, 0, records * length);
        }
    }
}
