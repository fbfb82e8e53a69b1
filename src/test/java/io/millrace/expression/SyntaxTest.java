package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FloatLiteral;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Identifier;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorMatches;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.QualifiedIdentifier;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Every kind of node that Spring's parser makes: the language either has it, and means by it what stock SpEL means, or
 * refuses it and says what to do. A kind may stand in both tables, by what is done with it.
 */
class SyntaxTest {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    record Allowed(Class<? extends SpelNode> node, String expression) {}

    record Refused(Class<? extends SpelNode> node, String expression, int position, String hint) {}

    private static final List<Allowed> ALLOWED = List.of(
            new Allowed(BooleanLiteral.class, "large == true"),
            new Allowed(IntLiteral.class, "id == 5"),
            new Allowed(IntLiteral.class, "id == 0x5"),
            new Allowed(LongLiteral.class, "id == 5L"),
            new Allowed(LongLiteral.class, "id == 0x5L"),
            new Allowed(NullLiteral.class, "maybe == null"),
            new Allowed(RealLiteral.class, "rate > 1.25"),
            new Allowed(RealLiteral.class, "rate > 125e-2d"),
            new Allowed(StringLiteral.class, "name == 'it''s'"),
            new Allowed(StringLiteral.class, "name == \"it's\""),
            new Allowed(PropertyOrFieldReference.class, "large"),
            new Allowed(CompoundExpression.class, "name.trim().empty"),
            new Allowed(CompoundExpression.class, "legs[1].amount > 2"),
            new Allowed(Indexer.class, "legs[1].amount > legs[0].amount"),
            new Allowed(MethodReference.class, "name.startsWith('it')"),
            new Allowed(MethodReference.class, "currency?.length() == 3"),
            new Allowed(FunctionReference.class, "#hour(at) > 9"),
            new Allowed(InlineList.class, "{'it''s', 'x'}.contains(name)"),
            new Allowed(InlineList.class, "id between {2, 5}"),
            new Allowed(OpAnd.class, "id > 1 and large"),
            new Allowed(OpAnd.class, "id > 1 && large"),
            new Allowed(OpOr.class, "id > 5 or large"),
            new Allowed(OpOr.class, "id > 5 || large"),
            new Allowed(OperatorNot.class, "not large"),
            new Allowed(OperatorNot.class, "!large"),
            new Allowed(OpEQ.class, "currency == 'GBP'"),
            new Allowed(OpEQ.class, "currency eq 'GBP'"),
            new Allowed(OpNE.class, "amount != 10"),
            new Allowed(OpNE.class, "amount NE 10"),
            new Allowed(OpLT.class, "rate < 1.5"),
            new Allowed(OpLT.class, "rate lt 1.5"),
            new Allowed(OpLE.class, "rate <= 1.5"),
            new Allowed(OpLE.class, "rate le 1.5"),
            new Allowed(OpGT.class, "maybe > 6"),
            new Allowed(OpGT.class, "maybe gt 6"),
            new Allowed(OpGE.class, "maybe >= 7"),
            new Allowed(OpGE.class, "maybe ge 7"),
            new Allowed(OpPlus.class, "id + 1 > 5"),
            new Allowed(OpPlus.class, "+id > 4"),
            new Allowed(OpMinus.class, "amount - 1 > 5"),
            new Allowed(OpMinus.class, "-id < -4"),
            new Allowed(OpMultiply.class, "amount * 3 == 30"),
            new Allowed(OpDivide.class, "amount / 3 == 3.33"),
            new Allowed(OpDivide.class, "id div 2 == 2"),
            new Allowed(OpModulus.class, "id % 5 == 0"),
            new Allowed(OpModulus.class, "id mod 5 == 0"),
            new Allowed(OperatorMatches.class, "name matches 'it.s'"),
            new Allowed(OperatorBetween.class, "amount between {1, 10}"),
            new Allowed(Ternary.class, "(large ? id : amount) == 5"),
            new Allowed(Elvis.class, "(maybe ?: 7) == 7"),
            new Allowed(Elvis.class, "(name ?: currency) == 'USD'"),
            new Allowed(Elvis.class, "(address ?: '10.0.0.1') == '0.0.0.0'"));

    private static final List<Refused> REFUSED = List.of(
            new Refused(TypeReference.class, "T(java.lang.Long) == 1", 0, FUNCTION),
            new Refused(TypeReference.class, "T(java.lang.Runtime).getRuntime() == 1", 0, FUNCTION),
            new Refused(QualifiedIdentifier.class, "id > T(java.lang.Long)", 5, FUNCTION),
            new Refused(Identifier.class, "id > T(Long)", 5, FUNCTION),
            new Refused(ConstructorReference.class, "new String('x') == 'x'", 0, FUNCTION),
            new Refused(ConstructorReference.class, "new int[5] == 5", 0, FUNCTION),
            new Refused(BeanReference.class, "@bean == 1", 1, FUNCTION),
            new Refused(BeanReference.class, "&bean == 1", 0, FUNCTION),
            new Refused(BeanReference.class, "@bean.field == 1", 1, FUNCTION),
            new Refused(MethodReference.class, "id.intValue() == 5", 3, FUNCTION),
            new Refused(MethodReference.class, "f(id) == 5", 0, "write #f(...)"),
            new Refused(VariableReference.class, "#root == 5", 0, "name the field itself"),
            new Refused(VariableReference.class, "#this.id == 5", 0, "name the field itself"),
            new Refused(Assign.class, "id = 5", 3, "use a set step, or == to compare"),
            new Refused(OpInc.class, "id++ == 5", 2, "use a set step"),
            new Refused(OpInc.class, "++id == 5", 0, "use a set step"),
            new Refused(OpDec.class, "id-- == 5", 2, "use a set step"),
            new Refused(OpDec.class, "--id == 5", 0, "use a set step"),
            new Refused(Selection.class, "{1, 2}.?[#this > 1] == 5", 7, "name the elements: legs[0].amount > 5 or ..."),
            new Refused(Selection.class, "{1, 2}.^[true] == 5", 7, "name the elements: legs[0].amount > 5 or ..."),
            new Refused(Selection.class, "{1, 2}.$[true] == 5", 7, "name the elements: legs[0].amount > 5 or ..."),
            new Refused(Projection.class, "{1, 2}.![#this] == 5", 7, "name the elements: legs[0].amount + ..."),
            new Refused(InlineList.class, "{1, 2} == 5", 0, "write {...}.contains(field) or field between {1, 5}"),
            new Refused(InlineMap.class, "{a: 1} == 5", 0, "enrich from a table"),
            new Refused(CompoundExpression.class, "{1, 2}[0] == 5", 0, "name the field itself"),
            new Refused(Indexer.class, "[0] == 5", 0, "write the field's name before it"),
            new Refused(
                    Indexer.class, "id[id] == 5", 2, "elements lie at fixed places: write for example legs[1].amount"),
            new Refused(
                    Indexer.class, "id['x'] == 5", 2, "elements lie at fixed places: write for example legs[1].amount"),
            new Refused(OperatorPower.class, "id ^ 2 == 5", 3, "multiply"),
            new Refused(OperatorInstanceof.class, "id instanceof T(Long)", 3, "types come from the schema"),
            new Refused(FloatLiteral.class, "rate > 1.5f", 7, "write it without the f"));

    private static final IntStorage I64 = IntStorage.of(8, true, Records.BIG);
    private static final IntStorage U8 = IntStorage.of(1, false, Records.BIG);

    private static final Schema SCHEMA = new Schema(
            "syntax",
            62,
            List.of(
                    Field.of("id", new FieldType.IntegerType(I64), 0),
                    Field.of("maybe", new FieldType.IntegerType(I64), 8).asOptional(-1),
                    Field.of("amount", new FieldType.DecimalType(I64, 2), 16),
                    Field.of("rate", new FieldType.FloatType(8, Records.BIG), 24),
                    Field.of("large", new FieldType.BooleanType(U8), 32),
                    Field.of("currency", new FieldType.EnumType(U8, Dictionary.of("", "GBP", "USD")), 33),
                    Field.of("name", new FieldType.StringType(8, StandardCharsets.UTF_8, (byte) ' '), 34),
                    Field.of("at", new FieldType.InstantType(I64, TimeUnit.MILLISECONDS), 42),
                    Field.of("address", new FieldType.IpType(4), 50),
                    Field.of("legs[0].amount", new FieldType.IntegerType(IntStorage.of(4, true, Records.BIG)), 54),
                    Field.of("legs[1].amount", new FieldType.IntegerType(IntStorage.of(4, true, Records.BIG)), 58)),
            List.of());

    private final Records records = new Records(SCHEMA)
            .add(row(5, 10, 1.5, "GBP", "it's", "2014-07-21T10:00:00Z", "0.0.0.0", 1, 3))
            .add(row(1, 4, -0.5, "USD", "", "2014-07-21T09:59:59.999Z", "10.0.0.0", 2, 1))
            .add(with(row(7, -10, 2.5, "", "Gr\u00F6\u00DFe", "1969-12-31T23:59:59Z", "1.2.3.4", 3, 2)));

    private static Map<String, Object> row(
            long id,
            long amount,
            double rate,
            String currency,
            String name,
            String at,
            String ip,
            long leg0,
            long leg1) {
        Map<String, Object> row = new HashMap<>();
        row.put("id", id);
        row.put("amount", BigDecimal.valueOf(amount));
        row.put("rate", rate);
        row.put("large", amount > 5);
        row.put("currency", currency);
        row.put("name", name);
        row.put("at", Instant.parse(at));
        row.put("address", ip);
        row.put("legs[0].amount", leg0);
        row.put("legs[1].amount", leg1);
        return row;
    }

    private static Map<String, Object> with(Map<String, Object> row) {
        row.put("maybe", 8L);
        return row;
    }

    static List<Allowed> allowed() {
        return ALLOWED;
    }

    static List<Refused> refused() {
        return REFUSED;
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void shouldMeanWhatStockSpelMeans(Allowed allowed) {
        assertThat(nodes(allowed.expression)).contains(allowed.node);
        StockSpel stock = new StockSpel(allowed.expression);
        RecordBatch batch = records.batch();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < batch.selected(); i++) {
            if (Objects.requireNonNull(stock.answer(records.decode(batch, i)), "stock SpEL has no answer")) {
                expected.add(i);
            }
        }
        assertThat(expected).as("some match, some do not").hasSizeBetween(1, batch.selected() - 1);
        assertThat(records.kept(allowed.expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuseWithPlaceAndHint(Refused refused) {
        assertThat(nodes(refused.expression)).contains(refused.node);
        ExpressionException refusal = Objects.requireNonNull(catchThrowableOfType(
                ExpressionException.class, () -> new ExpressionCompiler(SCHEMA).filter(refused.expression)));
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(refusal.position()).as(refusal.getMessage()).isEqualTo(refused.position);
        assertThat(refusal.hint()).isEqualTo(refused.hint);
    }

    @Test
    void shouldKnowEveryKindOfNode() {
        Set<String> kinds = new ClassFileImporter()
                .importPackages("org.springframework.expression.spel.ast").stream()
                        .filter(type -> type.isAssignableTo(SpelNode.class))
                        .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
        Set<String> known = Stream.concat(
                        ALLOWED.stream().map(Allowed::node), REFUSED.stream().map(Refused::node))
                .map(Class::getName)
                .collect(Collectors.toSet());
        assertThat(known).isEqualTo(kinds);
    }

    private static Set<Class<?>> nodes(String expression) {
        Set<Class<?>> kinds = new HashSet<>();
        collect(new SpelExpressionParser().parseRaw(expression).getAST(), kinds);
        return kinds;
    }

    private static void collect(SpelNode node, Set<Class<?>> kinds) {
        kinds.add(node.getClass());
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), kinds);
        }
    }
}
