import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '@ponte/concurrency';
import type { OperatorAction, OperatorActions } from '@ponte/event-sourcing';
import { openSqliteState } from '@ponte/eventstore-sqlite';
import pino from 'pino';
import { ActionRunner } from './action-runner';
import type { OperatorTools } from './tools';
import { perform } from './tools';

const ACTION: OperatorAction = {
  id: 'a1',
  verb: 'log show',
  subject: { stream: 'order-1' },
  actor: 'ana',
  reason: 'a complaint',
  askedAt: '2026-11-26T12:00:00.000Z',
};

/** Executes the action, and returns its stored outcome and what was logged. */
async function runAction(isRead: boolean) {
  const lines: string[] = [];
  const ended: unknown[] = [];
  const actions: Pick<OperatorActions, 'open' | 'take' | 'end'> = {
    open: async () => [ACTION],
    take: async () => true,
    end: async (_id, outcome) => void ended.push(outcome),
  };
  const runner = new ActionRunner({
    actions: actions as OperatorActions,
    instance: 'test',
    systemClock: { now: () => 0 },
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  runner.serve({
    'log show': { can: () => true, carryOut: async () => 'the events', ...(isRead ? { isRead: true } : {}) },
  });
  await runner.executeOpen(new AbortController().signal);
  return { ended, logged: lines.join('') };
}

describe('an operator action', () => {
  it('is logged with its result', async () => {
    const { ended, logged } = await runAction(false);
    expect(ended).toEqual([{ succeeded: true, detail: 'the events' }]);
    expect(logged).toContain('the events');
  });

  it('that only reads is logged without what it has read', async () => {
    const { ended, logged } = await runAction(true);
    expect(ended).toEqual([{ succeeded: true, detail: 'the events' }]);
    expect(logged).toContain('log show');
    expect(logged).not.toContain('the events');
  });
});

/** The stored actions, and a process of the service that can execute them. */
function serviceUnderTest(now: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-'));
  const state = openSqliteState(join(folder, 'state.db'), 'off');
  closing.push(async () => {
    await state.close();
    rmSync(folder, { recursive: true });
  });
  const { actions } = state.operator;
  const executed: string[] = [];
  const runner = new ActionRunner({
    actions,
    instance: 'orders-1',
    systemClock: { now: () => Date.parse(now) },
    logger: pino({ level: 'silent' }),
  }).serve({ 'log show': { can: () => true, carryOut: async ({ stream = '' }) => `${executed.push(stream)} shown` } });
  const tools = {
    operator: state.operator,
    systemClock: { now: () => Date.parse(now) },
    ids: { next: () => 'a2' },
    offlineDuty: () => undefined,
  } as unknown as OperatorTools;
  return { actions, tools, executed, poll: () => runner.executeOpen(new AbortController().signal) };
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

describe('an operator action that no process took in time', () => {
  it('is not executed later', async () => {
    const { actions, executed, poll } = serviceUnderTest('2026-11-26T12:01:01.000Z');
    await actions.ask(ACTION);
    await poll();
    expect(executed).toEqual([]);
    expect((await actions.find('a1'))?.outcome).toEqual({
      endedAt: '2026-11-26T12:01:01.000Z',
      succeeded: false,
      detail: 'no process executed it within 60 seconds, so nothing was done; repeat the command',
    });
  });

  it('is executed if the time has not passed yet', async () => {
    const { actions, executed, poll } = serviceUnderTest('2026-11-26T12:00:59.000Z');
    await actions.ask(ACTION);
    await poll();
    expect(executed).toEqual(['order-1']);
  });

  it('does not end while another runner of the process executes it, even if this runner read it before', async () => {
    const { actions, poll } = serviceUnderTest('2026-11-26T12:01:01.000Z');
    await actions.ask(ACTION);
    const open = await actions.open();
    await actions.take('a1', 'orders-1');
    jest.spyOn(actions, 'open').mockResolvedValue(open);
    await poll();
    expect(await actions.find('a1')).toMatchObject({ takenBy: 'orders-1', outcome: null });
  });
});

describe('a program that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s withdraws its action if no process took it', async (signal) => {
    const { actions, tools, executed, poll } = serviceUnderTest(ACTION.askedAt);
    const performed = perform(tools, 'log show', ACTION.subject, { actor: 'ana', reason: 'x' });
    while ((await actions.open()).length === 0) await pause(1);
    process.emit(signal);
    const detail = 'it was interrupted before a process took it, so nothing was done';
    await expect(performed).rejects.toThrow(detail);
    await poll();
    expect(executed).toEqual([]);
    expect((await actions.find('a2'))?.outcome).toEqual({ succeeded: false, detail, endedAt: ACTION.askedAt });
    expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([0, 0]);
  });

  it('performs many actions at once without exceeding the limit of listeners', async () => {
    const { actions, tools } = serviceUnderTest(ACTION.askedAt);
    const limit = process.getMaxListeners();
    const reason = { actor: 'ana', reason: 'x' };
    const performed = Array.from({ length: 20 }, () => perform(tools, 'log show', ACTION.subject, reason));
    const ended = Promise.allSettled(performed);
    while ((await actions.open()).length === 0) await pause(1);
    expect(process.listenerCount('SIGINT')).toBeLessThanOrEqual(process.getMaxListeners());
    process.emit('SIGINT');
    await ended;
    expect(process.getMaxListeners()).toBe(limit);
  });

  it('leaves an action that a process has taken to that process', async () => {
    const { actions, tools } = serviceUnderTest(ACTION.askedAt);
    const performed = perform(tools, 'log show', ACTION.subject, { actor: 'ana', reason: 'x' });
    while (!(await actions.take('a2', 'orders-1'))) await pause(1);
    process.emit('SIGINT');
    await expect(performed).rejects.toThrow('action a2 was started and has not finished');
    expect((await actions.find('a2'))?.outcome).toBeNull();
  });
});
