import { readBody } from './read-body';

/** A body in chunks of two bytes that records how much of it was read. */
const bodyOf = (chunks: number) => {
  const read = { chunks: 0 };
  return {
    read,
    async *[Symbol.asyncIterator]() {
      for (; read.chunks < chunks;) {
        read.chunks += 1;
        yield Buffer.from('ab');
      }
    },
  };
};

test.each([
  ['a body that fits is returned', 3, 0, 'ababab', 3],
  ['a body that is too long is refused and read no further', 9, 0, undefined, 4],
  ['of a body that is too long, discardBytes more are read', 9, 4, undefined, 6],
  ['a body that ends while it is being discarded is too long, too', 4, 4, undefined, 4],
])('%s', async (_, chunks, discard, text, read) => {
  const body = bodyOf(chunks);
  expect([(await readBody(body, 6, discard))?.toString(), body.read.chunks]).toEqual([text, read]);
});
