export { FolderBlobs } from './folder';
export type { S3Options } from './s3';
export { S3Blobs } from './s3';
