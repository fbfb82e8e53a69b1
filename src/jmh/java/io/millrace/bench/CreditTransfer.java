package io.millrace.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pacs.008 message as ordinary objects; the members are those of {@code src/test/resources/messages/pacs008.yml}. */
public record CreditTransfer(@Nullable AppHdr appHdr, GrpHdr grpHdr, List<CdtTrfTxInf> cdtTrfTxInf) {

    /** The business application header. */
    public record AppHdr(
            Party fr,
            Party to,
            String bizMsgIdr,
            String msgDefIdr,
            Instant creDt,
            @Nullable Boolean pssblDplct) {}

    /** A sender or receiver. */
    public record Party(@JsonProperty("FIId") @Nullable Agent fiId) {}

    /** A financial institution. */
    public record Agent(FinInstnId finInstnId) {}

    /** How an institution is identified. */
    public record FinInstnId(
            @JsonProperty("BICFI") @Nullable String bicfi,
            @Nullable String nm,
            @Nullable PstlAdr pstlAdr,
            @Nullable Othr othr) {}

    /** Another identification. */
    public record Othr(String id, @Nullable String issr) {}

    /** A postal address. */
    public record PstlAdr(
            @Nullable AddressType adrTp,
            @Nullable String dept,
            @Nullable String subDept,
            @Nullable String strtNm,
            @Nullable String bldgNb,
            @Nullable String pstCd,
            @Nullable String twnNm,
            @Nullable String ctrySubDvsn,
            @Nullable String ctry) {}

    /** The group header. */
    public record GrpHdr(
            String msgId,
            Instant creDtTm,
            @Nullable Boolean btchBookg,
            BigInteger nbOfTxs,
            @Nullable BigDecimal ctrlSum,
            @Nullable BigDecimal ttlIntrBkSttlmAmt,
            @Nullable String ttlIntrBkSttlmAmtCcy,
            @Nullable LocalDate intrBkSttlmDt,
            SttlmInf sttlmInf,
            @Nullable Agent instgAgt,
            @Nullable Agent instdAgt) {}

    /** How the transfer is settled. */
    public record SttlmInf(SettlementMethod sttlmMtd) {}

    /** A transaction. */
    public record CdtTrfTxInf(
            PmtId pmtId,
            BigDecimal intrBkSttlmAmt,
            String intrBkSttlmAmtCcy,
            @Nullable LocalDate intrBkSttlmDt,
            @Nullable Priority sttlmPrty,
            @Nullable Instant accptncDtTm,
            @Nullable LocalDate poolgAdjstmntDt,
            @Nullable BigDecimal instdAmt,
            @Nullable String instdAmtCcy,
            ChargeBearer chrgBr,
            Customer dbtr,
            Agent dbtrAgt,
            Agent cdtrAgt,
            Customer cdtr) {}

    /** Identifiers of a payment. */
    public record PmtId(
            @Nullable String instrId,
            String endToEndId,
            String txId,
            @Nullable String clrSysRef) {}

    /** A debtor or creditor. */
    public record Customer(
            @Nullable String nm,
            @Nullable PstlAdr pstlAdr,
            @Nullable String ctryOfRes) {}

    /** A type of address. */
    public enum AddressType {
        ADDR,
        PBOX,
        HOME,
        BIZZ,
        MLTO,
        DLVY
    }

    /** A method of settlement. */
    public enum SettlementMethod {
        INDA,
        INGA,
        COVE,
        CLRG
    }

    /** A priority. */
    public enum Priority {
        URGT,
        HIGH,
        NORM
    }

    /** Who bears the charges. */
    public enum ChargeBearer {
        DEBT,
        CRED,
        SHAR,
        SLEV
    }
}
