"""Calls the sandbox with the standard library. Save it as ponte.py."""

import json
import os
import urllib.error
import urllib.request
import uuid

BASE_URL = os.environ["PONTE_BASE_URL"]
API_KEY = os.environ["PONTE_API_KEY"]
ACCOUNT = f"/api/v1/accounts/{os.environ['PONTE_ACCOUNT_ID']}"


class PonteError(Exception):
    def __init__(self, status, error):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.status, self.code, self.details = status, error["code"], error.get("details", [])


def call(method, path, body=None, idempotency_key=None):
    headers = {"Authorization": f"Bearer {API_KEY}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    if method == "POST":
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise PonteError(error.code, json.load(error)["error"]) from None
