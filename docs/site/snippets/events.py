# #region code
from ponte import ACCOUNT, call

after, more = 0, True
while more:
    page = call("GET", f"{ACCOUNT}/events?after={after}")
    for item in page["events"]:
        print(item["number"], item["event"]["event-type"], item["event"]["resource-id"])
    after, more = page["next-after"], page["more"]  # store `after` once the events are handled
# #endregion code
