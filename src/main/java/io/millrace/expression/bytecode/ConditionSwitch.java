package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.BranchTable;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that all begin with a comparison of the same value with constants, such as {@code type == 'A'} and
 * {@code type == 'B' and amount > 0}. The value is looked up once for a record, whatever the number of conditions.
 */
public final class ConditionSwitch {

    /** Conditions of a route for which a lookup takes less time than comparisons. */
    private static final int MIN = 3;

    /** The same among other conditions, which need a loop of their own then. */
    private static final int MIN_AMONG_OTHERS = 8;

    /** The same if some need more than a lookup: the processor can't predict the jump to what they need. */
    private static final int MIN_THAT_NEED_MORE = 32;

    private final List<Case> cases;
    /** For each constant the conditions that begin with it, in order, up to the first that needs nothing else. */
    private final Map<Long, List<Integer>> conditions = new LinkedHashMap<>();

    private ConditionSwitch(List<Case> cases) {
        this.cases = cases;
        for (int i = 0; i < cases.size(); i++) {
            for (long constant : cases.get(i).constants) {
                List<Integer> sameConstant = conditions.computeIfAbsent(constant, _ -> new ArrayList<>());
                if (sameConstant.isEmpty() || cases.get(sameConstant.getLast()).rest != null) {
                    sameConstant.add(i);
                }
            }
        }
    }

    /**
     * A condition.
     *
     * @param value what is compared
     * @param constants with which it is compared: longs or, for a text, the bytes of its field as a long
     * @param rest what must hold in addition; null for nothing
     */
    private record Case(
            Ir value, List<Long> constants, @Nullable Ir rest) {}

    /**
     * Returns the index behind the conditions from an index on that one switch decides, or the index itself if they are
     * too few for one.
     */
    public static int end(List<Ir> conditions, int from) {
        List<Case> run = new ArrayList<>();
        for (Ir condition : conditions.subList(from, conditions.size())) {
            Case next = caseOf(condition);
            if (next == null || (!run.isEmpty() && !next.value.equals(run.getFirst().value))) {
                break;
            }
            run.add(next);
        }
        int plain = (int) run.stream().takeWhile(one -> one.rest == null).count();
        int count = run.size() >= MIN_THAT_NEED_MORE ? run.size() : plain;
        return count >= (count == conditions.size() ? MIN : MIN_AMONG_OTHERS) ? from + count : from;
    }

    /** Returns the switch of conditions, or empty if one can't decide all of them. */
    static Optional<ConditionSwitch> of(List<Ir> conditions) {
        if (end(conditions, 0) < conditions.size()) {
            return Optional.empty();
        }
        return Optional.of(new ConditionSwitch(
                conditions.stream().flatMap(ConditionSwitch::cases).toList()));
    }

    private static Stream<Case> cases(Ir condition) {
        return Stream.ofNullable(caseOf(condition));
    }

    private static @Nullable Case caseOf(Ir condition) {
        return switch (condition) {
            case Ir.And(var operands) -> {
                Case first = caseOf(operands.getFirst());
                yield first == null ? null : new Case(first.value, first.constants, and(first.rest, operands));
            }
            case Ir.Comparison(var relation, var value, Ir.Constant(var ignoredType, long raw), var ignoredTotal)
            when relation == Relation.EQ && isLong(value) -> new Case(value, List.of(raw), null);
            case Ir.Membership(var value, var members, boolean ifAbsent)
            when !ifAbsent && isLong(value) -> new Case(value, members, null);
            case TextNode.SameText(Ir.Load load, Ir.Text(String text)) -> texts(load, List.of(text));
            case TextNode.TextMembership(Ir.Load load, var members) -> texts(load, members);
            case Ir.Or(var operands) -> alternatives(operands);
            default -> null;
        };
    }

    /** Returns a condition whose alternatives compare the same value, such as a short list of texts. */
    private static @Nullable Case alternatives(List<Ir> operands) {
        List<Case> all = operands.stream().flatMap(ConditionSwitch::cases).toList();
        if (all.size() < operands.size()
                || all.stream().anyMatch(one -> one.rest != null || !one.value.equals(all.getFirst().value))) {
            return null;
        }
        return new Case(
                all.getFirst().value,
                all.stream().flatMap(one -> one.constants.stream()).toList(),
                null);
    }

    private static Ir and(@Nullable Ir rest, List<Ir> operands) {
        Stream<Ir> others = operands.stream().skip(1);
        List<Ir> all = rest == null
                ? others.toList()
                : Stream.concat(Stream.of(rest), others).toList();
        return all.size() == 1 ? all.getFirst() : new Ir.And(all);
    }

    private static boolean isLong(Ir value) {
        boolean one = !value.type().isWide()
                && value.type() != Basic.DOUBLE
                && value.type() != Basic.TEXT
                && value.type() != Basic.ABSENT;
        return one && !(value instanceof Ir.Load load && load.isUnsignedLong()) && !hasCall(value);
    }

    /** A function may be meant to be called for each condition, and elements belong to their fold. */
    private static boolean hasCall(Ir node) {
        return node instanceof Ir.Call
                || node instanceof Fold
                || node.operands().stream().anyMatch(ConditionSwitch::hasCall);
    }

    private static @Nullable Case texts(Ir.Load load, List<String> texts) {
        Field field = load.field();
        boolean fits = field.type() instanceof FieldType.StringType || field.type() instanceof FieldType.IpType;
        if (!fits
                || field.type().bytes() > Long.BYTES
                || texts.stream().anyMatch(text -> TextEncoding.meansAbsent(field, text))) {
            return null;
        }
        IntStorage storage = storage(field);
        return new Case(
                load,
                texts.stream()
                        .map(text -> RawBytes.get(TextEncoding.encode(field.type(), text), 0, storage))
                        .toList(),
                null);
    }

    private static IntStorage storage(Field text) {
        return IntStorage.of(text.type().bytes(), true, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Jumps with the index of the first condition that holds on the stack, or with {@link BranchTable#NONE}. May fall
     * through if there is none.
     */
    void write(LoopClass.Loop loop, RecordCode record, Label found) {
        CodeBuilder code = record.code;
        Emitter emitter = new Emitter(record);
        Label none = code.newLabel();
        loop.step(code, 0);
        value(record, emitter, none);
        Map<Long, Integer> branches = new HashMap<>();
        Map<List<Integer>, Integer> undecided = new LinkedHashMap<>();
        conditions.forEach((constant, same) -> branches.put(
                constant,
                cases.get(same.getFirst()).rest == null
                        ? same.getFirst()
                        : undecided.computeIfAbsent(same, _ -> cases.size() + undecided.size())));
        record.pool.push(code, new BranchTable(branches));
        record.call(BranchTable.class, "find", CD_int, CD_long, ClassDescs.of(BranchTable.class));
        if (undecided.isEmpty()) {
            code.goto_(found);
        } else {
            int branch = loop.resultInt();
            Label decide = code.newLabel();
            code.istore(branch).iload(branch).loadConstant(cases.size());
            code.if_icmpge(decide).iload(branch).goto_(found).labelBinding(decide);
            decide(loop, record, emitter, undecided, found, none);
        }
        code.labelBinding(none);
    }

    private void value(RecordCode record, Emitter emitter, Label absent) {
        Ir value = cases.getFirst().value;
        if (value instanceof Ir.Load(var field) && value.type() == Basic.TEXT) {
            if (field.nullFlag()) {
                record.pushNullFlag(field);
                record.code.ifne(absent);
            }
            new FieldReads(record).raw(field, storage(field));
        } else {
            emitter.value(value, absent);
        }
    }

    /** Evaluates what conditions need in addition. */
    private void decide(
            LoopClass.Loop loop,
            RecordCode record,
            Emitter emitter,
            Map<List<Integer>, Integer> undecided,
            Label found,
            Label none) {
        CodeBuilder code = record.code;
        List<SwitchCase> targets = undecided.values().stream()
                .map(number -> SwitchCase.of(number, code.newLabel()))
                .toList();
        code.iload(loop.resultInt()).tableswitch(none, targets);
        int next = 0;
        for (List<Integer> same : undecided.keySet()) {
            code.labelBinding(targets.get(next++).target());
            int mark = record.shared.mark();
            for (int condition : same) {
                Label otherwise = code.newLabel();
                loop.step(code, condition);
                Ir rest = cases.get(condition).rest;
                if (rest != null) {
                    emitter.conditions().jump(rest, otherwise, false);
                }
                code.loadConstant(condition);
                code.goto_(found).labelBinding(otherwise);
            }
            code.goto_(none);
            record.shared.release(mark);
        }
    }
}
