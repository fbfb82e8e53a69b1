package mask;

import io.millrace.codec.BatchField;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.codec.StringCodec;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepMeter;
import java.util.List;

/** Replaces digits in place. Rejects records whose text is too short to hide anything. */
final class MaskStep extends BatchStep {

    private final BatchField<StringCodec> field;
    private final int keep;
    private final RejectSink rejects;
    private final Counter digits = new Counter();

    MaskStep(String name, BatchField<StringCodec> field, int keep, RejectSink rejects) {
        super(name, "mask");
        this.field = field;
        this.keep = keep;
        this.rejects = rejects;
    }

    @Override
    protected void process(RecordBatch batch) {
        byte[] bytes = field.bytes(batch);
        int[] selection = batch.selection();
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int record = field.offset(batch, ordinal);
            int length = field.codec().length(bytes, record);
            if (length > keep) {
                mask(bytes, record + field.codec().field().offset(), length - keep);
                selection[remaining++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, tooShort(length));
            }
        }
        batch.select(remaining);
    }

    private void mask(byte[] bytes, int start, int length) {
        for (int i = start; i < start + length; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                bytes[i] = '*';
                digits.add(1);
            }
        }
    }

    private RejectReason tooShort(int length) {
        return new RejectReason(
                RejectReason.Kind.INVALID_VALUE,
                "Invalid " + field.codec().field().name() + ": " + length + " characters. More than " + keep
                        + " are needed.");
    }

    @Override
    public List<StepMeter> meters() {
        return List.of(new StepMeter("mask.digits", "Digits that were replaced.", digits));
    }
}
