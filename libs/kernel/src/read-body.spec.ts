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
  ['one that fits is answered', 3, 0, 'ababab', 3],
  ['one that is too long is not, and is read no further', 9, 0, undefined, 4],
  ['of one that is too long, so much more is read', 9, 4, undefined, 6],
  ['one that ends while it is dropped is too long all the same', 4, 4, undefined, 4],
])('%s', async (_, chunks, discard, text, read) => {
  const body = bodyOf(chunks);
  expect([(await readBody(body, 6, discard))?.toString(), body.read.chunks]).toEqual([text, read]);
});
