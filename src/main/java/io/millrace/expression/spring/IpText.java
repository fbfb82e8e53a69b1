package io.millrace.expression.spring;

import java.net.Inet4Address;
import java.net.InetAddress;

/** IP addresses as text, IPv6 in the short form of RFC 5952. */
final class IpText {

    private static final int GROUPS = 8;

    private IpText() {}

    static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? String.valueOf(address.getHostAddress()) : six(bytes);
    }

    private static String six(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | (bytes[2 * i + 1] & 0xFF);
        }
        int zerosFrom = -1;
        int zeros = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > zeros) {
                zeros = end - i;
                zerosFrom = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == zerosFrom) {
                text.append("::");
                i += zeros - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
