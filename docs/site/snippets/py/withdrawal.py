# #region code
import time

from ponte import ACCOUNT, call

payout = f"payout-{time.time_ns()}"  # taken from your own records, so that a restart can repeat it safely
withdrawal = call(
    "POST",
    f"{ACCOUNT}/withdrawals",
    {"asset": "fiat/brl", "method": "pix", "amount": "10.00", "pix-key": "maria@pix.example", "external-id": payout},
    idempotency_key=payout,
)["withdrawal"]
print(withdrawal["id"], withdrawal["state"])
# #endregion code
