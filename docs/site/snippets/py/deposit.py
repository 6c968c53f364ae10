# #region code
import os
import time

from ponte import ACCOUNT, call

print("Pay into the account with", call("GET", f"{ACCOUNT}/deposits/pix")["brcode"])
payment = {"account-id": os.environ["PONTE_ACCOUNT_ID"], "amount": "250.00"}
paid = call("POST", "/api/v1/sandbox/pix-payments", payment)["pix-payment"]

status = "created"
for _ in range(60):
    for deposit in call("GET", f"{ACCOUNT}/assets/brl/deposits?end-to-end-id={paid['end-to-end-id']}")["deposits"]:
        status = deposit["status"]
    if status not in ("created", "confirmed"):
        break
    time.sleep(1)
if status != "credited":
    raise SystemExit(f"The deposit is not credited. Its status is {status}.")
print(call("GET", f"{ACCOUNT}/assets/brl/balance")["balance"])
# #endregion code
