set -euo pipefail
# #region code
endpoints="$PONTE_BASE_URL/api/v1/accounts/$PONTE_PARTNER_ID/webhook-endpoints"

endpoint=$(curl -sS --fail-with-body "$endpoints" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d "{\"url\":\"$PONTE_RECEIVER_URL\",\"event-types\":[\"order-completed\",\"account-approved\",\"webhook-ping\"]}") ||
  { echo "$endpoint" >&2; exit 1; }
id=$(echo "$endpoint" | jq -r '."webhook-endpoint".id')
echo "$endpoint" | jq -r '."webhook-endpoint".secret' # shown this once: store it

curl -sS --fail-with-body -w '\n' -X POST "$endpoints/$id/ping" -H "Authorization: Bearer $PONTE_API_KEY"
# #endregion code
