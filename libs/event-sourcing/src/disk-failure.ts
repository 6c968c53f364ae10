/** Error codes of Node and SQLite for a full, broken or read-only disk or a busy file. */
const CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_READONLY',
]);

/** True if a disk cannot be written or read at the moment: it is full, broken or read-only, or a file is busy. */
export function isDiskFailure(error: unknown): boolean {
  const code = errorCodeOf(error);
  return CODES.has(code) || code.startsWith('SQLITE_IOERR');
}

/** The code of an error of Node or SQLite; empty without one. */
export function errorCodeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
