import { type RawBuilder, sql } from 'kysely'
import type { FILE_TYPES } from './schema.ts'

type FileType = (typeof FILE_TYPES)[number]

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN = 'application/vnd.oasis.opendocument.'

/** The media types that browsers show as pictures and that cannot contain scripts. */
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** Media types by what lists call them. Other pictures are images, too, and other texts are texts. */
const MEDIA_TYPES: Record<Exclude<FileType, 'other'>, readonly string[]> = {
  pdf: ['application/pdf'],
  image: IMAGES,
  document: [
    `${OFFICE}wordprocessingml.document`,
    `${OPEN}text`,
    ...['application/msword', 'application/vnd.ms-word.document.macroenabled.12'],
    ...['application/rtf', 'text/rtf', 'application/epub+zip'],
  ],
  spreadsheet: [
    `${OFFICE}spreadsheetml.sheet`,
    `${OPEN}spreadsheet`,
    ...['application/vnd.ms-excel', 'application/vnd.ms-excel.sheet.macroenabled.12', 'text/csv'],
  ],
  presentation: [
    `${OFFICE}presentationml.presentation`,
    `${OFFICE}presentationml.slideshow`,
    `${OPEN}presentation`,
    ...['application/vnd.ms-powerpoint', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
  ],
  email: ['message/rfc822', 'application/vnd.ms-outlook'],
  archive: [
    ...['application/zip', 'application/gzip', 'application/x-7z-compressed', 'application/x-rar-compressed'],
    ...['application/x-tar', 'application/x-bzip2', 'application/x-xz', 'application/zstd'],
  ],
  text: ['text/plain', 'text/markdown'],
}

/** What lists call a file, by its media type. */
export const fileType = (type: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(case ${sql.join(
    Object.entries(MEDIA_TYPES).map(
      ([name, types]) =>
        sql`when ${type} in (${sql.join(types.map((each) => sql.lit(each)))}) then ${sql.lit(name)}`,
    ),
    sql` `,
  )} when ${type} like 'image/%' then 'image' when ${type} like 'text/%' then 'text' else 'other' end)`

/** How browsers can show a media type safely, as SQL; null: not at all. */
export const previewOf = (type: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when ${type} = 'application/pdf' then 'pdf'
    when ${type} in (${sql.join(IMAGES.map((each) => sql.lit(each)))}) then 'image' end`

/** Whether a browser may show the content in a frame: nothing in it can run. */
export const canShow = (type: string): boolean => type === 'application/pdf' || IMAGES.includes(type)

/** Media types that are sent as what they are. Everything else is sent as unknown bytes. */
const SENT = new Set(
  [...Object.values(MEDIA_TYPES).flat()].filter(
    (type) => !['message/rfc822', 'application/epub+zip'].includes(type),
  ),
)

/** The media type that a file is sent with: nothing that a browser could run. */
export const sentType = (type: string): string => {
  if (!SENT.has(type)) return 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
