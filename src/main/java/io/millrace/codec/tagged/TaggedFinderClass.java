package io.millrace.codec.tagged;

import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.HiddenClass;
import io.millrace.codec.bytecode.Pool;
import io.millrace.schema.ElementForm;
import io.millrace.schema.RecordLayout;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates the code that reads the records of a plan: a loop over the elements with a switch on their tags, and in it,
 * a loop for each kind of elements in elements. The slots are constants of the class: the JIT compiler inlines a slot,
 * and what remains are the instructions for its field. As Java source, it would be
 *
 * <pre>
 * int find(byte[] bytes, int start, int end, byte[] row, int at) {
 *     RawBytes.copy(BLANK, 0, row, at, 57);
 *     int malformed = 0;
 *     long seen = 0;
 *     long required = 0;
 *     int next = start + 20;
 *     while (next &lt; end) {
 *         int elementEnd = Elements.end(RADIUS, bytes, next, end);
 *         if (elementEnd &lt; 0) return -1;
 *         switch ((int) Elements.unsigned(bytes, next, 1)) {
 *             case 42:
 *                 if ((seen &amp; 1) == 0) {
 *                     seen |= 1;
 *                     if (!INPUT_OCTETS.read(bytes, next + 2, elementEnd, row, at)) malformed++;
 *                 }
 *                 break;
 *             case 26:
 *                 if (next + 6 &lt;= elementEnd &amp;&amp; RawBytes.getInt(bytes, next + 2) == 10415) {
 *                     ...                                         // the same for the elements in the value
 *                 }
 *         }
 *         next = elementEnd;
 *     }
 *     if (required != 1) return -1;                                 // a bit for each required field that was found
 *     return malformed;
 * }
 * </pre>
 */
final class TaggedFinderClass {

    /** Maximum number of slots and levels; more do not fit in a method that the JIT compiler compiles. */
    private static final int MAX_PARTS = 400;

    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc RAW_BYTES = ClassDescs.of(RawBytes.class);
    private static final ClassDesc ELEMENTS = ClassDescs.of(Elements.class);
    private static final MethodTypeDesc FIND = MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, BYTES, CD_int);
    private static final MethodTypeDesc END_TYPE =
            MethodTypeDesc.of(CD_int, ClassDescs.of(ElementForm.class), BYTES, CD_int, CD_int);

    // Parameters of the method.
    private static final int RECORD = 1;
    private static final int START = 2;
    private static final int END = 3;
    private static final int ROW = 4;
    private static final int ROW_AT = 5;

    private final Plan plan;
    private final Pool pool;
    private final CodeBuilder code;
    private final int malformed;
    private final SlotCode slots;
    /** Local variables with a bit for each kind of elements, by {@link Level.Entry#counter}. */
    private final List<Integer> seen = new ArrayList<>();

    /** Local variables with the number of elements of which others than the first are read. */
    private final IdentityHashMap<Level.Entry, Integer> counters = new IdentityHashMap<>();

    /** The bit of each required slot. */
    private final IdentityHashMap<Slot, SlotCode.Presence> required = new IdentityHashMap<>();

    private TaggedFinderClass(Plan plan, Pool pool, CodeBuilder code) {
        this.plan = plan;
        this.pool = pool;
        this.code = code;
        this.malformed = code.allocateLocal(TypeKind.INT);
        this.slots = new SlotCode(code, pool, RECORD, ROW, ROW_AT, malformed, required);
    }

    /** Returns the code for a plan, or null if the code would be too large. */
    static @Nullable GeneratedTaggedFinder generate(Plan plan) {
        if (plan.header().size() + plan.required().size() + parts(plan.outermost()) > MAX_PARTS) {
            return null;
        }
        Pool pool = new Pool();
        ClassDesc self = ClassDesc.of(TaggedFinderClass.class.getPackageName(), "RecordsFinder");
        HiddenClass generated =
                new HiddenClass(self, GeneratedTaggedFinder.class, pool, type -> write(type, plan, pool));
        return generated.codeBytes() > HiddenClass.MAX_CODE_BYTES
                ? null
                : generated.instantiate(MethodHandles.lookup(), GeneratedTaggedFinder.class);
    }

    private static int parts(Level level) {
        int parts = 1;
        for (Level.Entry entry : level.entries()) {
            parts += 1 + entry.slots().size();
            for (Level inner : entry.inner()) {
                parts += parts(inner);
            }
        }
        return parts;
    }

    private static void write(ClassBuilder type, Plan plan, Pool pool) {
        type.withMethodBody(
                "find", FIND, ClassFile.ACC_PUBLIC, code -> new TaggedFinderClass(plan, pool, code).write());
    }

    private void write() {
        Label unexpected = code.newLabel();
        code.iload(END).iload(START).isub().loadConstant(RecordLayout.MAX_VARYING_LENGTH);
        code.if_icmpgt(unexpected);
        code.iload(END).iload(START).isub().loadConstant(plan.headerLength());
        code.if_icmplt(unexpected);
        blank();
        code.iconst_0().istore(malformed);
        seen.addAll(masks(plan.counters()));
        List<Integer> found = masks(plan.required().size());
        for (int i = 0; i < plan.required().size(); i++) {
            required.put(plan.required().get(i), new SlotCode.Presence(found.get(i / Long.SIZE), 1L << i));
        }
        int next = code.allocateLocal(TypeKind.INT);
        code.iload(START).loadConstant(plan.headerLength()).iadd().istore(next);
        for (Slot slot : plan.header()) {
            slots.read(slot, START, next);
        }
        counters(plan.outermost());
        walk(plan.outermost(), next, END, unexpected);
        for (int i = 0; i < found.size(); i++) {
            int bits = Math.min(Long.SIZE, plan.required().size() - i * Long.SIZE);
            code.lload(found.get(i)).loadConstant(-1L >>> (Long.SIZE - bits));
            code.lcmp().ifne(unexpected);
        }
        code.iload(malformed).ireturn();
        code.labelBinding(unexpected)
                .loadConstant(GeneratedTaggedFinder.UNEXPECTED)
                .ireturn();
    }

    /** Returns local variables with a number of bits, which are 0. */
    private List<Integer> masks(int bits) {
        List<Integer> masks = new ArrayList<>();
        for (int i = 0; i < bits; i += Long.SIZE) {
            int mask = code.allocateLocal(TypeKind.LONG);
            code.lconst_0().lstore(mask);
            masks.add(mask);
        }
        return masks;
    }

    private void blank() {
        pool.push(code, plan.blank());
        code.iconst_0().aload(ROW).iload(ROW_AT).loadConstant(plan.blank().length);
        code.invokestatic(RAW_BYTES, "copy", MethodTypeDesc.of(CD_void, BYTES, CD_int, BYTES, CD_int, CD_int));
    }

    private void counters(Level level) {
        for (Level.Entry entry : level.entries()) {
            if (entry.lastOccurrence() > 0) {
                int counter = code.allocateLocal(TypeKind.INT);
                code.iconst_0().istore(counter);
                counters.put(entry, counter);
            }
            entry.inner().forEach(this::counters);
        }
    }

    /**
     * Writes a loop over elements.
     *
     * @param next local variable with the offset of the first element
     * @param limit local variable with the offset past the last one
     * @param unexpected where to go if an element does not end inside of the limit
     */
    private void walk(Level level, int next, int limit, Label unexpected) {
        ElementForm form = level.form();
        Label loop = code.newBoundLabel();
        Label done = code.newLabel();
        int end = code.allocateLocal(TypeKind.INT);
        code.iload(next).iload(limit).if_icmpge(done);
        end(form, next, limit, end, unexpected);
        Label skip = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        List<Level.Entry> entries = new ArrayList<>();
        for (int i = 0; i < level.tags().length; i++) {
            long tag = level.tags()[i];
            if (tag >>> (Byte.SIZE * form.tagBytes()) == 0) {
                cases.add(SwitchCase.of((int) tag, code.newLabel()));
                entries.add(level.entries().get(i));
            }
        }
        code.aload(RECORD).iload(next);
        SlotCode.unsigned(code, form.tagBytes());
        code.l2i().lookupswitch(skip, cases);
        for (int i = 0; i < entries.size(); i++) {
            code.labelBinding(cases.get(i).target());
            take(entries.get(i), form.headerLength(), next, end);
            code.goto_(skip);
        }
        code.labelBinding(skip).iload(end).istore(next).goto_(loop);
        code.labelBinding(done);
    }

    /** Writes the code that computes the offset past the element at an offset. */
    private void end(ElementForm form, int next, int limit, int end, Label unexpected) {
        if (form.lengthBytes() > Short.BYTES) {
            pool.push(code, form);
            code.aload(RECORD).iload(next).iload(limit);
            code.invokestatic(ELEMENTS, "end", END_TYPE).dup().istore(end).iflt(unexpected);
            return;
        }
        int header = form.headerLength();
        code.iload(limit).iload(next).isub().loadConstant(header);
        code.if_icmplt(unexpected);
        int length = code.allocateLocal(TypeKind.INT);
        code.aload(RECORD).iload(next).loadConstant(form.tagBytes());
        code.iadd();
        SlotCode.unsigned(code, form.lengthBytes());
        code.l2i();
        if (form.lengthOfAll()) {
            code.dup().istore(length).loadConstant(header);
            code.if_icmplt(unexpected);
        } else {
            code.loadConstant(header).iadd().istore(length);
        }
        code.iload(length).iload(limit).iload(next).isub().if_icmpgt(unexpected);
        code.iload(next).iload(length).iadd().istore(end);
    }

    private void take(Level.Entry entry, int headerLength, int next, int end) {
        if (!entry.slots().isEmpty()) {
            int value = code.allocateLocal(TypeKind.INT);
            code.iload(next).loadConstant(headerLength).iadd().istore(value);
            read(entry, value, end);
        }
        for (Level inner : entry.inner()) {
            enter(inner, headerLength, next, end);
        }
    }

    private void read(Level.Entry entry, int value, int end) {
        List<Slot> reading = new ArrayList<>(entry.slots());
        reading.removeIf(Slot::counts);
        entry.slots().stream().filter(Slot::counts).forEach(slot -> slots.read(slot, value, end));
        if (entry.lastOccurrence() == 0) {
            int mask = seen.get(entry.counter() / Long.SIZE);
            long bit = 1L << entry.counter();
            Label done = code.newLabel();
            code.lload(mask).loadConstant(bit).land();
            code.lconst_0().lcmp().ifne(done);
            code.lload(mask).loadConstant(bit).lor();
            code.lstore(mask);
            reading.forEach(slot -> slots.read(slot, value, end));
            code.labelBinding(done);
        } else if (entry.lastOccurrence() > 0) {
            int counter = Objects.requireNonNull(counters.get(entry));
            for (Slot slot : reading) {
                Label other = code.newLabel();
                code.iload(counter).loadConstant(slot.place().occurrence());
                code.if_icmpne(other);
                slots.read(slot, value, end);
                code.labelBinding(other);
            }
            code.iinc(counter, 1);
        }
    }

    /** Writes the code for elements in the value of an element. */
    private void enter(Level inner, int headerLength, int next, int end) {
        Label done = code.newLabel();
        Label unexpected = code.newLabel();
        code.iload(end).iload(next).isub().loadConstant(headerLength + inner.selectorLength());
        code.if_icmplt(done);
        Long vendor = inner.vendor();
        if (vendor != null) {
            code.aload(RECORD).iload(next).loadConstant(headerLength);
            code.iadd().invokestatic(RAW_BYTES, "getInt", MethodTypeDesc.of(CD_int, BYTES, CD_int));
            code.loadConstant((int) vendor.longValue());
            code.if_icmpne(done);
        }
        int first = code.allocateLocal(TypeKind.INT);
        code.iload(next).loadConstant(headerLength + inner.selectorLength());
        code.iadd().istore(first);
        walk(inner, first, end, unexpected);
        code.goto_(done);
        code.labelBinding(unexpected).iinc(malformed, 1);
        code.labelBinding(done);
    }
}
