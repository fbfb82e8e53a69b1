package io.millrace.feed.generator;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.schema.Constraint;
import io.millrace.schema.FieldType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Selects among texts that a field accepts. The texts are encoded in advance, so that writing one is a copy. */
final class TextFiller implements Filler {

    private static final int CHOICES = 256;
    private static final int MAX_ATTEMPTS = 100_000;
    private static final int LONGEST = 12;
    private static final List<String> ALPHABETS = List.of(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "0123456789",
            "abcdefghijklmnopqrstuvwxyz",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.@/ ");

    private final byte[][] choices;
    private final FieldCodec codec;

    TextFiller(FieldCodec codec) {
        this.codec = codec;
        List<String> texts = codec.field().type() instanceof FieldType.EnumType type
                ? names(type)
                : randomTexts(codec.field().type().bytes());
        if (texts.isEmpty()) {
            throw new IllegalArgumentException(
                    "Unable to generate a text for field '" + codec.field().name() + "' that matches '"
                            + codec.field().constraint().pattern() + "'. Use a simpler pattern.");
        }
        this.choices = texts.stream().map(this::encoded).toArray(byte[][]::new);
    }

    private List<String> names(FieldType.EnumType type) {
        List<String> taken = type.dictionary().namesByCode().values().stream()
                .filter(this::isTaken)
                .toList();
        List<String> filled = taken.stream().filter(name -> !name.isEmpty()).toList();
        return filled.isEmpty() ? taken : filled;
    }

    private List<String> randomTexts(int width) {
        Draws draws = new Draws(codec.field().name().hashCode());
        List<String> texts = new ArrayList<>();
        Constraint constraint = codec.field().constraint();
        boolean free = constraint.pattern() == null;
        int least = constraint.min() == null ? 1 : Math.max(1, constraint.min().intValue());
        int most = Math.min(width, Math.max(least, free ? LONGEST : 32));
        for (int i = 0; i < MAX_ATTEMPTS && texts.size() < CHOICES; i++) {
            String alphabet = free ? ALPHABETS.getFirst() : ALPHABETS.get(i % ALPHABETS.size());
            int length = least + draws.below(Math.max(1, most - least + 1));
            StringBuilder text = new StringBuilder(length);
            while (text.length() < length) {
                text.append(alphabet.charAt(draws.below(alphabet.length())));
            }
            if (isTaken(text.toString())) {
                texts.add(text.toString());
            }
        }
        return texts;
    }

    private boolean isTaken(String text) {
        try {
            codec.setText(new byte[codec.field().end()], 0, text);
            return true;
        } catch (FieldValueException _) {
            return false;
        }
    }

    /** Returns the encoded bytes of a text. Other bits of a bit field are zero. */
    private byte[] encoded(String text) {
        byte[] record = new byte[codec.field().end()];
        codec.setText(record, 0, text);
        return Arrays.copyOfRange(record, codec.field().offset(), record.length);
    }

    @Override
    public void fill(byte[] into, int at, long record, Draws draws) {
        byte[] choice = choices[draws.below(choices.length)];
        int start = at + codec.field().offset();
        // Records are zeroed before, and bit fields of one word do not overlap.
        for (int i = 0; i < choice.length; i++) {
            into[start + i] |= choice[i];
        }
    }
}
