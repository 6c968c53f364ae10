/** No connection could carry the call, so the server has never received it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  constructor(cause: unknown) {
    super('there is no connection to the event store', { cause });
  }
}
