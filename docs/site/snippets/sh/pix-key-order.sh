set -euo pipefail
# #region code
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"
send=(curl -sS --fail-with-body -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json')

wallets=$("${send[@]}" "$api/wallets?assets=eth-base/brlv") || { echo "$wallets" >&2; exit 1; }
wallet=$(echo "$wallets" | jq -r '.wallets[-1].address')
quote=$("${send[@]}" "$api/quotes" \
  -d '{"source-asset":"eth-base/brlv","target-asset":"fiat/brl","target-amount":"5.00"}') ||
  { echo "$quote" >&2; exit 1; }
order=$("${send[@]}" "$api/orders" -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -d "{\"quote-id\":\"$(echo "$quote" | jq -r .id)\",\"source-wallet-address\":\"$wallet\",
       \"target-end-user-pix-key\":\"52998224725\"}") || { echo "$order" >&2; exit 1; }

id=$(echo "$order" | jq -r .order.id)
for _ in $(seq 60); do
  order=$("${send[@]}" "$api/orders/$id") || { echo "$order" >&2; exit 1; }
  case $(echo "$order" | jq -r .order.state) in created | processing) sleep 1 ;; *) break ;; esac
done
echo "$order" | jq -r '"The order is \(.order.state), and the BRL is \(.order.delivery.state)."'
# #endregion code
