package io.millrace.model.sample;

import io.millrace.model.ModelField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a field: single values, objects with members, or arrays of either. Memory depends on the number of
 * fields only. Not thread-safe.
 */
final class SampleField {

    /** Maximum number of fields that a schema can have. */
    private static final int MAX_FIELDS = 4096;

    /** A number as JSON writes it: a text such as 007 would lose its zeros as a number. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private static final int LONGEST_NUMBER = 60;
    private static final int FEW = 20;

    /** How a value is written. */
    enum Kind {
        /** Any type, as in CSV. */
        UNTYPED,
        TEXT,
        NUMBER,
        TRUTH
    }

    private enum Form {
        VALUE("a single value"),
        OBJECT("an object"),
        ARRAY("an array");

        private final String phrase;

        Form(String phrase) {
            this.phrase = phrase;
        }
    }

    private final String path;
    private final Places places;
    private final InferredTypes types;
    private final int[] fields;
    private final Map<String, SampleField> members = new LinkedHashMap<>();
    private final TextStatistics texts = new TextStatistics();
    private final NumberStatistics numbers = new NumberStatistics();
    private final TimeStatistics times = new TimeStatistics();
    private @Nullable SampleField element;
    private @Nullable Form form;
    private String firstPlace = "";
    private long count;
    private boolean allNumbers = true;
    private boolean allTruths = true;
    private boolean allTexts = true;
    private int mostElements;

    private SampleField(String path, Places places, InferredTypes types, int[] fields) {
        this.path = path;
        this.places = places;
        this.types = types;
        this.fields = fields;
    }

    /** Returns the root, whose members are the fields of records. */
    static SampleField root(Places places, InferredTypes types) {
        SampleField root = new SampleField("", places, types, new int[1]);
        root.form = Form.OBJECT;
        return root;
    }

    /** Counts an object, whose members follow. Returns false if the field was something else before. */
    boolean object() {
        return is(Form.OBJECT);
    }

    /** Returns a member of the object, or null if there are too many. */
    @Nullable
    SampleField member(String name) {
        SampleField known = members.get(name);
        if (known == null) {
            if (++fields[0] > MAX_FIELDS) {
                places.problem(
                        "fields",
                        "Too many fields, more than " + MAX_FIELDS + ", with '" + prefixed(name)
                                + "'. Names that are data can't be fields: use an array of objects instead.");
                return null;
            }
            known = new SampleField(prefixed(name), places, types, fields);
            members.put(name, known);
        }
        return known;
    }

    private String prefixed(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Counts an array, and returns its element; null if the field was something else before. */
    @Nullable
    SampleField array() {
        if (!is(Form.ARRAY)) {
            return null;
        }
        if (element == null) {
            element = new SampleField(path + "[]", places, types, fields);
        }
        return element;
    }

    /** Takes the number of elements of an array. */
    void elements(int number) {
        mostElements = Math.max(mostElements, number);
        if (number > 0xFFFF) {
            places.problem(path, "Too many elements of '" + path + "': " + number + ". A list has at most 65535.");
        }
    }

    private boolean is(Form seen) {
        count++;
        if (form == null) {
            form = seen;
            firstPlace = places.toString();
        } else if (form != seen) {
            places.problem(
                    path,
                    "Field '" + path + "' is " + seen.phrase + " here, and " + form.phrase + " in " + firstPlace
                            + ". Use the same form in all samples.");
            return false;
        }
        return true;
    }

    /** Takes a single value. */
    void value(String text, Kind kind) {
        if (!is(Form.VALUE)) {
            return;
        }
        texts.see(text);
        if (allNumbers) {
            allNumbers = kind == Kind.NUMBER
                    || (kind == Kind.UNTYPED
                            && text.length() <= LONGEST_NUMBER
                            && NUMBER.matcher(text).matches());
            if (allNumbers) {
                numbers.see(text);
            }
        }
        allTruths &= kind == Kind.TRUTH
                || (kind == Kind.UNTYPED && (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")));
        allTexts &= kind == Kind.TEXT || kind == Kind.UNTYPED;
        if (allTexts) {
            times.see(text);
        }
    }

    /** Returns the path in the record, such as {@code legs[].rate}. */
    String path() {
        return path;
    }

    /** Returns how often the field had a value. */
    long count() {
        return count;
    }

    /** Returns the fields of the members. */
    List<ModelField> fields(boolean fixed) {
        List<ModelField> all = new ArrayList<>();
        members.forEach((name, member) -> all.add(member.field(name, count, fixed)));
        return all;
    }

    /**
     * Returns the field that fits everything seen.
     *
     * @param parents how often the object was seen that contains the field
     */
    ModelField field(String name, long parents, boolean fixed) {
        ModelField field = switch (form) {
            case null ->
                ModelField.of(name, "string").with("length", FEW).comment("no value seen: the type is a guess");
            case VALUE -> value(name, count < parents, fixed);
            case OBJECT -> group(name, fixed);
            case ARRAY -> list(name, fixed);
        };
        if (form != Form.ARRAY && count < parents) {
            field.with("optional", true);
            String seen = "seen " + count + " of " + parents + " times";
            field.comment(field.comment().isEmpty() ? seen : seen + "; " + field.comment());
        }
        return field;
    }

    private ModelField group(String name, boolean fixed) {
        ModelField field = ModelField.of(name, "group");
        field.fields().addAll(fields(fixed));
        if (field.fields().isEmpty()) {
            field.fields()
                    .add(ModelField.of("unknown", "string")
                            .with("length", 1)
                            .with("optional", true)
                            .comment("no member seen"));
        }
        return field;
    }

    private ModelField list(String name, boolean fixed) {
        ModelField field = element == null || element.form == null
                ? ModelField.of(name, "string").with("length", FEW).comment("no element seen: the type is a guess")
                : element.field(name, element.count, fixed);
        field.with("repeat", "many");
        String most = "at most " + mostElements + (mostElements == 1 ? " element" : " elements");
        return mostElements == 0
                ? field
                : field.comment(field.comment().isEmpty() ? most : most + "; " + field.comment());
    }

    private ModelField value(String name, boolean absent, boolean fixed) {
        if (texts.longest() > TextStatistics.MAX_TEXT) {
            places.problem(
                    path,
                    "Values of '" + path + "' have up to " + texts.longest() + " bytes. A text has at most "
                            + TextStatistics.MAX_TEXT
                            + ".");
        }
        ModelField field = null;
        if (allTruths) {
            return ModelField.of(name, "boolean").comment(few());
        }
        if (allNumbers) {
            field = number(name, absent && fixed);
        } else if (allTexts) {
            field = times.field(name, fixed);
            if (field == null && types.dictionaries() && texts.isDictionary()) {
                field = texts.dictionary(name);
            }
        }
        if (field == null) {
            field = texts.text(name, fixed);
            if (allTexts && !types.dictionaries() && texts.isDictionary()) {
                field.comment(field.comment() + "; an enum with --dictionaries");
            }
        }
        String few = few();
        return few.isEmpty() ? field : field.comment(field.comment().isEmpty() ? few : field.comment() + "; " + few);
    }

    private String few() {
        return count >= FEW ? "" : count == 1 ? "only 1 value" : "only " + count + " values";
    }

    /** Returns a field of numbers, or null if no type holds them all. */
    private @Nullable ModelField number(String name, boolean reserved) {
        String seen = numbers.range() + ", " + texts.known();
        String integer = numbers.integer(reserved, types.smallestIntegers());
        if (integer != null) {
            ModelField field = ModelField.of(name, integer).comment(seen);
            return reserved && integer.endsWith("64") ? field.with("absent", "flag") : field;
        }
        int decimals = numbers.decimals();
        boolean usual = decimals >= 0 && numbers.isUsual();
        if (usual || (decimals >= 0 && !numbers.isReal())) {
            return ModelField.of(name, "decimal").with("scale", decimals).comment(seen);
        }
        return numbers.isReal()
                ? ModelField.of(name, "f64").comment(seen + "; decimals are rounded to binary floating point")
                : null;
    }
}
