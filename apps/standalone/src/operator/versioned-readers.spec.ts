import type { OperatorTools } from '@ponte/operator';
import { operatorVerbs } from '@ponte/operator';

it('read-models list shows the problem of the version in use, not that of an earlier one', async () => {
  const trouble = (reader: string) => ({ reader, trouble: `of ${reader}`, since: '2026-01-31T12:00:00.000Z' });
  const tools = {
    readModels: [{ name: 'refusals', reader: 'refusals_v2', tables: ['refusals_v2'] }],
    readModelCheckpoints: async () => [{ reader: 'refusals_v2', position: '7', fence: 1 }],
    head: async () => '7',
    operator: { troubles: async () => [trouble('refusals'), trouble('refusals_v2')] },
    systemClock: { now: () => 0 },
  } as unknown as OperatorTools;
  const printed: string[] = [];
  const verbs = operatorVerbs(
    async () => tools,
    (text) => void printed.push(text),
  );
  const readModels = verbs.find((one) => one.name() === 'read-models');
  await readModels?.parseAsync(['list', '--json'], { from: 'user' });
  expect(JSON.parse(printed.join('\n'))).toMatchObject([
    { name: 'refusals', position: '7', trouble: 'of refusals_v2 (since 2026-01-31T12:00:00.000Z)' },
  ]);
});
