import type { EvidenceContentType } from '@ponte/contracts';

export interface InspectedFile {
  /** By the bytes themselves, whatever the sender called it. */
  readonly contentType: EvidenceContentType;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Judges an uploaded file without decoding it. Refuses at path `file`: `file-too-large` (more bytes than 10 MB, or more
 * pixels than 50 million), `unsupported-media-type` (no JPEG, PNG or PDF), `file-corrupted` (cut off, damaged, two
 * formats in one, or a PDF with active content, or one that cannot be read within the time and memory for it). Throws
 * `Unavailable` while too many PDFs wait.
 */
export interface FileInspection {
  inspect(bytes: Uint8Array): Promise<InspectedFile>;
}

export const FILE_INSPECTION = Symbol('FileInspection');
