package dev.singleflight.sample.proof;

import dev.singleflight.sample.proof.Answers.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * One request, sent by many callers at the same moment, each over a connection of its own to this machine.
 *
 * <p>All requests go out up to their last byte first; then the last bytes follow, and the {@link StartingGate} lets the
 * requests go on together. So the time taken is not that of opening connections, and one thread is enough for all callers.
 */
final class Stampede implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private final InetSocketAddress server;
    private final byte[] request;
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocate(8192);
    private final Map<Answer, Integer> answers = new HashMap<>();
    private int answered;

    private Stampede(int port, String path) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.request = "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s: yes\r\n\r\n"
                .formatted(path, StartingGate.HEADER)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Sends the requests and waits for the answers, at most 30 seconds.
     *
     * @param port where the server listens
     * @param path what is asked for
     * @param callers how many requests
     * @param progress is told from time to time how many answers are there
     */
    static Answers run(int port, String path, int callers, IntConsumer progress) throws IOException {
        try (Stampede stampede = new Stampede(port, path)) {
            for (int caller = 0; caller < callers; caller++) {
                stampede.connect();
            }
            return stampede.run(callers, progress);
        }
    }

    private void connect() throws IOException {
        SocketChannel caller = SocketChannel.open(server);
        send(caller, 0, request.length - 1);
        caller.configureBlocking(false);
        caller.register(selector, SelectionKey.OP_READ, new ByteArrayOutputStream(512));
    }

    private Answers run(int callers, IntConsumer progress) throws IOException {
        long start = System.nanoTime();
        for (SelectionKey caller : selector.keys()) {
            send((SocketChannel) caller.channel(), request.length - 1, 1);
        }
        long told = start;
        long now = start;
        while (answered < callers && now - start < PATIENCE.toNanos()) {
            selector.select(this::read, 1_000);
            now = System.nanoTime();
            if (now - told > PROGRESS.toNanos()) {
                told = now;
                progress.accept(answered);
            }
        }
        if (answered < callers) {
            answers.merge(Answer.NONE, callers - answered, Integer::sum);
        }
        return new Answers(Duration.ofNanos(now - start), Map.copyOf(answers));
    }

    private void send(SocketChannel caller, int from, int length) throws IOException {
        for (ByteBuffer bytes = ByteBuffer.wrap(request, from, length); bytes.hasRemaining(); ) {
            caller.write(bytes);
        }
    }

    private void read(SelectionKey caller) {
        ByteArrayOutputStream response = (ByteArrayOutputStream) caller.attachment();
        boolean more = false;
        try {
            int length = ((SocketChannel) caller.channel()).read(buffer.clear());
            response.write(buffer.array(), 0, Math.max(length, 0));
            more = length >= 0;
        } catch (IOException broken) {
            response.reset();
        }
        if (!more) {
            caller.cancel();
            answered++;
            answers.merge(Answer.parse(response.toString(StandardCharsets.UTF_8)), 1, Integer::sum);
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey caller : selector.keys()) {
            caller.channel().close();
        }
        selector.close();
    }
}
