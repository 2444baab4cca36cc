import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Serves the files of a folder on the loopback address; writes its port to a file once it listens. */
class FileServer {

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]).toRealPath();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1)).normalize();
                if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
                    exchange.sendResponseHeaders(404, -1);
                    return;
                }
                byte[] content = Files.readAllBytes(file);
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        });
        server.start();
        Path port = Path.of(args[1]);
        Path written = Files.writeString(Path.of(args[1] + ".part"), String.valueOf(server.getAddress().getPort()));
        Files.move(written, port);
    }
}
