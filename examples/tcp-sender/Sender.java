import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;

/**
 * Sends a file of records of one length to a feed that acknowledges them, and loses none: if the connection is lost, it
 * connects again and continues after the last record that was acknowledged.
 *
 * <pre>java Sender.java HOST PORT FILE RECORD_LENGTH</pre>
 */
public final class Sender {

    private static final int RETRY_MS = 200;

    private final String host;
    private final int port;
    private final RandomAccessFile file;
    private final int recordLength;

    /** Records known to be stored; the thread that reads acknowledgements changes it. */
    private volatile long stored;

    private Sender(String host, int port, RandomAccessFile file, int recordLength) {
        this.host = host;
        this.port = port;
        this.file = file;
        this.recordLength = recordLength;
    }

    public static void main(String[] args) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(args[2], "r")) {
            Sender sender = new Sender(args[0], Integer.parseInt(args[1]), file, Integer.parseInt(args[3]));
            long records = file.length() / sender.recordLength;
            while (sender.stored < records) {
                sender.sendFrom(sender.stored);
            }
            System.out.println("stored " + sender.stored + " records");
        }
    }

    /** One connection: returns when all is acknowledged, or when the connection is lost. */
    private void sendFrom(long first) throws InterruptedException {
        try (Socket socket = new Socket(host, port)) {
            // A connection counts its own records, from 0.
            Thread reader = Thread.ofVirtual().start(() -> readAcknowledgements(socket, first));
            try {
                OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
                file.seek(first * recordLength);
                byte[] record = new byte[recordLength];
                while (file.read(record) == recordLength) {
                    out.write(record);
                }
                out.flush();
                // The output is closed: the last count follows, then the end of the connection.
                socket.shutdownOutput();
            } finally {
                reader.join();
            }
        } catch (IOException e) {
            System.out.println("connection lost: " + e.getMessage());
            Thread.sleep(RETRY_MS);
        }
    }

    private void readAcknowledgements(Socket socket, long first) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                stored = first + in.readLong();
            }
        } catch (EOFException e) {
            // the connection's end
        } catch (IOException e) {
            System.out.println("connection lost after " + stored + " stored records: " + e.getMessage());
        }
    }
}
