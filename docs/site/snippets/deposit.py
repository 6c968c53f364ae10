# #region code
import os

from ponte import ACCOUNT, call

print("Pay into the account with", call("GET", f"{ACCOUNT}/deposits/pix")["brcode"])
call("POST", "/api/v1/sandbox/pix-payments", {"account-id": os.environ["PONTE_ACCOUNT_ID"], "amount": "250.00"})
print(call("GET", f"{ACCOUNT}/assets/brl/balance")["balance"])
# #endregion code
