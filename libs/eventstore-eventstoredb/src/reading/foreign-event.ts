/** An event in one of our streams that this system did not write. */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  constructor(
    readonly stream: string,
    readonly revision: string,
    readonly id: string,
  ) {
    super(`event ${id} at revision ${revision} of stream ${stream} was not written by this system`);
  }
}
