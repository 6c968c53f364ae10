/**
 * The chunks of the whole body of a request or response; undefined if it is longer than `maxBytes`. In that case, up to
 * `discardBytes` more are read and dropped before the stream is closed, because a client that is disconnected while
 * sending does not read the response.
 */
export async function readChunks(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  discardBytes = 0,
): Promise<readonly Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (size > maxBytes + discardBytes) return undefined;
  }
  return size <= maxBytes ? chunks : undefined;
}

/** As {@link readChunks}, in one buffer. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  discardBytes?: number,
): Promise<Buffer | undefined> {
  const chunks = await readChunks(body, maxBytes, discardBytes);
  return chunks && Buffer.concat(chunks);
}
