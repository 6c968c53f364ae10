import { Module } from '@nestjs/common';
import { BLOBS } from './ports/blobs';
import { LIVENESS } from './ports/liveness';
import { SCREENING } from './ports/screening';
import { ToldBlobs, ToldLiveness, ToldScreening } from './testing/outside';

@Module({
  providers: [{ provide: SCREENING, useClass: ToldScreening }, { provide: LIVENESS, useClass: ToldLiveness }, { provide: BLOBS, useClass: ToldBlobs }],
  exports: [SCREENING, LIVENESS, BLOBS],
})
export class OnboardingAdaptersModule {}
