import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { pino } from 'pino';
import { checkAtStart } from './check-at-start';
import type { UnmetRequirement } from './nodes/node-requirements';

const stopping = new AbortController();
afterAll(() => stopping.abort());

const UNMET: readonly UnmetRequirement[] = [
  { node: 1, lacks: null, reason: 'the node did not answer in time' },
  { node: 2, lacks: 'logs by the hash of their block (eth_getLogs)', reason: 'MethodNotFoundRpcError' },
];
const REPORTED = [
  { level: 40, chain: 'tempo', node: 1, reason: 'the node did not answer in time' },
  { level: 50, chain: 'tempo', node: 2, lacks: UNMET[1]?.lacks, reason: 'MethodNotFoundRpcError' },
];

/** Checks a chain whose nodes do not answer the first `silent` checks. */
async function checked(silent: number) {
  const lines: { readonly node?: number }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as { node?: number }) });
  let left = silent;
  const check = async () => {
    if (left === 0) return;
    left -= 1;
    throw new Unavailable('chain-unavailable');
  };
  let asked = 0;
  const unmet = async () => {
    asked += 1;
    return UNMET;
  };
  await checkAtStart({ chain: 'tempo', check }, { signal: stopping.signal, everyMs: 1, logger, unmet });
  return { ofNodes: () => lines.filter(({ node }) => node !== undefined), asked: () => asked };
}

describe('what a node does not provide', () => {
  it('is reported at the start, and does not keep the process from starting', async () => {
    const { ofNodes } = await checked(0);
    await eventually(() => expect(ofNodes()).toMatchObject(REPORTED));
  });

  it('is reported once a node answers', async () => {
    const { ofNodes, asked } = await checked(3);
    await eventually(() => expect(ofNodes()).toMatchObject(REPORTED));
    expect(asked()).toBe(1);
  });
});
