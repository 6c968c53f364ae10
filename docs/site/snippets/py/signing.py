# #region code
import hashlib
import json
import os
import time
import urllib.request
import uuid

import jwt  # pip install "pyjwt[crypto]"

KEY_ID = os.environ["PONTE_KEY_ID"]
ALGORITHM = os.environ.get("PONTE_KEY_ALGORITHM", "RS256")  # or ES256, EdDSA
with open(os.environ["PONTE_KEY_FILE"]) as file:
    PRIVATE_KEY = file.read()


def token(method, uri, body=None):
    now = int(time.time())
    claims = {
        "uri": uri,  # the path and the query, exactly as they are sent
        "method": method,
        "nonce": str(uuid.uuid4()),  # a new one for each request
        "iat": now,
        "exp": now + 50,
        "sub": KEY_ID,
    }
    if body is not None:
        claims["body-hash"] = hashlib.sha256(body).hexdigest()
    return jwt.encode(claims, PRIVATE_KEY, algorithm=ALGORITHM)


path = f"/api/v1/accounts/{os.environ['PONTE_ACCOUNT_ID']}/quotes"
body = json.dumps(
    {"source-asset": "fiat/brl", "target-asset": "eth-base/brlv", "source-amount": "100.00"}
).encode()
headers = {
    "X-API-Key": KEY_ID,
    "Authorization": f"Bearer {token('POST', path, body)}",
    "Content-Type": "application/json",
}
request = urllib.request.Request(os.environ["PONTE_BASE_URL"] + path, body, headers)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
# #endregion code
