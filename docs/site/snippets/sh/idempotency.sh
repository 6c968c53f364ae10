set -euo pipefail
# #region code
key="payout-$(openssl rand -hex 16)"
for attempt in 1 2; do
  answer=$(curl -sS --fail-with-body -i "$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/withdrawals" \
    -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' -H "Idempotency-Key: $key" \
    -d '{"asset":"fiat/brl","method":"pix","amount":"1.00","pix-key":"maria@pix.example"}') ||
    { echo "$answer" >&2; exit 1; }
  echo "$answer" | grep -i '^idempotency-replayed' || echo "attempt $attempt moved the money"
done
# #endregion code
