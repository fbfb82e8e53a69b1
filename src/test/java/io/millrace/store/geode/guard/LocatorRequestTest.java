package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.geode.internal.serialization.DSCODE;
import org.apache.geode.internal.serialization.DataSerializableFixedID;
import org.junit.jupiter.api.Test;

class LocatorRequestTest {

    private static void type(DataOutputStream out, int type) throws IOException {
        out.writeByte(DSCODE.DS_FIXED_ID_SHORT.toByte());
        out.writeShort(type);
    }

    /** Geode would read other fields of it, and then take any of the next bytes for the number of processes. */
    @Test
    void shouldRefuseARequestInThePlaceOfAMember() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(SerializedForm.VERSION);
        type(out, DataSerializableFixedID.FIND_COORDINATOR_REQ);
        type(out, DataSerializableFixedID.JMX_MANAGER_LOCATOR_REQUEST);
        out.writeInt(0); // processes
        out.writeInt(0);
        out.writeInt(0);
        out.writeByte(DSCODE.NULL_STRING.toByte());
        out.writeByte(-1);
        byte[] request = bytes.toByteArray();
        assertThatExceptionOfType(RefusedInputException.class)
                .isThrownBy(() -> LocatorRequest.check(
                        new CheckedInput(new ByteArrayInputStream(request), LocatorRequest.MAX_BYTES)))
                .withMessage("Object of type " + DataSerializableFixedID.JMX_MANAGER_LOCATOR_REQUEST);
    }
}
