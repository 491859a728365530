import { type Static, Type } from 'typebox'
import { About, aboutFilter, MAX_ABOUT, NamedAboutEntry } from '#src/features/links/schema.ts'
import {
  filterParameter,
  repeatedChoice,
  repeatedUserFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { Named, Nullable, OneOf, Patch, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'
import { FileDetails } from './details-schema.ts'

export const VISIBILITIES = ['team', 'private'] as const
export const SCAN_STATES = ['off', 'pending', 'clean', 'infected'] as const
export const TEXT_STATES = ['pending', 'done', 'none', 'encrypted', 'unreadable', 'timed_out'] as const
/** What files are called in lists, by their media types. */
export const FILE_TYPES = [
  'pdf',
  'image',
  'document',
  'spreadsheet',
  'presentation',
  'email',
  'archive',
  'text',
  'other',
] as const
export const MAX_FILE_MB = 100
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024
export const MAX_FILE_NAME_LENGTH = 255
export const MAX_UPLOADS_PER_USER = 4
export const MAX_UPLOADS = 32

/** The writable fields. */
const fileProperties = {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_FILE_NAME_LENGTH,
    pattern: '\\S',
    description: 'The name for saving, without folders.',
  }),
  about: About,
  visibility: {
    ...OneOf(VISIBILITIES),
    description: '`private`: only the user who uploaded it can see it.',
  },
}

/** The fields of a file's content. */
const contentProperties = {
  type: Type.String({ description: 'The media type, as the content shows it.' }),
  size: Type.Integer({ description: 'In bytes.' }),
  sha256: Type.String({ description: 'The SHA-256 of the content, in hexadecimal digits.' }),
  scan_state: OneOf(SCAN_STATES, {
    description:
      'Of the virus scan; `off`: it was not scanned when it was uploaded. Only `off` and `clean` can be downloaded.',
  }),
  text_state: OneOf(TEXT_STATES, {
    description: 'Whether its text has been read; `none`: it has none, such as a picture.',
  }),
}

/** What was found in a file's content. */
const foundProperties = {
  scan_detail: Nullable(
    Type.String({
      description: 'The name of what the virus scan has found, or why a version has not been scanned yet.',
    }),
  ),
  text_detail: Nullable(
    Type.String({ description: 'Why it has no text, or what of it was left out, as a sentence.' }),
  ),
  pages: Nullable(Type.Integer({ description: 'The number of pages, slides, or sheets; null if unknown.' })),
  preview: Nullable(
    OneOf(['pdf', 'image'], { description: 'How browsers can show it safely; null: not at all.' }),
  ),
}

export const FileRecord = Named('File', {
  id: Type.String(),
  name: fileProperties.name,
  ...contentProperties,
  version: Type.Integer({ description: 'The version that is shown.' }),
  versions: Type.Integer({ description: 'The number of versions.' }),
  about: Type.Array(NamedAboutEntry),
  visibility: fileProperties.visibility,
  uploaded_by: Nullable(Type.String({ description: 'Who uploaded the first version; null if unknown.' })),
  uploaded_at: Type.String({
    format: 'date-time',
    description: 'When the version that is shown was uploaded.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  ...foundProperties,
  details: FileDetails,
  has_infected_version: Type.Boolean({
    description:
      'Whether any version is infected, not only the one that is shown. Deleting the file needs the permission to delete then.',
  }),
})
export type FileRecord = Static<typeof FileRecord>

/** Files of a list whose pages with the words of a search are shown. */
export const MAX_MATCHED_FILES = 100
/** Pages of a file that a search shows. */
export const MAX_MATCHES = 3

/** A file in a list. A search adds the pages that it found. */
export const ListedFile = Named('ListedFile', {
  ...FileRecord.properties,
  matches: Type.Optional(
    Type.Array(
      Named('FileMatch', {
        page: Type.Integer({ description: 'The page, slide, or sheet, from 1.' }),
        text: Type.String({ description: 'Plain text around the first words that were found.' }),
      }),
      {
        description: `The first ${MAX_MATCHES} pages with all words of the search, of the first ${MAX_MATCHED_FILES} files of the page; none if only the name has them.`,
      },
    ),
  ),
})
export type ListedFile = Static<typeof ListedFile>

export const FileText = Named('FileText', {
  text_state: FileRecord.properties.text_state,
  pages: Type.Array(
    Named('FilePage', {
      page: Type.Integer({ description: 'The page, slide, or sheet, from 1.' }),
      text: Type.String(),
    }),
    { description: 'Empty unless `text_state` is `done`.' },
  ),
})

export const FileVersion = Named('FileVersion', {
  version: Type.Integer(),
  ...contentProperties,
  uploaded_by: Nullable(Type.String()),
  uploaded_at: Timestamp,
  ...foundProperties,
})
export type FileVersion = Static<typeof FileVersion>

export const fileExample: FileRecord = {
  id: 'file_01jw3f8x6h5k7n9q1s3v5x7z9b',
  name: 'Nordlys Robotics – Seed deck.pdf',
  type: 'application/pdf',
  size: 2_415_919,
  sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  version: 2,
  versions: 2,
  about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s', name: 'Nordlys Robotics' }],
  visibility: 'team',
  uploaded_by: 'ada@example.com',
  uploaded_at: '2026-03-09T14:05:00.000Z',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-09T14:05:00.000Z',
  scan_state: 'clean',
  scan_detail: null,
  text_state: 'done',
  text_detail: null,
  pages: 14,
  details: null,
  preview: 'pdf',
  has_infected_version: false,
}

/** The fields of the form that comes with an upload, as texts. */
export const NewFile = Strict(
  Type.Object({
    about: About,
    visibility: Type.Optional(fileProperties.visibility),
    name: Type.Optional(
      Type.String({ description: 'By default the name of the file in the form. Folders are cut off.' }),
    ),
  }),
)
export type NewFile = Static<typeof NewFile>

/** Fields that a PATCH ignores. */
export const FILE_READ_ONLY = [
  ...['id', 'type', 'size', 'sha256', 'version', 'versions', 'uploaded_by', 'created_at', 'updated_at'],
  ...['scan_state', 'scan_detail', 'text_state', 'text_detail', 'pages', 'details', 'preview'],
  ...['has_infected_version', 'uploaded_at'],
  'matches',
] as const

export const FilePatch = {
  ...Patch(
    {
      ...fileProperties,
      // Their number is checked with what the file has.
      about: Type.Array(About.items, {
        description: `What it is about: 1 to ${MAX_ABOUT} records. What was read can be sent back, also after records were restored or purged.`,
      }),
    },
    FILE_READ_ONLY,
  ),
  title: 'FilePatch',
  examples: [{ name: 'Nordlys Robotics – Series A deck.pdf' }],
}
export type FilePatch = Static<typeof FilePatch>

export const fileFilters = {
  search: Type.Optional(
    Type.String({
      'x-normalize': 'text',
      maxLength: 1000,
      description:
        'Beginnings of words, in any order, all in the name or all on one page. Case, accents, and spellings such as "oe" for "ö" are ignored.',
    }),
  ),
  about: aboutFilter(
    'The id of a record that the file is about. A company also has the files about its deals.',
  ),
  type: repeatedChoice(FILE_TYPES),
  uploaded_by: repeatedUserFilter(),
  visibility: repeatedChoice(VISIBILITIES),
  filter: filterParameter,
}

export const FileQuery = Strict(Type.Object({ ...pageQuery(), ...fileFilters, sort: sortParameter() }))
export type FileQuery = Static<typeof FileQuery>
export type FileFilters = Omit<FileQuery, 'sort' | 'limit' | 'offset'>
