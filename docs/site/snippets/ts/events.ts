// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

// Server-Sent Events: starts at the oldest event, or after the position `after`, continues with new events,
// and reconnects after the last one received.
for await (const { position, event } of ponte.events(accountId)) {
  console.log(position, event['event-type'], event['resource-id']);
  if (position >= 3) break; // your program would store the position and continue
}
// #endregion code
process.exit(0);
