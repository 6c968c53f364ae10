# #region code
import base64
import os
import time

from ponte import call

cpf = os.environ["PONTE_CPF"]
with open(os.environ["PONTE_DOCUMENT_PHOTO"], "rb") as file:
    photo = base64.b64encode(file.read()).decode()


def upload(purpose):
    body = {"file-name": "rg.png", "content-type": "image/png", "content-base64": photo, "purpose": purpose}
    return call("POST", "/api/v1/accounts/files", body)["file"]["id"]


request = call(
    "POST",
    "/api/v1/accounts/kyc/individual",
    {
        "identifier": {"value": cpf, "country": "BRA"},
        "tax-residence": "BRA",
        "reward-tier": 90,
        "first-name": "Joana",
        "last-name": "Lima",
        "email": "joana@example.com",
        "phone": "+55 11 91234-5678",
        "date-of-birth": "1990-05-17",
        "mother-full-name": "Maria Lima",
        "address": {
            "postal-code": "01310-100",
            "line1": "Avenida Paulista 1000",
            "city": "São Paulo",
            "state": "SP",
            "country": "BRA",
        },
        "document": {
            "type": "rg",
            "front-file-id": upload("document-front"),
            "back-file-id": upload("document-back"),
        },
        "liveness": {"id": f"session-{cpf}", "provider": "provider-1"},
        "pep": {"declared": False},
        "financial-profile": {
            "sector": "other",
            "currency": "BRL",
            "monthly-income": 8500,
            "source-of-funds": ["salary"],
        },
    },
)["account-request"]

for _ in range(60):
    status = call("GET", f"/api/v1/accounts/kyc/individual/{request['id']}")["account-request"]["status"]
    if status not in ("pending", "approved"):
        break
    time.sleep(1)
if status != "active":
    raise SystemExit(f"The sub-account is not active. The status of the request is {status}.")
print(f"The sub-account {request['account-id']} is active.")
# #endregion code
