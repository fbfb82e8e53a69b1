package io.millrace.feed.generator;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * An Accounting-Request whose variable values are overwritten: first the attributes of every request, then those added
 * by interim updates and stops, then those added by stops. The fields are offsets of values from the packet's first
 * byte. The network is the test network 001 01 (ITU-T E.212), and no country has telephone numbers with +999.
 */
final class AccountingTemplate {

    /** Number of digits of a session's ID. */
    static final int HEX_DIGITS = 16;

    private static final int VENDOR_HEADER = 8;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    final int nasIp;
    final int framedIp;
    final int status;
    final int sessionId;
    final int time;
    /** Eight variable digits of a subscriber's number. */
    final int msisdnDigits;

    /** The same digits. */
    final int imsiDigits;

    final int chargingId;
    final int rat;
    final int location;
    final int sessionTime;
    final int inputOctets;
    final int outputOctets;
    final int outputGigawords;
    final int terminateCause;

    private final byte[] bytes;
    private final int[] lengths;

    AccountingTemplate() {
        out.writeBytes(HexFormat.of().parseHex("04000000" + "00".repeat(16)));
        nasIp = attribute(4, new byte[4]);
        framedIp = attribute(8, new byte[4]);
        attribute(30, ascii("internet"));
        msisdnDigits = attribute(31, ascii("999000000000")) + 4;
        status = attribute(40, new byte[4]);
        attribute(41, new byte[4]);
        sessionId = attribute(44, new byte[HEX_DIGITS]);
        time = attribute(55, new byte[4]);
        imsiDigits = vendor(1, ascii("001010000000000")) + 7;
        chargingId = vendor(2, new byte[4]);
        vendor(3, new byte[4]);
        vendor(5, ascii("08-4C08000F424000002710"));
        vendor(6, HexFormat.of().parseHex("0a220101"));
        vendor(7, HexFormat.of().parseHex("0a220201"));
        vendor(8, ascii("00101"));
        vendor(12, ascii("0"));
        vendor(13, ascii("0800"));
        rat = vendor(21, new byte[1]);
        location = vendor(22, HexFormat.of().parseHex("8100f11000000000"));
        vendor(23, HexFormat.of().parseHex("8000"));
        int startLength = out.size();
        sessionTime = attribute(46, new byte[4]);
        inputOctets = attribute(42, new byte[4]);
        outputOctets = attribute(43, new byte[4]);
        outputGigawords = attribute(53, new byte[4]);
        int interimLength = out.size();
        terminateCause = attribute(49, new byte[4]);
        bytes = out.toByteArray();
        lengths = new int[] {startLength, interimLength, bytes.length};
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private int attribute(int type, byte[] value) {
        out.write(type);
        out.write(value.length + 2);
        int at = out.size();
        out.writeBytes(value);
        return at;
    }

    private int vendor(int type, byte[] value) {
        byte[] inner = new byte[value.length + VENDOR_HEADER - 2];
        System.arraycopy(HexFormat.of().parseHex("000028af"), 0, inner, 0, 4);
        inner[4] = (byte) type;
        inner[5] = (byte) (value.length + 2);
        System.arraycopy(value, 0, inner, VENDOR_HEADER - 2, value.length);
        return attribute(26, inner) + VENDOR_HEADER - 2;
    }

    /**
     * Returns the length of a packet in bytes.
     *
     * @param step 0 for a start, 1 for an interim update, 2 for a stop
     */
    int length(int step) {
        return lengths[step];
    }

    void copy(byte[] into, int at, int length) {
        System.arraycopy(bytes, 0, into, at, length);
    }
}
