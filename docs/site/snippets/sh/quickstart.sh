set -euo pipefail
# #region quote
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"

quote=$(curl -sS --fail-with-body "$api/quotes" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d '{"source-asset":"fiat/brl","target-asset":"eth-base/brlv","source-amount":"100.00"}') ||
  { echo "$quote" >&2; exit 1; }
echo "$quote" | jq -r '"\(."source-amount") BRL buys \(."target-amount") BRLV until \(."expires-at")"'
# #endregion quote

# #region order
order=$(curl -sS --fail-with-body "$api/orders" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -d "{\"quote-id\":\"$(echo "$quote" | jq -r .id)\",\"source-payment-method\":\"brcode\"}") ||
  { echo "$order" >&2; exit 1; }
brcode=$(echo "$order" | jq -r .order.brcode)
echo "Pay this code: $brcode"
# #endregion order

# #region pay
curl -sS --fail-with-body -w '\n' "$PONTE_BASE_URL/api/v1/sandbox/pix-payments" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d "{\"brcode\":\"$brcode\"}"

id=$(echo "$order" | jq -r .order.id)
for _ in $(seq 60); do
  state=$(curl -sS --fail-with-body "$api/orders/$id" -H "Authorization: Bearer $PONTE_API_KEY" | jq -r .order.state)
  case $state in created | processing) sleep 1 ;; *) break ;; esac
done
[ "$state" = completed ] || { echo "The order is not completed. Its state is $state." >&2; exit 1; }
echo 'The order is completed.'
# #endregion pay
