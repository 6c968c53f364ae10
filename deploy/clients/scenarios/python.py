"""The scenario with the client of openapi-python-client: quote, order, list, upload, and an error."""

import base64
import io
import json
import os
from uuid import UUID, uuid4

from ponte_client import AuthenticatedClient
from ponte_client.api.onboarding import upload_file
from ponte_client.api.orders import create_order, get_order, list_orders
from ponte_client.api.quotes import create_quote
from ponte_client.models import (
    FileFormDto,
    FileFormDtoPurpose,
    FileUploadDto,
    ListOrdersState,
    OrderRequestDto,
    QuoteRequestDto,
)
from ponte_client.types import File

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
account_id = UUID(os.environ["PONTE_ACCOUNT_ID"])
client = AuthenticatedClient(base_url=os.environ["PONTE_BASE_URL"], token=os.environ["PONTE_API_KEY"])

quote = create_quote.sync(
    account_id,
    client=client,
    body=QuoteRequestDto.from_dict(
        {"source-asset": "fiat/brl", "target-asset": "eth-base/brlv", "source-amount": "10.00"}
    ),
)
order = create_order.sync(
    account_id,
    client=client,
    idempotency_key=str(uuid4()),
    body=OrderRequestDto.from_dict({"quote-id": str(quote.id), "source-payment-method": "brcode"}),
).order
orders = list_orders.sync(account_id, client=client, state=ListOrdersState.CREATED, limit=5).orders
as_form = upload_file.sync(
    client=client,
    body=FileFormDto(
        file=File(payload=io.BytesIO(base64.b64decode(PNG)), file_name="a.png", mime_type="image/png"),
        purpose=FileFormDtoPurpose("other"),
    ),
)
as_json = upload_file.sync(
    client=client,
    body=FileUploadDto.from_dict(
        {"file-name": "a.png", "content-type": "image/png", "content-base64": PNG, "purpose": "other"}
    ),
)
absent = get_order.sync(account_id, str(account_id), client=client)

print(
    json.dumps(
        {
            "order": {"id": str(order.id), "state": order.state.value},
            "listed": [str(one.id) for one in orders],
            "files": [one.file.id for one in (as_form, as_json)],
            "refusal": absent.error.code,
        }
    )
)
