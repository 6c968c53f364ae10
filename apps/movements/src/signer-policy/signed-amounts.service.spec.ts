import { isoTime } from '@ponte/kernel';
import { SignedAmounts } from './signed-amounts.service';
import type { SignedBytes } from './signed-bytes.read-model';

const START = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTE_MS = 60_000;

function given(soleWriter: boolean) {
  const state = { now: START, reads: 0, rows: new Array<{ id: string; raw: string; signed_at: string }>() };
  const counted: [string, number][] = [];
  const signed = {
    since: async (at: string) => {
      state.reads += 1;
      return state.rows.filter(({ signed_at }) => signed_at >= at);
    },
    bytesOf: async (ids: readonly string[]) => state.rows.filter(({ id }) => ids.includes(id)),
  } as unknown as SignedBytes;
  const count = (raw: string, ageMs: number) => void counted.push([raw, ageMs]);
  const amounts = new SignedAmounts(signed, { count }, { soleWriter }, { now: () => state.now });
  const sign = (id: string, at = state.now) => state.rows.push({ id, raw: `0x${id}`, signed_at: isoTime(at) });
  return { state, counted, amounts, sign };
}

describe('What was signed elsewhere', () => {
  it('is counted once with its age, without what is older than an hour and what this process has signed', async () => {
    const { state, counted, amounts, sign } = given(false);
    sign('old', START - 61 * MINUTE_MS);
    sign('a', START - 59 * MINUTE_MS);
    sign('b', START - MINUTE_MS);
    await Promise.all([amounts.refresh(), amounts.refresh()]);
    amounts.noteOwn('own');
    state.now += 2_000;
    sign('own');
    sign('c', state.now - 500);
    await amounts.refresh();
    expect(counted).toEqual([
      ['0xa', 59 * MINUTE_MS],
      ['0xb', MINUTE_MS],
      ['0xc', 500],
    ]);
  });

  it('is read at most once a second, and not at all by a process that has been alone for a minute', async () => {
    const [shared, alone] = [given(false), given(true)];
    for (const one of [shared, alone])
      for (const ms of [0, 500, 1_500, 61_000, 120_000, 180_000]) {
        one.state.now = START + ms;
        await one.amounts.refresh();
      }
    expect([shared.state.reads, alone.state.reads]).toEqual([5, 2]);
  });
});
