import { refuse } from '@ponte/kernel';

const PATH = 'file';

/** More than a file may have; HTTP 413. */
export const tooLarge = (message: string): never => refuse('file-too-large', message, PATH);
/** No format that is taken; HTTP 415. */
export const unsupported = (): never => refuse('unsupported-media-type', 'the file must be a JPEG, PNG or PDF', PATH);
/** The format is known and its content is not sound; HTTP 422. */
export const corrupted = (message: string): never => refuse('file-corrupted', message, PATH);
