package io.millrace.codec;

import org.jspecify.annotations.Nullable;

/** Formats and parses IP addresses without name resolution. Stateless. */
public final class IpText {

    private static final int GROUPS = 8;

    private IpText() {}

    /** Returns an address of 4 or 16 bytes as text: dotted decimal for IPv4, RFC 5952 for IPv6. */
    public static String format(byte[] bytes, int at, int width) {
        return width == 4 ? format4(bytes, at) : format6(bytes, at);
    }

    /** Returns the bytes of an address, or null if the text is not an address of that width (4 or 16 bytes). */
    public static byte @Nullable [] parse(String text, int width) {
        byte[] address = new byte[width];
        boolean valid = width == 4 ? parse4(text, address, 0) : parse6(text, address);
        return valid ? address : null;
    }

    private static String format4(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) + "." + (bytes[at + 1] & 0xFF) + "." + (bytes[at + 2] & 0xFF) + "."
                + (bytes[at + 3] & 0xFF);
    }

    private static String format6(byte[] bytes, int at) {
        boolean mapped = BytesCodec.allZero(bytes, at, 10) && RawBytes.getShort(bytes, at + 10) == -1;
        if (mapped) {
            return "::ffff:" + format4(bytes, at + 12);
        }
        int gap = -1;
        int gapLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = zeroGroups(bytes, at, i);
            if (run > gapLength) {
                gap = i;
                gapLength = run;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(group(bytes, at, i)));
            }
        }
        return text.toString();
    }

    private static int group(byte[] bytes, int at, int index) {
        return RawBytes.getShort(bytes, at + 2 * index) & 0xFFFF;
    }

    private static int zeroGroups(byte[] bytes, int at, int first) {
        int i = first;
        while (i < GROUPS && group(bytes, at, i) == 0) {
            i++;
        }
        return i - first;
    }

    private static boolean parse4(String text, byte[] address, int at) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        for (int i = 0; i < 4; i++) {
            int number = digits(parts[i], 3, 10);
            // A leading zero is ambiguous: some parsers read the number as octal.
            if (number < 0 || number > 255 || (parts[i].length() > 1 && parts[i].charAt(0) == '0')) {
                return false;
            }
            address[at + i] = (byte) number;
        }
        return true;
    }

    private static boolean parse6(String text, byte[] address) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return parseGroups(text, address, 0) == 16;
        }
        byte[] tail = new byte[16];
        int head = parseGroups(text.substring(0, gap), address, 0);
        int rest = parseGroups(text.substring(gap + 2), tail, 0);
        // "::" represents at least one group.
        if (head < 0 || rest < 0 || head + rest > 14 || text.substring(0, gap).indexOf('.') >= 0) {
            return false;
        }
        System.arraycopy(tail, 0, address, 16 - rest, rest);
        return true;
    }

    /**
     * Parses groups separated by colons. The last group may be dotted decimal. Returns the index past the last byte
     * written, or -1 if the text is invalid.
     */
    private static int parseGroups(String text, byte[] address, int at) {
        if (text.isEmpty()) {
            return 0;
        }
        String[] parts = text.split(":", -1);
        int end = at;
        for (int i = 0; i < parts.length; i++) {
            boolean dotted = i == parts.length - 1 && parts[i].indexOf('.') >= 0;
            int number = dotted ? 0 : digits(parts[i], 4, 16);
            if (number < 0 || end + (dotted ? 4 : 2) > 16 || (dotted && !parse4(parts[i], address, end))) {
                return -1;
            }
            if (!dotted) {
                RawBytes.putShort(address, end, (short) number);
            }
            end += dotted ? 4 : 2;
        }
        return end;
    }

    private static int digits(String text, int maxLength, int radix) {
        if (text.isEmpty() || text.length() > maxLength) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }
}
