import type { OperatorAction, OperatorActions } from '@ponte/event-sourcing';
import pino from 'pino';
import { OperatorDesk } from './desk';

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
  const desk = new OperatorDesk({
    actions: actions as OperatorActions,
    instance: 'test',
    systemClock: { now: () => 0 },
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  desk.serve({
    'log show': { can: () => true, carryOut: async () => 'the events', ...(isRead ? { isRead: true } : {}) },
  });
  await desk.executeOpen(new AbortController().signal);
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
