# #region code
import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["PONTE_WEBHOOK_SECRET"].removeprefix("whsec_"))
if not SECRET:
    raise SystemExit("PONTE_WEBHOOK_SECRET must be the secret of the webhook endpoint: whsec_ and base64")


def verify(headers, body):
    """True if a signature is valid and the timestamp is at most five minutes off."""
    sent_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(SECRET, f"{sent_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    for signature in headers.get("webhook-signature", "").split():
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(base64.b64encode(expected), value.encode()):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        valid = verify(self.headers, body)
        if valid:
            event = json.loads(body)
            print("verified", event["event-type"], event["event-id"], flush=True)  # store it before you respond
        self.send_response(200 if valid else 400)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
print("listening", flush=True)
server.serve_forever()
# #endregion code
