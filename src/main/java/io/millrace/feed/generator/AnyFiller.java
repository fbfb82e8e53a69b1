package io.millrace.feed.generator;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.BytesCodec;
import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.IpCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.StringCodec;
import io.millrace.schema.Field;

/** Generates records of any schema, each field independently; one optional value in sixteen is absent. */
final class AnyFiller implements Filler {

    private static final int ABSENT_ONE_IN = 16;

    private final FieldCodec[] codecs;
    private final Filler[] fillers;

    AnyFiller(RecordCodec codec) {
        codecs = codec.codecs().toArray(FieldCodec[]::new);
        fillers = codec.codecs().stream().map(AnyFiller::filler).toArray(Filler[]::new);
    }

    @Override
    public void fill(byte[] into, int at, long record, Draws draws) {
        for (int i = 0; i < codecs.length; i++) {
            if (codecs[i].field().optional() && draws.below(ABSENT_ONE_IN) == 0) {
                codecs[i].putAbsent(into, at);
            } else {
                fillers[i].fill(into, at, record, draws);
            }
        }
    }

    private static Filler filler(FieldCodec codec) {
        return switch (codec) {
            case LongCodec number -> NumberFiller.of(number);
            case DecimalCodec number -> NumberFiller.of(number);
            case DateCodec day -> NumberFiller.of(day);
            case InstantCodec moment -> NumberFiller.of(moment);
            case BooleanCodec truth -> (into, at, _, draws) -> truth.put(into, at, draws.below(2) == 1);
            case DoubleCodec number -> reals(number);
            case EnumCodec _, StringCodec _ -> new TextFiller(codec);
            case BytesCodec _, IpCodec _ -> bytes(codec.field());
        };
    }

    private static Filler reals(DoubleCodec codec) {
        // If a constraint leaves a bound open, a range of a thousand looks realistic.
        double low = Double.isFinite(codec.low()) ? codec.low() : Math.min(0, codec.high() - 1000);
        double high = Double.isFinite(codec.high()) ? codec.high() : Math.max(1000, low + 1000);
        return (into, at, _, draws) -> {
            double share = draws.unit();
            codec.put(into, at, Math.clamp(low * (1 - share) + high * share, low, high));
        };
    }

    /** Fills bytes. The first byte is never zero, as all zeros mean absent for an optional field. */
    private static Filler bytes(Field field) {
        int offset = field.offset();
        int width = field.type().bytes();
        return (into, at, _, draws) -> {
            for (int i = 0; i < width; i++) {
                into[at + offset + i] = (byte) (i == 0 ? draws.between(1, 255) : draws.next());
            }
        };
    }
}
