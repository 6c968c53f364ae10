# #region code
import json
import urllib.error
import urllib.parse
import urllib.request

from ponte import ACCOUNT, API_KEY, BASE_URL

cursor = None
while True:
    query = {"limit": 1, "state": "completed", **({"cursor": cursor} if cursor else {})}
    url = f"{BASE_URL}{ACCOUNT}/orders?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {API_KEY}"})
    try:
        with urllib.request.urlopen(request) as response:
            for order in json.load(response)["orders"]:
                print(order["id"])
            cursor = response.headers["X-Next-Cursor"]
    except urllib.error.HTTPError as error:
        raise SystemExit(error.read().decode()) from None
    if cursor is None:
        break
# #endregion code
