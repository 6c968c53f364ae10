# #region code
import os

from ponte import ACCOUNT, call

endpoint = call(
    "POST",
    f"{ACCOUNT}/webhook-endpoints",
    {"url": os.environ["PONTE_RECEIVER_URL"], "event-types": ["order-completed", "account-approved", "webhook-ping"]},
)["webhook-endpoint"]
print(endpoint["secret"])  # shown this once: store it
call("POST", f"{ACCOUNT}/webhook-endpoints/{endpoint['id']}/ping")
# #endregion code
