# #region code
import os

from ponte import call

partner = f"/api/v1/accounts/{os.environ['PONTE_PARTNER_ID']}"
endpoint = call(
    "POST",
    f"{partner}/webhook-endpoints",
    {"url": os.environ["PONTE_RECEIVER_URL"], "event-types": ["order-completed", "account-approved", "webhook-ping"]},
)["webhook-endpoint"]
print(endpoint["secret"])  # shown this once: store it
call("POST", f"{partner}/webhook-endpoints/{endpoint['id']}/ping")
# #endregion code
