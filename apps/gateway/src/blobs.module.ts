import { Module } from '@nestjs/common';
import { BLOBS, blobsProvider } from '@ponte/nest';

/** The store of personal files: partners upload them and staff view them. */
@Module({
  providers: [blobsProvider(() => process.env)],
  exports: [BLOBS],
})
export class BlobsModule {}
