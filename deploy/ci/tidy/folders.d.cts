import type { Finding } from './rules.d.cts';

/** A finding for each folder with too many files, without its subfolders. */
export function largeFoldersIn(files: readonly string[]): Finding[];
