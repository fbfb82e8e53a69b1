package io.millrace.codec.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Shows lines that may not be UTF-8. Stateless. */
public final class UnreadableText {

    private UnreadableText() {}

    /** Returns a line as text, in which each byte that is not UTF-8 is written as {@code \xE4}. */
    public static String of(byte[] bytes, int from, int length) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes, from, length);
        CharBuffer out = CharBuffer.allocate(length);
        StringBuilder text = new StringBuilder(length);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            text.append(out.flip());
            out.clear();
            if (!result.isError()) {
                return text.toString();
            }
            for (int i = 0; i < result.length(); i++) {
                text.append(String.format("\\x%02X", in.get()));
            }
            decoder.reset();
        }
    }
}
