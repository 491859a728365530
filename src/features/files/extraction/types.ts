const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const PRESENTATION = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const SLIDE_SHOW = 'application/vnd.openxmlformats-officedocument.presentationml.slideshow'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What the text of a file is read from, by media type in lower case. */
export const FORMATS = {
  'application/pdf': 'pdf',
  [WORD]: 'word',
  'application/vnd.ms-word.document.macroenabled.12': 'word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'word',
  'application/vnd.ms-word.template.macroenabled.12': 'word',
  [PRESENTATION]: 'presentation',
  [SLIDE_SHOW]: 'presentation',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'presentation',
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': 'presentation',
  'application/vnd.openxmlformats-officedocument.presentationml.template': 'presentation',
  'application/vnd.ms-powerpoint.template.macroenabled.12': 'presentation',
  [WORKBOOK]: 'workbook',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'workbook',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'workbook',
  'application/vnd.ms-excel.template.macroenabled.12': 'workbook',
  'application/vnd.oasis.opendocument.spreadsheet': 'workbook',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/csv': 'text',
  'text/tab-separated-values': 'text',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'message/rfc822': 'email',
  'application/vnd.ms-outlook': 'ole',
  'application/x-cfb': 'ole',
  'application/msword': 'ole',
  'application/vnd.ms-excel': 'ole',
  'application/vnd.ms-powerpoint': 'ole',
  'application/zip': 'archive',
} as const

export type Format = (typeof FORMATS)[keyof typeof FORMATS]

/** The media types of files whose text, or list of contents, is read. */
export const TEXT_TYPES: ReadonlySet<string> = new Set(Object.keys(FORMATS))

/** The format of a media type; undefined: its text is not read. */
export const formatOf = (type: string): Format | undefined =>
  (FORMATS as Record<string, Format>)[type.toLowerCase()]

/** An attachment of an email, or a file in an archive. */
export interface ListedFile {
  name: string
  size: number
}

export interface EmailDetails {
  kind: 'email'
  subject: string | null
  from: string | null
  to: string[]
  /** RFC 3339. */
  date: string | null
  attachments: (ListedFile & { type: string })[]
}

export interface ArchiveDetails {
  kind: 'archive'
  /** The first ones. */
  entries: ListedFile[]
  /** How many there are. */
  total: number
}

/** What was read from a file. */
export interface Extraction {
  text_state: 'done' | 'none' | 'encrypted' | 'unreadable' | 'timed_out'
  /** A sentence: why there is no text, or what of it was left out. */
  text_detail: string | null
  /** Pages, slides, or sheets; null: unknown. */
  pages: number | null
  /** The text of each page, from the first. */
  texts: string[]
  details: EmailDetails | ArchiveDetails | null
}
