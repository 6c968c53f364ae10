set -euo pipefail
# #region code
next="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/orders?limit=1&state=completed"
while [ -n "$next" ]; do
  curl -sS --fail-with-body -D /tmp/headers.$$ "$next" -H "Authorization: Bearer $PONTE_API_KEY" | jq -r '.orders[].id'
  next=$(sed -n 's/^[Ll]ink: <\(.*\)>; rel="next".*/\1/p' /tmp/headers.$$)
  case "$next" in /*) next="$PONTE_BASE_URL$next" ;; esac
done
rm -f /tmp/headers.$$
# #endregion code
