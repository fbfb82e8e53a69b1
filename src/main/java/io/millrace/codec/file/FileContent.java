package io.millrace.codec.file;

import io.millrace.codec.RawBytes;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The content of a file, recognized by its first bytes.
 *
 * <p>Records may begin with any bytes, so a magic number alone is not sufficient. The header that follows it is
 * verified as far as its format allows: by a checksum, by decompressing the available data, or by the valid ranges of
 * its fields.
 */
public enum FileContent {
    GZIP("gzip-compressed", "Decompress it first: gunzip -c < FILE > NEW_FILE"),
    ZSTD("Zstandard-compressed", "Decompress it first: unzstd -c < FILE > NEW_FILE"),
    XZ("xz-compressed", "Decompress it first: unxz -c < FILE > NEW_FILE"),
    BZIP2("bzip2-compressed", "Decompress it first: bunzip2 -c < FILE > NEW_FILE"),
    ZIP("a ZIP archive", "Extract it first: unzip -p FILE > NEW_FILE"),
    PARQUET("a Parquet file", "Parquet is not supported: export the rows as CSV."),
    PCAP("a packet capture", "Only the feed 'pcap' reads packet captures."),
    UTF_16("UTF-16 text", "Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    JSON("JSON", "Read it as JSON lines: with the option --from json, or with the feed 'json-lines'."),
    /** Text in UTF-8 or an ASCII-compatible charset. */
    TEXT("text", ""),
    /** Any other content, possibly records. */
    BINARY("binary", ""),
    EMPTY("empty", "");

    private static final int GZIP_HEADER = 10;
    private static final int DEFLATED_MIN = 128;
    private static final int ZSTD_BLOCK_MAX = 1 << 17;
    private static final long BZIP2_BLOCK = 0x3141_5926_5359L;
    private static final long BZIP2_END = 0x1772_4538_5090L;

    private final String description;
    private final String advice;

    FileContent(String description, String advice) {
        this.description = description;
        this.advice = advice;
    }

    /**
     * Returns the content of a file.
     *
     * @param head its first bytes: a few thousand, or the whole file
     */
    public static FileContent of(byte[] head) {
        if (head.length == 0) {
            return EMPTY;
        }
        if (isGzip(head)) {
            return GZIP;
        }
        if (isZstd(head)) {
            return ZSTD;
        }
        if (isXz(head)) {
            return XZ;
        }
        if (isBzip2(head)) {
            return BZIP2;
        }
        if (isZip(head)) {
            return ZIP;
        }
        if (isParquet(head)) {
            return PARQUET;
        }
        return isPcap(head) || isPcapng(head) ? PCAP : text(head);
    }

    private static FileContent text(byte[] head) {
        if (TextContent.isUtf16(head)) {
            return UTF_16;
        }
        String text = TextContent.utf8(head);
        if (TextContent.isBinary(head, text)) {
            return BINARY;
        }
        return text != null && TextContent.isJson(text) ? JSON : TEXT;
    }

    /** Returns whether the file must be decompressed or extracted before it can be read. */
    public boolean isPacked() {
        return compareTo(ZIP) <= 0;
    }

    /** Returns a description that completes the sentence "the file is". */
    String description() {
        return description;
    }

    /** Returns what the user can do with the file. */
    String advice(String file) {
        return advice.replace("NEW_FILE", "\0").replace("FILE", file).replace("\0", "NEW_FILE");
    }

    /** RFC 1952, section 2.3. The data after the header must decompress. */
    private static boolean isGzip(byte[] head) {
        int flags = head.length > GZIP_HEADER ? head[3] : -1;
        if (!startsWith(head, 0x1f, 0x8b, 8) || (flags & 0xe0) != 0) {
            return false;
        }
        int at = GZIP_HEADER;
        if ((flags & 4) != 0) {
            at += 2 + (at + 2 <= head.length ? (head[at] & 0xff) | (head[at + 1] & 0xff) << 8 : 0);
        }
        for (int texts = Integer.bitCount(flags & (8 | 16)); texts > 0; texts--) {
            while (at < head.length && head[at] != 0) {
                at++;
            }
            at++;
        }
        at += (flags & 2) != 0 ? 2 : 0;
        return at < head.length && inflates(head, at);
    }

    /**
     * Returns whether the data is DEFLATE. A few random bytes may decompress, so either enough bytes must, or the
     * stream must end with the CRC-32 of the result.
     */
    private static boolean inflates(byte[] head, int offset) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(head, offset, head.length - offset);
            byte[] scratch = new byte[1 << 12];
            CRC32 crc = new CRC32();
            for (int count = inflater.inflate(scratch); count > 0; count = inflater.inflate(scratch)) {
                crc.update(scratch, 0, count);
            }
            if (!inflater.finished()) {
                return head.length - offset >= DEFLATED_MIN;
            }
            int trailer = head.length - inflater.getRemaining();
            return trailer + Integer.BYTES <= head.length
                    && Integer.reverseBytes(RawBytes.getInt(head, trailer)) == (int) crc.getValue();
        } catch (DataFormatException _) {
            return false;
        } finally {
            inflater.end();
        }
    }

    /** RFC 8878, sections 3.1.1.1 and 3.1.1.2: the headers of the frame and of its first block. */
    private static boolean isZstd(byte[] head) {
        if (!startsWith(head, 0x28, 0xb5, 0x2f, 0xfd) || head.length < 5 || (head[4] & 8) != 0) {
            return false;
        }
        boolean singleSegment = (head[4] & 0x20) != 0;
        int dictionary = (1 << (head[4] & 3)) >> 1;
        int sizeFlag = (head[4] & 0xff) >> 6;
        int size = sizeFlag == 0 ? (singleSegment ? 1 : 0) : 1 << sizeFlag;
        int block = 5 + (singleSegment ? 0 : 1) + dictionary + size;
        if (head.length < block + 3) {
            return false;
        }
        int header = (head[block] & 0xff) | (head[block + 1] & 0xff) << 8 | (head[block + 2] & 0xff) << 16;
        return (header >> 1 & 3) != 3 && header >> 3 <= ZSTD_BLOCK_MAX;
    }

    /** The .xz file format, section 2.1.1: the stream header has a checksum. */
    private static boolean isXz(byte[] head) {
        if (!startsWith(head, 0xfd, '7', 'z', 'X', 'Z', 0, 0) || head.length < 12) {
            return false;
        }
        CRC32 crc = new CRC32();
        crc.update(head, 6, 2);
        return crc.getValue() == Integer.toUnsignedLong(RawBytes.getIntLe(head, 8));
    }

    /** The first block, or the footer of an empty file, begins with a magic number of six bytes. */
    private static boolean isBzip2(byte[] head) {
        if (!startsWith(head, 'B', 'Z', 'h') || head.length < 10 || head[3] < '1' || head[3] > '9') {
            return false;
        }
        long block = RawBytes.getLong(head, 2) & 0xffff_ffff_ffffL;
        return block == BZIP2_BLOCK || block == BZIP2_END;
    }

    /** APPNOTE.TXT, section 4.3.7: the header of the first file, including its name. */
    private static boolean isZip(byte[] head) {
        if (!startsWith(head, 'P', 'K', 3, 4) || head.length < 31) {
            return false;
        }
        int version = head[4] & 0xff;
        int method = RawBytes.getShortLe(head, 8);
        int nameLength = RawBytes.getShortLe(head, 26) & 0xffff;
        if (version > 63 || method < 0 || method > 99 || nameLength == 0 || 30 + nameLength > head.length) {
            return false;
        }
        for (int i = 30; i < 30 + nameLength; i++) {
            if (head[i] >= 0 && head[i] < ' ') {
                return false;
            }
        }
        return true;
    }

    /** A page header or the footer of an empty file follows. Both are structures of the Thrift compact protocol. */
    private static boolean isParquet(byte[] head) {
        return startsWith(head, 'P', 'A', 'R', '1', 0x15)
                && head.length >= 12
                && head[5] >= 0
                && head[5] <= 6
                && (head[6] == 0x15 || head[6] == 0x19);
    }

    /** Version 2.4 in either byte order, with timestamps in microseconds or nanoseconds. */
    private static boolean isPcap(byte[] head) {
        if (head.length < 24) {
            return false;
        }
        return startsWith(head, 0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4)
                || startsWith(head, 0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4)
                || startsWith(head, 0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0)
                || startsWith(head, 0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0);
    }

    private static boolean isPcapng(byte[] head) {
        return startsWith(head, 0x0a, 0x0d, 0x0d, 0x0a)
                && head.length >= 28
                && (RawBytes.getInt(head, 8) == 0x1a2b_3c4d || RawBytes.getIntLe(head, 8) == 0x1a2b_3c4d);
    }

    private static boolean startsWith(byte[] head, int... bytes) {
        return head.length >= bytes.length && Arrays.equals(head, 0, bytes.length, toBytes(bytes), 0, bytes.length);
    }

    private static byte[] toBytes(int[] values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
