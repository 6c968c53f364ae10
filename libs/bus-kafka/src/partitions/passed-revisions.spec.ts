import type { KafkaMessage } from 'kafkajs';
import { PassedRevisions } from './passed-revisions';
import { SeenRevisions } from './seen-revisions';

test('repeated revisions are detected in known streams, and nothing in unknown ones', () => {
  const passed = new PassedRevisions();
  expect(passed.has('s', 3)).toBe(false);
  passed.pass('s', 3);
  passed.pass('s', 2);
  expect([passed.has('s', 2), passed.has('s', 3), passed.has('s', 4)]).toEqual([true, true, false]);
});

test('missing revisions are detected among messages whose offsets follow each other, whatever happened between them', () => {
  const seen = new SeenRevisions();
  const at = (partition: number, offset: string, stream: string, revision: number): string => {
    const message = { offset } as KafkaMessage;
    return seen.record(seen.runOf({ topic: 't', partition, message, before: async () => undefined }), stream, revision);
  };
  expect([at(0, '7', 's', 3), at(0, '8', 's', 2), at(0, '9', 's', 4), at(1, '0', 'r', 5)]).toEqual([
    'first',
    'follows',
    'follows',
    'first',
  ]);
  expect([at(0, '10', 's', 6), at(0, '11', 's', 7), at(1, '1', 'r', 7)]).toEqual(['missing', 'follows', 'missing']);
  // Another member has read the partition meanwhile, or messages are delivered again.
  expect([at(0, '15', 's', 12), at(0, '16', 's', 14), at(0, '15', 's', 12), at(0, '16', 's', 14)]).toEqual([
    'first',
    'missing',
    'first',
    'missing',
  ]);
  expect([at(0, '17', 'q', 0), at(0, '18', 'q', 2)]).toEqual(['follows', 'missing']);
});
