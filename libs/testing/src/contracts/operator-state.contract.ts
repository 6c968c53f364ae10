import type { Checkpoints, OperatorState } from '@ponte/event-sourcing';

interface OperatorStateUnderTest {
  readonly operator: OperatorState;
  readonly checkpoints: Checkpoints;
  cleanUp(): Promise<void>;
}

const action = (id: string) => ({
  id,
  verb: 'parked release',
  subject: { key: 'order-1' },
  actor: 'ops',
  reason: 'cured',
  askedAt: `2026-01-01T00:00:0${id}.000Z`,
});

/** The contract of operators' actions and of readers' checkpoints. */
export function describeOperatorState(name: string, make: () => Promise<OperatorStateUnderTest>): void {
  describe(`the operator state on ${name}`, () => {
    let under: OperatorStateUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.cleanUp());

    test('an action is taken by one process, ends once, and is kept with its actor and reason', async () => {
      const {
        operator: { actions },
      } = under;
      for (const id of ['1', '2']) await actions.ask(action(id));
      expect((await actions.open()).map(({ id }) => id)).toEqual(['1', '2']);
      const taken = await Promise.all(['p1', 'p2', 'p3'].map((by) => actions.take('1', by)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await actions.open()).map(({ id }) => id)).toEqual(['2']);
      await actions.end('1', { succeeded: true, detail: 'done' }, '2026-01-01T00:01:00.000Z');
      await actions.end('1', { succeeded: false, detail: 'late' }, '2026-01-01T00:02:00.000Z');
      await actions.end('2', { succeeded: false, detail: 'withdrawn' }, '2026-01-01T00:02:00.000Z');
      expect(await actions.take('2', 'p1')).toBe(false);
      expect(await actions.find('1')).toEqual({
        ...action('1'),
        takenBy: `p${taken.indexOf(true) + 1}`,
        outcome: { succeeded: true, detail: 'done', endedAt: '2026-01-01T00:01:00.000Z' },
      });
      await actions.ask({ ...action('3'), verb: 'log head' });
      expect((await actions.list(1, ['log head', 'log show'])).map(({ id }) => id)).toEqual(['2']);
      expect((await actions.list(10)).map(({ id, outcome }) => [id, outcome?.succeeded])).toEqual([
        ['3', undefined],
        ['2', false],
        ['1', true],
      ]);
      expect(await actions.find('4')).toBeUndefined();
      await actions.ask({ ...action('5'), verb: 'log head' });
      await actions.forget(['log head', 'log show'], '5', '2026-01-01T00:00:02.000Z');
      expect((await actions.list(10)).map(({ id }) => id)).toEqual(['3', '2', '1']);
      await actions.forget(['log head', 'log show'], '1', '2026-01-01T00:00:04.000Z');
      expect((await actions.list(10)).map(({ id }) => id)).toEqual(['2', '1']);
      expect((await actions.succeeded('parked release')).map(({ id }) => id)).toEqual(['1']);
      expect(await actions.succeeded('log skip')).toEqual([]);
    });

    test('a rewound reader stays there: the previous holder can no longer save its checkpoint', async () => {
      const { operator, checkpoints } = under;
      expect(await checkpoints.save('relay', '5', 3)).toBe(true);
      await operator.place('relay', undefined, 4);
      expect(await checkpoints.load('relay')).toBeUndefined();
      expect(await checkpoints.save('relay', '6', 3)).toBe(false);
      expect(await operator.checkpoints()).toEqual([{ reader: 'relay', position: '', fence: 4 }]);
      expect(await checkpoints.save('relay', '2', 4)).toBe(true);
      expect(await checkpoints.load('relay')).toBe('2');
    });

    test('a failure that stops a reader is reported with the time of its first occurrence', async () => {
      const { operator, checkpoints } = under;
      await checkpoints.trouble?.('read model', 'first', '2026-01-01T00:00:00.000Z');
      await checkpoints.trouble?.('read model', 'second', '2026-01-01T00:00:09.000Z');
      expect(await operator.troubles()).toEqual([
        { reader: 'read model', trouble: 'second', since: '2026-01-01T00:00:00.000Z' },
      ]);
      await checkpoints.trouble?.('read model', null, '2026-01-01T00:00:10.000Z');
      expect(await operator.troubles()).toEqual([]);
    });
  });
}
