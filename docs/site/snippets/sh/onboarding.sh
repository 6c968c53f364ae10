set -euo pipefail
# #region code
api="$PONTE_BASE_URL/api/v1"
upload() { # the photo of a document; JPEG, PNG or PDF
  local answer
  answer=$(curl -sS --fail-with-body "$api/accounts/files" -H "Authorization: Bearer $PONTE_API_KEY" \
    -F "file=@$PONTE_DOCUMENT_PHOTO" -F "purpose=$1") || { echo "$answer" >&2; exit 1; }
  echo "$answer" | jq -r .file.id
}
front=$(upload document-front)
back=$(upload document-back)

request=$(curl -sS --fail-with-body "$api/accounts/kyc/individual" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d @- <<JSON
{
  "identifier": { "value": "$PONTE_CPF", "country": "BRA" }, "tax-residence": "BRA", "reward-tier": 90,
  "first-name": "Joana", "last-name": "Lima", "email": "joana@example.com", "phone": "+55 11 91234-5678",
  "date-of-birth": "1990-05-17", "mother-full-name": "Maria Lima",
  "address": {
    "postal-code": "01310-100", "line1": "Avenida Paulista 1000", "city": "São Paulo", "state": "SP", "country": "BRA"
  },
  "document": { "type": "rg", "front-file-id": "$front", "back-file-id": "$back" },
  "liveness": { "id": "session-$PONTE_CPF", "provider": "provider-1" },
  "pep": { "declared": false },
  "financial-profile": { "sector": "other", "currency": "BRL", "monthly-income": 8500, "source-of-funds": ["salary"] }
}
JSON
) || { echo "$request" >&2; exit 1; }
id=$(echo "$request" | jq -r '."account-request".id')

for _ in $(seq 60); do
  status=$(curl -sS --fail-with-body "$api/accounts/kyc/individual/$id" -H "Authorization: Bearer $PONTE_API_KEY" |
    jq -r '."account-request".status')
  case $status in pending | approved) sleep 1 ;; *) break ;; esac
done
[ "$status" = active ] || { echo "The sub-account is not active. The status of the request is $status." >&2; exit 1; }
echo 'The sub-account is active.'
# #endregion code
