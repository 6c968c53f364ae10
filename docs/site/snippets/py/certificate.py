# #region code
import os
import time

from ponte import ACCOUNT, call

wallet = call("GET", f"{ACCOUNT}/wallets?assets=eth-base/brlv")["wallets"][0]["address"]
issued = call(
    "POST",
    "/api/v1/sandbox/reward-certificates",
    {"account-id": os.environ["PONTE_ACCOUNT_ID"], "wallet-address": wallet, "amount": "100.00"},
)["reward-certificate"]

# The list shows the certificate once its token is minted.
for _ in range(60):
    held = call("GET", f"{ACCOUNT}/reward-certificates?status=active")["reward-certificates"]
    if issued["id"] in [one["id"] for one in held]:
        break
    time.sleep(1)
else:
    raise SystemExit("The certificate was not minted within 60 seconds.")

transfer = call(
    "POST",
    f"{ACCOUNT}/nft-transfers",
    {
        "reward-certificate-id": issued["id"],
        "source-address": wallet,
        "target-address": "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    },
)["transfer"]
for _ in range(60):
    state = call("GET", f"{ACCOUNT}/nft-transfers/{transfer['id']}")["transfer"]["state"]
    if state not in ("created", "pending"):
        break
    time.sleep(1)
if state != "completed":
    raise SystemExit(f"The transfer is not completed. Its state is {state}.")
print("The certificate is transferred.")
# #endregion code
