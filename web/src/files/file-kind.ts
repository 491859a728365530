import type { FILE_TYPES } from '#src/client/limits.ts'
import type { FileRecord } from '#web/api/service.ts'

export type FileKind = (typeof FILE_TYPES)[number]

const KINDS: readonly (readonly [pattern: RegExp, kind: FileKind])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'image'],
  [/wordprocessing|msword|opendocument\.text|rtf/, 'document'],
  [/spreadsheet|ms-excel|text\/csv/, 'spreadsheet'],
  [/presentation|powerpoint/, 'presentation'],
  [/rfc822|vnd\.ms-outlook/, 'email'],
  [/zip|tar|rar|7z|compressed|gzip/, 'archive'],
  [/^text\//, 'text'],
]

/** What people call a file of a media type. */
export const kindOf = ({ type }: Pick<FileRecord, 'type'>): FileKind =>
  KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other'
