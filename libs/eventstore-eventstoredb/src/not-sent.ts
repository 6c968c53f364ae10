/** There was no connection that could carry the call: the server has never seen it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  constructor(cause: unknown) {
    super('there is no connection to the event store', { cause });
  }
}
