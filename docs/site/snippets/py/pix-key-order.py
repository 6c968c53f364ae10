# #region code
import time

from ponte import ACCOUNT, call

wallet = call("GET", f"{ACCOUNT}/wallets?assets=eth-base/brlv")["wallets"][-1]
quote = call(
    "POST",
    f"{ACCOUNT}/quotes",
    {"source-asset": "eth-base/brlv", "target-asset": "fiat/brl", "target-amount": "5.00"},
)
order = call(
    "POST",
    f"{ACCOUNT}/orders",
    {
        "quote-id": quote["id"],
        "source-wallet-address": wallet["address"],
        "target-end-user-pix-key": "52998224725",
    },
)["order"]
for _ in range(60):
    if order["state"] not in ("created", "processing"):
        break
    time.sleep(1)
    order = call("GET", f"{ACCOUNT}/orders/{order['id']}")["order"]
print(f"The order is {order['state']}, and the BRL is {order['delivery']['state']}.")
# #endregion code
