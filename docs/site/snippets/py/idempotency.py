# #region code
import uuid

from ponte import ACCOUNT, PonteError, call


def pay(amount, key):
    body = {"asset": "fiat/brl", "method": "pix", "amount": amount, "pix-key": "maria@pix.example"}
    return call("POST", f"{ACCOUNT}/withdrawals", body, idempotency_key=key)["withdrawal"]


key = f"payout-{uuid.uuid4()}"
print(pay("1.00", key)["id"] == pay("1.00", key)["id"])  # True: one withdrawal

try:
    pay("2.00", key)
except PonteError as error:
    print(error.code)  # idempotency-key-reused
# #endregion code
