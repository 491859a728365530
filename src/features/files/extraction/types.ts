/** The media types whose text can be read. */
export const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-outlook',
  'application/x-cfb',
  'application/zip',
  'message/rfc822',
  'text/html',
  'text/markdown',
  'text/plain',
])
