package io.millrace.codec.tagged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real packets: their fields have the values that tshark shows ({@code pcap/README.md} says how). */
class TsharkValuesTest {

    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("MMM d, uuuu HH:mm:ss.SSSSSSSSS 'UTC'", Locale.ROOT);

    /** Columns of tshark's that are no field of the schema's, or are compared elsewhere. */
    private static final Set<String> NO_FIELDS = Set.of(
            "file",
            "frame.number",
            "frame.time_epoch",
            "ip.src",
            "ip.dst",
            "udp.srcport",
            "udp.dstport",
            "udp.payload",
            "radius.code",
            "radius.length",
            "radius.authenticator",
            "radius.avp.vendor_id",
            "radius.avp.vendor_type",
            "radius.Tunnel_Type",
            "radius.Tunnel_Medium_Type",
            "radius.Tunnel_Private_Group_Id");

    /** Attributes that no request of these captures has. */
    private static final Set<String> NEVER_SEEN =
            Set.of("radius.Class", "radius.Acct_Delay_Time", "radius.Acct_Output_Gigawords");

    /** What tshark shows of a field: its column, the field, and the column's text for the field's value. */
    private record Column(String name, String field, Function<Object, String> text) {

        static Column of(String name, String field) {
            return new Column(name, field, Object::toString);
        }

        static Column coded(String name, String field, Map<String, String> codes) {
            return new Column(
                    name, field, value -> Objects.requireNonNull(codes.get(value.toString()), value.toString()));
        }
    }

    private static final List<Column> COLUMNS = List.of(
            Column.of("radius.id", "identifier"),
            Column.of("radius.User_Name", "userName"),
            Column.of("radius.NAS_IP_Address", "nasIp"),
            Column.of("radius.NAS_Identifier", "nasIdentifier"),
            Column.of("radius.NAS_Port", "nasPort"),
            Column.of("radius.NAS_Port_Id", "nasPortId"),
            Column.of("radius.NAS_Port_Type", "nasPortType"),
            Column.of("radius.Service_Type", "serviceType"),
            Column.of("radius.Framed_Protocol", "framedProtocol"),
            Column.of("radius.Framed-IP-Address", "framedIp"),
            Column.of("radius.Class", "class"),
            Column.of("radius.Called_Station_Id", "apn"),
            Column.of("radius.Calling_Station_Id", "msisdn"),
            Column.coded(
                    "radius.Acct_Status_Type",
                    "status",
                    Map.of("Start", "1", "Stop", "2", "Interim-Update", "3", "Accounting-On", "7")),
            Column.of("radius.Acct_Delay_Time", "delay"),
            Column.of("radius.Acct_Session_Id", "sessionId"),
            Column.of("radius.Acct_Authentic", "authentic"),
            Column.of("radius.Acct_Session_Time", "sessionTime"),
            Column.of("radius.Acct_Input_Octets", "inputOctets"),
            Column.of("radius.Acct_Output_Octets", "outputOctets"),
            Column.of("radius.Acct_Input_Gigawords", "inputGigawords"),
            Column.of("radius.Acct_Output_Gigawords", "outputGigawords"),
            Column.of("radius.Acct_Input_Packets", "inputPackets"),
            Column.of("radius.Acct_Output_Packets", "outputPackets"),
            Column.coded(
                    "radius.Acct_Terminate_Cause", "terminateCause", Map.of("User-Request", "1", "NAS-Reboot", "11")),
            new Column(
                    "radius.Event_Timestamp", "time", value -> TIME.format(((Instant) value).atOffset(ZoneOffset.UTC))),
            new Column("radius.avp.type", "proxyStates", Object::toString),
            Column.of("e212.imsi", "imsi"),
            Column.of("radius.3GPP_Charging_ID", "chargingId"),
            Column.coded("radius.3GPP_PDP_Type", "pdpType", Map.of("IPv4", "0")),
            Column.of("radius.3GPP_SGSN_Address", "sgsn"),
            Column.of("radius.3GPP_GGSN_Address", "ggsn"),
            Column.of("radius.3GPP_IMSI_MCC_MNC", "imsiNetwork"),
            Column.of("radius.3GPP_GGSN_MCC_MNC", "ggsnNetwork"),
            Column.of("radius.3GPP_SGSN_MCC_MNC", "sgsnNetwork"),
            Column.of("radius.3GPP_NSAPI", "nsapi"),
            new Column("radius.3GPP_Session_Stop_Indicator", "sessionStop", value -> Long.toHexString((Long) value)),
            Column.of("gtp.sel_mode", "selectionMode"),
            Column.of("radius.3GPP_Charging_Characteristics", "chargingCharacteristics"),
            Column.of("radius.3GPP_IMEISV", "imeisv"),
            Column.coded("radius.3GPP_RAT_Type", "rat", Map.of("EUTRAN", "6")),
            // Tshark shows the two bytes: swapped digits of an hour's quarters, and daylight saving.
            Column.coded("radius.3gpp_ms_tmime_zone", "timezone", Map.of("60", "4000")),
            Column.coded("radius.3gpp_ms_tmime_zone", "daylightSaving", Map.of("0", "4000")),
            Column.coded("gtpv2.glt", "locationType", Map.of("TAI+ECGI", "130")),
            new Column("e212.tai.mcc", "network", value -> value.toString().substring(0, 3)),
            new Column("e212.tai.mnc", "network", value -> value.toString().substring(3)),
            new Column("gtpv2.tai_tac", "tac", value -> "0x%04x".formatted((Long) value)),
            new Column("e212.ecgi.mcc", "network", value -> value.toString().substring(0, 3)),
            new Column("e212.ecgi.mnc", "network", value -> value.toString().substring(3)),
            Column.of("gtpv2.ecgi_eci", "eci"),
            new Column("gtpv2.enodebid", "eci", value -> Long.toString((Long) value >> 8)),
            new Column("gtpv2.cellid", "eci", value -> Long.toString((Long) value & 0xFF)),
            // The text 08-4C08000493E0000493E0: release, priority, class, and bit rates up and down.
            new Column(
                    "gtp.qos_version", "qos", value -> "0x" + value.toString().substring(0, 2)),
            new Column("gtp.qos_qci", "qos", value -> hexPart(value, 5, 7)),
            new Column("gtp.qos_ul_apn_ambr", "qos", value -> hexPart(value, 7, 15)),
            new Column("gtp.qos_dl_apn_ambr", "qos", value -> hexPart(value, 15, 23)));

    private static String hexPart(Object text, int from, int to) {
        return Long.toString(HexFormat.fromHexDigitsToLong(text.toString(), from, to));
    }

    /** The accounting requests: what tshark shows of each, by column, where it shows anything. */
    private static List<Map<String, String>> requests() {
        List<String> lines = lines();
        List<String> names = Arrays.asList(lines.getFirst().split("\t", -1));
        List<Map<String, String>> requests = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split("\t", -1);
            Map<String, String> shown = new HashMap<>();
            for (int i = 0; i < values.length; i++) {
                if (!values[i].isEmpty()) {
                    shown.put(names.get(i), values[i]);
                }
            }
            if ("4".equals(shown.get("radius.code")) && "1813".equals(shown.get("udp.dstport"))) {
                shown.computeIfPresent("radius.avp.type", (name, types) -> proxyStates(types));
                requests.add(shown);
            }
        }
        return requests;
    }

    private static String proxyStates(String types) {
        return Long.toString(
                Arrays.stream(types.split(";", -1)).filter("33"::equals).count());
    }

    private static List<String> lines() {
        try (InputStream in = Objects.requireNonNull(
                TsharkValuesTest.class.getResourceAsStream("/io/millrace/feed/pcap/tshark.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static List<? extends Arguments> named() {
        return requests().stream()
                .map(shown -> argumentSet(shown.get("file") + " frame " + shown.get("frame.number"), shown))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("named")
    void shouldHaveTheValuesThatTsharkShows(Map<String, String> shown) {
        TaggedFinder finder = TaggedFinder.of(ACCOUNTING);
        byte[] record = HexFormat.of().parseHex(Objects.requireNonNull(shown.get("udp.payload")));
        byte[] row = new byte[ACCOUNTING.recordLength()];

        assertThat(finder.find(record, 0, record.length, row, 0)).isNull();
        assertThat(finder.malformed().get()).isZero();
        Map<String, @Nullable Object> found = RecordCodec.of(ACCOUNTING).decode(row, 0);

        for (Column column : COLUMNS) {
            assertThat(found).containsKey(column.field());
            Object value = found.get(column.field());
            assertThat(value == null ? null : column.text().apply(value))
                    .as("%s of %s", column.field(), column.name())
                    .isEqualTo(shown.get(column.name()));
        }
    }

    @Test
    void shouldCompareEveryColumn() {
        Set<String> compared = new TreeSet<>(NO_FIELDS);
        COLUMNS.forEach(column -> compared.add(column.name()));
        Set<String> neverSeen = new TreeSet<>();
        for (Column column : COLUMNS) {
            if (requests().stream().noneMatch(shown -> shown.containsKey(column.name()))) {
                neverSeen.add(column.name());
            }
        }

        assertThat(requests()).hasSize(10);
        assertThat(lines().getFirst().split("\t", -1)).containsExactlyInAnyOrderElementsOf(compared);
        assertThat(neverSeen).containsExactlyInAnyOrderElementsOf(NEVER_SEEN);
    }
}
