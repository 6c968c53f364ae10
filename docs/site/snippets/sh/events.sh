set -euo pipefail
# #region code
after= # the position that your program stored; empty at first
while :; do
  page=$(curl -sS --fail-with-body "$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/events${after:+?after=$after}" \
    -H "Authorization: Bearer $PONTE_API_KEY") || { echo "$page" >&2; exit 1; }
  echo "$page" | jq -r '.events[] | "\(.number) \(.event."event-type") \(.event."resource-id")"'
  after=$(echo "$page" | jq -r '."next-after"') # store it once the events are handled
  echo "$page" | jq -e .more > /dev/null || break
done
# #endregion code
