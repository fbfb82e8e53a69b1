package io.millrace.output.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputWriter;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file of an output and its positions, through crashes, changes by others, and records that come again. */
class FileOutputWriterTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final long TERM = 1;
    private static final long ALL = Long.MAX_VALUE;
    private static final List<Trade> TRADES = TradeFile.random(1_000, 3);

    @TempDir
    Path folder;

    private final List<String> rejected = new ArrayList<>();
    private final List<OutputWriter> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (OutputWriter writer : opened) {
            writer.close();
        }
    }

    private OutputWriter writer(RecordFormat format) {
        return writer(format, TRADE);
    }

    private OutputWriter writer(RecordFormat format, Schema schema) {
        OutputWriter writer = new FileOutput(folder.resolve("out"), format)
                .create(new OutputContext(
                        "copies",
                        "trades",
                        null,
                        0,
                        null,
                        schema,
                        (batch, ordinal, reason) -> rejected.add(reason.detail())));
        opened.add(writer);
        return writer;
    }

    private static RecordBatch batch(int from, int to) {
        ByteBuffer bytes = ByteBuffer.allocate((to - from) * TradeFile.LENGTH);
        TRADES.subList(from, to).forEach(trade -> bytes.put(trade.bytes()));
        return new RecordBatch(TRADE).fill(bytes.array(), 0, to - from, at(from), at(to));
    }

    private static byte[] bytes(List<Trade> trades) {
        ByteBuffer bytes = ByteBuffer.allocate(trades.size() * TradeFile.LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        return bytes.array();
    }

    /** What the command convert makes of all trades; the trades themselves for the binary format. */
    private static byte[] converted(RecordFormat format) throws IOException {
        if (format == RecordFormat.BINARY) {
            return bytes(TRADES);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordFormat.BINARY.convert(format, TRADE, new ByteArrayInputStream(bytes(TRADES)), out, bad -> {
            throw new AssertionError(bad);
        });
        return out.toByteArray();
    }

    private static long at(int trade) {
        return (long) trade * TradeFile.LENGTH;
    }

    /** Leaves a file with ten records that were flushed. */
    private void writeTen() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        first.close();
    }

    private Path file(String ending) {
        return folder.resolve("out").resolve("trades-0." + ending);
    }

    private List<Trade> written() throws IOException {
        return TradeFile.read(Files.readAllBytes(file("bin")));
    }

    @Test
    void shouldContinueAfterTheLastFlush() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        assertThat(first.open(TERM, ALL)).isZero();
        first.append(batch(0, 10));
        first.flush(at(10));
        first.append(batch(10, 15)); // lost with the process
        first.close();

        OutputWriter second = writer(RecordFormat.BINARY);
        assertThat(second.open(TERM, ALL)).isEqualTo(at(10));
        second.append(batch(10, 20));
        second.flush(at(20));

        assertThat(written()).isEqualTo(TRADES.subList(0, 20));
    }

    /** A crash leaves any part of what was written since. */
    @Test
    void shouldRemoveWhatWasNotFlushed() throws IOException {
        writeTen();
        Files.write(file("bin"), new byte[7], StandardOpenOption.APPEND);

        assertThat(writer(RecordFormat.BINARY).open(TERM, ALL)).isEqualTo(at(10));
        assertThat(written()).isEqualTo(TRADES.subList(0, 10));
    }

    /** Large batches are in the file before they are flushed. */
    @Test
    void shouldRemoveWhatWasWrittenBeforeAFlush() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        for (int i = 0; i < 60; i++) {
            first.append(batch(0, 1_000));
        }
        first.close();
        assertThat(Files.size(file("bin"))).isGreaterThan(1 << 20);

        assertThat(writer(RecordFormat.BINARY).open(TERM, ALL)).isEqualTo(at(10));
        assertThat(written()).isEqualTo(TRADES.subList(0, 10));
    }

    /** A file that was never flushed is still the file of this output. */
    @Test
    void shouldRemoveWhatWasWrittenBeforeTheFirstFlush() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        for (int i = 0; i < 60; i++) {
            first.append(batch(0, 1_000));
        }
        first.close();
        assertThat(Files.size(file("bin"))).isGreaterThan(1 << 20);

        assertThat(writer(RecordFormat.BINARY).open(TERM, ALL)).isZero();
        assertThat(written()).isEmpty();
    }

    /** Nor does a failed attempt make the file of something else its own. */
    @Test
    void shouldRefuseAFileOfSomethingElseAgain() throws IOException {
        Files.createDirectories(folder.resolve("out"));
        Files.writeString(file("bin"), "precious");
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> writer(RecordFormat.BINARY).open(TERM, ALL))
                    .isInstanceOf(IllegalStateException.class);
        }

        assertThat(file("bin")).hasContent("precious");
    }

    /** The disk may contain any beginning of the position that was written last, or other bytes instead of it. */
    @Test
    void shouldIgnoreAPositionThatWasWrittenInPart() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        first.append(batch(10, 20));
        first.flush(at(20));
        first.close();
        Path positions = file("bin.position");
        byte[] whole = Files.readAllBytes(positions);
        for (int length = 81; length < 108; length++) {
            byte[] torn = whole.clone();
            for (int i = length; i < 112; i++) {
                torn[i] = (byte) 0xA5;
            }
            Files.write(positions, torn);
            Files.write(file("bin"), bytes(TRADES.subList(0, 20)));

            OutputWriter writer = writer(RecordFormat.BINARY);
            assertThat(writer.open(TERM, ALL)).as("%d bytes", length).isEqualTo(at(10));
            writer.close();
            assertThat(written()).isEqualTo(TRADES.subList(0, 10));
        }
    }

    @Test
    void shouldGoBackToAnEarlierFlush() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        for (int i = 0; i < 50; i += 10) {
            first.append(batch(i, i + 10));
            first.flush(at(i + 10));
        }
        first.close();

        OutputWriter second = writer(RecordFormat.BINARY);
        assertThat(second.open(TERM, at(30))).isEqualTo(at(30));
        assertThat(written()).isEqualTo(TRADES.subList(0, 30));
        second.close();

        // The way back is itself remembered: what was discarded does not come back.
        OutputWriter third = writer(RecordFormat.BINARY);
        assertThat(third.open(TERM, ALL)).isEqualTo(at(30));
        third.append(batch(30, 35));
        third.flush(at(35));
        third.close();
        assertThat(writer(RecordFormat.BINARY).open(TERM, at(34))).isEqualTo(at(30));
        assertThat(written()).isEqualTo(TRADES.subList(0, 30));
    }

    @Test
    void shouldGoBackToTheBeginning() throws IOException {
        writeTen();

        assertThat(writer(RecordFormat.BINARY).open(TERM, 0)).isZero();
        assertThat(written()).isEmpty();
    }

    @Test
    void shouldRememberAsManyFlushesAsItSays() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        RecordBatch one = batch(0, 1);
        for (int i = 1; i <= 16_384 + 5; i++) {
            if (i % 1_000 == 0) {
                first.append(one);
            }
            first.flush(i);
        }
        first.close();

        OutputWriter again = writer(RecordFormat.BINARY);
        assertThat(again.open(TERM, ALL)).isEqualTo(16_389);
        again.close();
        assertThatThrownBy(() -> writer(RecordFormat.BINARY).open(TERM, 4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not go back to position 4");
        assertThat(writer(RecordFormat.BINARY).open(TERM, 7_500)).isEqualTo(7_500);
        assertThat(written()).hasSize(7);
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteWhatOneConversionWrites(RecordFormat format) throws IOException {
        OutputWriter writer = writer(format);
        writer.open(TERM, ALL);
        writer.flush(0);
        for (int i = 0; i < 1_000; i += 100) {
            writer.append(batch(i, i + 100));
            writer.flush(at(i + 100));
            if (i % 300 == 0) {
                writer.close();
                writer.open(TERM, ALL);
            }
        }
        writer.close();

        Path file = file(
                switch (format) {
                    case CSV -> "csv";
                    case JSON -> "jsonl";
                    case BINARY -> "bin";
                });
        assertThat(Files.readAllBytes(file)).isEqualTo(converted(format));
    }

    @Test
    void shouldRejectARecordThatItCannotHold() throws IOException {
        RecordBatch records = batch(0, 5);
        records.bytes()[2 * TradeFile.LENGTH + 11] = 77; // no currency has this code
        OutputWriter writer = writer(RecordFormat.CSV);
        writer.open(TERM, ALL);
        writer.append(records);
        writer.flush(at(5));

        assertThat(rejected).singleElement().asString().contains("77");
        List<String> lines = Files.readAllLines(file("csv"));
        long columns = lines.getFirst().chars().filter(c -> c == ',').count();
        assertThat(lines)
                .hasSize(5)
                .allMatch(line -> line.chars().filter(c -> c == ',').count() == columns);
    }

    @Test
    void shouldRefuseAFileThatSomethingElseHasShortened() throws IOException {
        writeTen();
        try (FileChannel channel = FileChannel.open(file("bin"), StandardOpenOption.WRITE)) {
            channel.truncate(100);
        }

        assertThatThrownBy(() -> writer(RecordFormat.BINARY).open(TERM, ALL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has 100 bytes, but this output has written 390");
        assertThat(Files.size(file("bin"))).isEqualTo(100);
    }

    @Test
    void shouldRefuseAFileOfSomethingElse() throws IOException {
        Files.createDirectories(folder.resolve("out"));
        Files.writeString(file("bin"), "precious");

        assertThatThrownBy(() -> writer(RecordFormat.BINARY).open(TERM, ALL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Something else has changed the file");
        assertThat(file("bin")).hasContent("precious");
    }

    @Test
    void shouldRefusePositionsOfSomethingElse() throws IOException {
        Files.createDirectories(folder.resolve("out"));
        Files.writeString(file("bin.position"), "a file of another program");

        assertThatThrownBy(() -> writer(RecordFormat.BINARY).open(TERM, ALL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not contain positions of an output");
    }

    @Test
    void shouldRefuseRecordsWithOtherFields() throws IOException {
        OutputWriter first = writer(RecordFormat.CSV);
        first.open(TERM, ALL);
        first.flush(0);
        first.append(batch(0, 1));
        first.flush(at(1));
        first.close();

        Schema more = TRADE.extend(
                Field.of("fee", Objects.requireNonNull(TRADE.field("id")).type(), 0));
        assertThatThrownBy(() -> writer(RecordFormat.CSV, more).open(TERM, ALL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to records with other fields");
    }

    @Test
    void shouldWaitForAnotherWriter() throws IOException {
        OutputWriter first = writer(RecordFormat.BINARY);
        first.open(TERM, ALL);
        OutputWriter second = writer(RecordFormat.BINARY);

        assertThatThrownBy(() -> second.open(TERM, ALL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use by another writer");
        first.close();
        assertThat(second.open(TERM, ALL)).isZero();
    }

    /** Any order of batches, flushes, crashes and ways back, against a list. */
    @Test
    void shouldContainWhatWasFlushedInAnyOrderOfEvents() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Files.deleteIfExists(file("bin"));
            Files.deleteIfExists(file("bin.position"));
            List<Integer> flushes = new ArrayList<>(List.of(0));
            int appended = 0;
            OutputWriter writer = writer(RecordFormat.BINARY);
            writer.open(TERM, ALL);
            for (int step = 0; step < 60; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        int next = Math.min(TRADES.size(), appended + random.nextInt(12));
                        writer.append(batch(appended, next));
                        appended = next;
                    }
                    case 2 -> {
                        writer.flush(at(appended));
                        flushes.add(appended);
                    }
                    default -> {
                        writer.close();
                        int index = random.nextBoolean() ? flushes.size() - 1 : random.nextInt(flushes.size());
                        boolean back = index < flushes.size() - 1;
                        flushes.subList(index + 1, flushes.size()).clear();
                        appended = flushes.getLast();
                        assertThat(writer.open(TERM, back ? at(appended) : ALL))
                                .as("seed %d", seed)
                                .isEqualTo(at(appended));
                        assertThat(written()).as("seed %d", seed).isEqualTo(TRADES.subList(0, appended));
                    }
                }
            }
            writer.close();
            assertThat(writer.open(TERM, ALL)).isEqualTo(at(flushes.getLast()));
            assertThat(written()).isEqualTo(TRADES.subList(0, flushes.getLast()));
            writer.close();
        }
    }
}
