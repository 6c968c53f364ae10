import { request } from 'node:http';

/** The delays measured by a reader of the event stream. */
export interface StreamDelays {
  /** Milliseconds from the business time of each event to its arrival. */
  readonly delays: number[];
  close(): void;
}

/**
 * Opens an event stream and measures the delay of each event, using this machine's clock on both ends. Resolves when
 * the stream is open.
 */
export function readStream(
  base: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<StreamDelays> {
  const delays: number[] = [];
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), { headers }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`the event stream request failed with HTTP ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        const arrived = Date.now();
        const blocks = `${rest}${part}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data === undefined) continue;
          const event = JSON.parse(data) as { 'occurred-at': string };
          delays.push(arrived - Date.parse(event['occurred-at']));
        }
      });
      response.on('error', () => undefined);
      resolve({ delays, close: () => sent.destroy() });
    });
    sent.on('error', reject);
    sent.end();
  });
}
