// #region code
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final byte[] SECRET =
      Base64.getDecoder().decode(System.getenv("PONTE_WEBHOOK_SECRET").replaceFirst("^whsec_", ""));

  /** Whether a signature is valid and the timestamp is at most five minutes off. */
  static boolean verify(HttpExchange exchange, byte[] body) throws GeneralSecurityException {
    String id = header(exchange, "webhook-id");
    String timestamp = header(exchange, "webhook-timestamp");
    if (!timestamp.matches("\\d{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    for (String signature : header(exchange, "webhook-signature").split(" ")) {
      if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) return true;
    }
    return false;
  }

  static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  static void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    boolean valid;
    try {
      valid = verify(exchange, body);
    } catch (GeneralSecurityException error) {
      valid = false;
    }
    // store the body before you respond; it has personal data, so do not log it
    if (valid) System.out.println("verified " + header(exchange, "webhook-id"));
    exchange.sendResponseHeaders(valid ? 200 : 400, -1);
    exchange.close();
  }

  public static void main(String[] args) throws IOException {
    if (SECRET.length == 0)
      throw new IllegalStateException("PONTE_WEBHOOK_SECRET must be the secret of the webhook endpoint: whsec_ and base64");
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receiver::receive);
    server.start();
    System.out.println("listening");
  }
}
// #endregion code
