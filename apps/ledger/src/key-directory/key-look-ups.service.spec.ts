import { LocalBuckets } from '@ponte/concurrency';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { PixKey } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import pino from 'pino';
import type { LookUpLimit } from '../ledger-settings.port';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { Payee } from '../person/payee.domain';
import type { LookUpAccount } from './key-look-ups.service';
import { KeyLookUps } from './key-look-ups.service';

const START = Date.parse('2026-03-02T12:00:00Z');
const CONTEXT = { commandId: 'c', correlationId: 'c', actor: 'test' };
const PARTNER: LookUpAccount = { accountId: 'partner', parentId: null };
const subAccount = (accountId: string): LookUpAccount => ({ accountId, parentId: 'partner' });
const A = subAccount('a');

const key = (value: string): PixKey => ({ kind: 'email', value });
const [KNOWN, UNKNOWN, SILENT] = ['known@x.example', 'unknown@x.example', 'silent@x.example'].map(key) as [
  PixKey,
  PixKey,
  PixKey,
];

let now: number;
let buckets: LocalBuckets;
let lookedUp: string[];
let counted: Record<string, number>;
let lines: Record<string, unknown>[];
beforeEach(() => {
  now = START;
  buckets = new LocalBuckets();
  lookedUp = [];
  counted = {};
  lines = [];
});

const counterOf = (outcome: string) =>
  ({ inc: () => (counted[outcome] = (counted[outcome] ?? 0) + 1) }) as unknown as ReturnType<Metrics['counter']>;

/** Another process that shares the buckets, as replicas do. */
const processWith = (limits: { readonly account?: LookUpLimit; readonly partner?: LookUpLimit }) =>
  new KeyLookUps(
    {
      lookUp: async ({ value }) => {
        lookedUp.push(value);
        await Promise.resolve();
        if (value === SILENT.value) throw new RailTimedOut('lookUp');
        return value === UNKNOWN.value ? undefined : ({ legalName: 'Ana Duarte' } as Payee);
      },
    },
    { takeToken: async (request) => Promise.resolve(buckets.take(request)) },
    { now: () => now },
    { pixKeyLookUps: limits },
    { counter: (_, labels) => counterOf(String(labels?.['outcome'])) },
    pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
  );

/** The result of a look-up: found, unknown, or the code with the seconds after which it may be repeated. */
const result = (lookUps: KeyLookUps, one: PixKey, account: LookUpAccount = A): Promise<string> =>
  lookUps.lookUp(one, account, CONTEXT).then(
    (owner) => (owner ? 'found' : 'unknown'),
    (error: unknown) => {
      if (error instanceof Unavailable) return error.code;
      if (error instanceof Refusal) return `${error.code} ${String(error.violations[0]?.['retry-after-seconds'])}`;
      throw error;
    },
  );
const results = async (lookUps: KeyLookUps, count: number, one: PixKey, account = A) => {
  const all: string[] = [];
  for (let at = 0; at < count; at += 1) all.push(await result(lookUps, one, account));
  return all;
};
const times = (count: number, text: string) => Array<string>(count).fill(text);
const limited = (seconds: number) => `too-many-pix-key-look-ups ${seconds}`;

/** Two tokens a minute, and five unknown keys at once. */
const LIMITS = { account: { perMinute: 2, burst: 100 } };

describe('Look-ups of Pix keys', () => {
  it('of unknown keys cost 20 each, and are refused without a look-up until there are 20 tokens', async () => {
    const lookUps = processWith(LIMITS);
    expect(await results(lookUps, 5, UNKNOWN)).toEqual(times(5, 'unknown'));
    expect(await results(lookUps, 2, KNOWN)).toEqual(times(2, limited(600)));
    expect(lookedUp).toHaveLength(5);
    now += 599_000;
    expect(await result(lookUps, UNKNOWN)).toBe(limited(1));
    now += 1_000;
    expect(await results(lookUps, 2, UNKNOWN)).toEqual(['unknown', limited(600)]);
  });

  it('of registered keys cost one each', async () => {
    const lookUps = processWith(LIMITS);
    expect(await results(lookUps, 81, KNOWN)).toEqual(times(81, 'found'));
    expect(await result(lookUps, KNOWN)).toBe(limited(30));
    now += 30_000;
    expect(await results(lookUps, 2, KNOWN)).toEqual(['found', limited(30)]);
  });

  it('that the directory does not answer cost nothing', async () => {
    const lookUps = processWith(LIMITS);
    expect(await results(lookUps, 200, SILENT)).toEqual(times(200, 'rail-unavailable'));
    expect(await results(lookUps, 5, UNKNOWN)).toEqual(times(5, 'unknown'));
  });

  it('are not limited where no limit is set', async () => {
    expect(await results(processWith({}), 500, UNKNOWN)).toEqual(times(500, 'unknown'));
  });

  it('of concurrent requests to two processes search no more unknown keys than the limit allows', async () => {
    const processes = [processWith(LIMITS), processWith(LIMITS)];
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, at) => result(processes[at % 2] as KeyLookUps, UNKNOWN)),
    );
    expect(all.filter((one) => one === 'unknown')).toHaveLength(5);
    expect(lookedUp).toHaveLength(5);
  });

  it('cannot be spread over the sub-accounts of a partner, nor over sub-accounts and the partner itself', async () => {
    const lookUps = processWith({ ...LIMITS, partner: { perMinute: 4, burst: 140 } });
    const accounts = ['a', 'b', 'c'].map(subAccount);
    for (const account of [...accounts, PARTNER]) expect(await result(lookUps, UNKNOWN, account)).toBe('unknown');
    for (const account of accounts) expect(await result(lookUps, UNKNOWN, account)).toBe('unknown');
    expect(await result(lookUps, KNOWN, PARTNER)).toBe(limited(300));
    expect(await result(lookUps, KNOWN, subAccount('d'))).toBe(limited(300));
    expect(await result(lookUps, KNOWN, { accountId: 'e', parentId: 'another' })).toBe('found');
  });

  it('that the limit of the partner refuses cost the account nothing', async () => {
    const lookUps = processWith({ ...LIMITS, partner: { perMinute: 1_000, burst: 20 } });
    expect(await results(lookUps, 2, UNKNOWN, subAccount('b'))).toEqual(['unknown', limited(2)]);
    expect(await results(lookUps, 50, KNOWN)).toEqual(times(50, limited(2)));
    now += 60_000;
    for (let at = 0; at < 5; at += 1, now += 1_200) expect(await result(lookUps, UNKNOWN)).toBe('unknown');
  });

  it('cost nothing once their keys are paid, and paying more often fills no bucket above its capacity', async () => {
    const lookUps = processWith({ ...LIMITS, partner: { perMinute: 2, burst: 100 } });
    for (let at = 0; at < 500; at += 1) {
      expect(await result(lookUps, KNOWN)).toBe('found');
      await lookUps.wasPaid(A);
    }
    for (let at = 0; at < 50; at += 1) await lookUps.wasPaid(A);
    expect(await results(lookUps, 6, UNKNOWN)).toEqual([...times(5, 'unknown'), limited(600)]);
  });

  it('gain no tokens from a clock that moves back and forward again', async () => {
    const lookUps = processWith(LIMITS);
    await results(lookUps, 5, UNKNOWN);
    now -= 3_600_000;
    expect(await result(lookUps, UNKNOWN)).toBe(limited(600));
    now += 3_600_000;
    expect(await result(lookUps, UNKNOWN)).toBe(limited(600));
  });

  it('are counted by outcome, and a log line names the account that is refused, but not the key', async () => {
    const lookUps = processWith(LIMITS);
    await results(lookUps, 1, SILENT);
    await results(lookUps, 3, KNOWN);
    await results(lookUps, 10, UNKNOWN);
    expect(counted).toEqual({ failed: 1, found: 3, unknown: 4, limited: 6 });
    expect(lines).toMatchObject([{ accountId: 'a', parentId: 'partner', bucket: 'pix-key-look-ups account a' }]);
    expect(JSON.stringify(lines)).not.toContain('x.example');
  });
});
