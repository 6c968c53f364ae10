import { assertNamePart, names } from './names';

test('topics and groups are named with and without a namespace', () => {
  expect(names().replies('orders', 'pod-1')).toBe('replies.orders.pod-1');
  const spaced = names('a.');
  expect([spaced.commands('orders'), spaced.events('orders'), spaced.deadLetters('orders')]).toEqual([
    'a.orders.commands',
    'a.orders.events',
    'a.orders.events.dead-letters',
  ]);
  expect(spaced.repliesGroup(spaced.replies('orders', 'pod-1'))).toBe('a.ponte.replies.orders.pod-1');
  expect(spaced.replies('orders', 'x').startsWith(spaced.repliesOf('orders'))).toBe(true);
  for (const bad of ['', 'a b', 'a/b', 'x'.repeat(101)]) expect(() => assertNamePart(bad)).toThrow('cannot be part');
});
