set -euo pipefail
# #region code
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"

# The static code that funds the account
code=$(curl -sS --fail-with-body "$api/deposits/pix" -H "Authorization: Bearer $PONTE_API_KEY") ||
  { echo "$code" >&2; exit 1; }
echo "$code" | jq -r .brcode
paid=$(curl -sS --fail-with-body "$PONTE_BASE_URL/api/v1/sandbox/pix-payments" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d "{\"account-id\":\"$PONTE_ACCOUNT_ID\",\"amount\":\"250.00\"}") || { echo "$paid" >&2; exit 1; }

deposits="$api/assets/brl/deposits?end-to-end-id=$(echo "$paid" | jq -r '."pix-payment"."end-to-end-id"')"
for _ in $(seq 60); do
  status=$(curl -sS --fail-with-body "$deposits" -H "Authorization: Bearer $PONTE_API_KEY" |
    jq -r '.deposits[0].status // "created"')
  case $status in created | confirmed) sleep 1 ;; *) break ;; esac
done
[ "$status" = credited ] || { echo "The deposit is not credited. Its status is $status." >&2; exit 1; }
curl -sS --fail-with-body -w '\n' "$api/assets/brl/balance" -H "Authorization: Bearer $PONTE_API_KEY"
# #endregion code
