import type { FileRecord, service } from '#web/api/service.ts'

export type FileVersion = Awaited<ReturnType<typeof service.listFileVersions>>['data'][number]

/** A file as it was with an earlier version. What was inside archives and emails is kept of the current one alone. */
export const asOf = (file: FileRecord, { uploaded_by: _by, ...content }: FileVersion): FileRecord => ({
  ...file,
  ...content,
  details: null,
})
