# #region quote
import time

from ponte import ACCOUNT, call

quote = call(
    "POST",
    f"{ACCOUNT}/quotes",
    {"source-asset": "fiat/brl", "target-asset": "eth-base/brlv", "source-amount": "100.00"},
)
print(f"{quote['source-amount']} BRL buys {quote['target-amount']} BRLV until {quote['expires-at']}")
# #endregion quote

# #region order
order = call("POST", f"{ACCOUNT}/orders", {"quote-id": quote["id"], "source-payment-method": "brcode"})["order"]
print(f"Pay this code: {order['brcode']}")
# #endregion order

# #region pay
call("POST", "/api/v1/sandbox/pix-payments", {"brcode": order["brcode"]})

for _ in range(60):
    state = call("GET", f"{ACCOUNT}/orders/{order['id']}")["order"]["state"]
    if state not in ("created", "processing"):
        break
    time.sleep(1)
if state != "completed":
    raise SystemExit(f"The order is not completed. Its state is {state}.")
print("The order is completed.")
# #endregion pay
