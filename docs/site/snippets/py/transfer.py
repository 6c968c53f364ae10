# #region code
from ponte import ACCOUNT, call

# Orders are delivered to the account's first wallet on a chain. The list is newest first.
wallet = call("GET", f"{ACCOUNT}/wallets?assets=eth-base/brlv")["wallets"][-1]
transfer = call(
    "POST",
    f"{ACCOUNT}/transfers",
    {
        "asset": "eth-base/brlv",
        "amount": "1.5",
        "source-address": wallet["address"],
        "target-address": "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    },
)["transfer"]
print(transfer["id"], transfer["state"])
# #endregion code
