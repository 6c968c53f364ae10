# #region code
from ponte import ACCOUNT, call

after, more = None, True  # after: the position that your program stored; None at first
while more:
    page = call("GET", f"{ACCOUNT}/events" + (f"?after={after}" if after is not None else ""))
    for item in page["events"]:
        print(item["number"], item["event"]["event-type"], item["event"]["resource-id"])
    after, more = page["next-after"], page["more"]  # store `after` once the events are handled
# #endregion code
