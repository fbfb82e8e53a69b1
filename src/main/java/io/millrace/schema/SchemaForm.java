package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The parts of a {@link Schema}, from which it is created. It is the serialized form of the schema. Immutable.
 *
 * @param foundLength length in bytes of a record, or of the row of a record that varies in length, without added fields
 * @param recordLength length with added fields
 * @param groups rows of the parts that repeat, outer ones first
 * @param formerNames the paths that fields and parts had in earlier versions, by their present paths
 * @param typeNames names of the types of groups, by the paths of these
 * @param choices choices of groups, by the paths of these
 */
record SchemaForm(
        String name,
        RecordLayout layout,
        int foundLength,
        int recordLength,
        List<Field> fields,
        List<VirtualField> virtualFields,
        List<RepeatedGroup> groups,
        List<RecordConstraint> constraints,
        Map<String, String> formerNames,
        Map<String, String> typeNames,
        Map<String, Choice> choices)
        implements Serializable {

    private static final long serialVersionUID = 1;

    SchemaForm {
        fields = List.copyOf(fields);
        virtualFields = List.copyOf(virtualFields);
        groups = List.copyOf(groups);
        constraints = List.copyOf(constraints);
        formerNames = Map.copyOf(formerNames);
        typeNames = Map.copyOf(typeNames);
        choices = Map.copyOf(choices);
    }

    /** Returns a form with these fields instead. */
    SchemaForm extended(List<Field> allFields, int newRecordLength) {
        return new SchemaForm(
                name,
                layout,
                foundLength,
                newRecordLength,
                allFields,
                virtualFields,
                groups,
                constraints,
                formerNames,
                typeNames,
                choices);
    }

    /** Returns a form with these constraints and names instead. */
    SchemaForm annotated(
            List<RecordConstraint> newConstraints,
            Map<String, String> newFormerNames,
            Map<String, String> newTypeNames,
            Map<String, Choice> newChoices) {
        return new SchemaForm(
                name,
                layout,
                foundLength,
                recordLength,
                fields,
                virtualFields,
                groups,
                newConstraints,
                newFormerNames,
                newTypeNames,
                newChoices);
    }

    private Object readResolve() {
        return new Schema(this);
    }
}
