import { refuse } from '@ponte/kernel';

const PATH = 'file';

/** The file exceeds a limit; HTTP 413. */
export const tooLarge = (message: string): never => refuse('file-too-large', message, PATH);
/** The format is not accepted; HTTP 415. */
export const unsupported = (): never => refuse('unsupported-media-type', 'the file must be a JPEG, PNG or PDF', PATH);
/** The file opens with a password only; HTTP 422. */
export const passwordProtected = (): never =>
  refuse('file-password-protected', 'the PDF must open without a password: remove it', PATH);
/** The format is accepted but the content is invalid; HTTP 422. */
export const corrupted = (message: string): never => refuse('file-corrupted', message, PATH);
