package io.millrace.feed.radius;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCT_SESSION_ID;
import static io.millrace.feed.radius.packet.RadiusPacket.ATTRIBUTE_HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;

import io.millrace.feed.radius.load.RequestSource;

/** The same request again and again, each with a number of its own in the digits that end its Acct-Session-Id. */
public final class NumberedRequests implements RequestSource {

    private static final int DIGITS = 16;

    private final byte[] template;
    private final int digitsAt;
    private final int digits;
    private long number;

    public NumberedRequests(byte[] template) {
        this.template = template.clone();
        int at = HEADER;
        while (template[at] != ACCT_SESSION_ID) {
            at += template[at + 1];
        }
        int end = at + template[at + 1];
        digits = Math.min(DIGITS, end - at - ATTRIBUTE_HEADER);
        digitsAt = end - digits;
    }

    @Override
    public int next(byte[] into) {
        for (int i = 0; i < digits; i++) {
            template[digitsAt + digits - 1 - i] = (byte) Character.forDigit((int) (number >>> (4 * i)) & 0xF, DIGITS);
        }
        number++;
        System.arraycopy(template, 0, into, 0, template.length);
        return template.length;
    }
}
