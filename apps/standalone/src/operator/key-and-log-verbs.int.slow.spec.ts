import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import { openEmbeddedEngines, serveOperators, skippedBy } from '@ponte/nest';
import { because, OperatorUnderTest } from './testing/operator-under-test';

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const verb = (...argv: string[]) => operated.verb(...argv);
const json = (...argv: string[]) => operated.json(...argv);

test('the master key of a stopped cluster can be changed, even if a crash interrupts the change', async () => {
  const at = (name: string): string => join(operated.folder.path, name);
  const opening = async (sealed: string) => {
    const data = openSqlitePersonalData({ directory: operated.folder.path });
    return data.open(sealed as never).finally(() => data.close());
  };
  const running = await openEmbeddedEngines(operated.runtime(), 'test');
  const sealed = await running.personalData.seal('person', 'Maria');
  await running.personalData.seal('gone', 'Ana');
  await running.personalData.erase('gone');
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('stop the processes'),
  });
  await running.close();
  const before = readFileSync(at('master.key'), 'utf8');
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 keys of personal data'),
  });
  expect(readFileSync(at('master.key'), 'utf8')).not.toBe(before);
  expect(readFileSync(at('master.previous.key'), 'utf8')).toBe(before);
  expect(await opening(sealed)).toBe('Maria');
  // Simulates a kill after the transaction and before the files were renamed.
  renameSync(at('master.key'), at('master.next.key'));
  renameSync(at('master.previous.key'), at('master.key'));
  expect(await opening(sealed)).toBe('Maria');
  expect(existsSync(at('master.next.key'))).toBe(false);
  // Simulates a kill before the transaction: there is a new key that encrypts nothing.
  const [current, next] = [readFileSync(at('master.key'), 'utf8'), 'ab'.repeat(32)];
  writeFileSync(at('master.next.key'), `${next}\n`, { mode: 0o600 });
  expect(await opening(sealed)).toBe('Maria');
  expect(readFileSync(at('master.key'), 'utf8')).toBe(current);
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({ code: 0 });
  expect(readFileSync(at('master.key'), 'utf8').trim()).toBe(next);
  expect(await opening(sealed)).toBe('Maria');
});

test('an operator can skip a foreign event that stops a reader, and the decision is recorded', async () => {
  const engines = await operated.open();
  const fault = {
    kind: 'foreign-event',
    reader: 'orders-list',
    stream: 'order-1',
    revision: '7',
    text: 'not ours',
  } as const;
  serveOperators({ ...engines, logFaults: () => [fault] }, []);
  engines.timers.start();
  const isSkipped = skippedBy(engines.operator);
  expect(await verb('log', 'skip', '--stream', 'order-1', '--revision', '7', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('skip revision 7 of order-1') as string,
  });
  expect(await verb('log', 'skip', '--stream', 'order-1', '--revision', 'last', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('whole number') as string,
  });
  expect([await isSkipped('order-1', '7'), await isSkipped('order-1', '8')]).toEqual([true, false]);
  expect(await json('actions')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ verb: 'log skip', actor: 'ops', reason: 'a test', ended: 'done' }),
    ]),
  );
});
