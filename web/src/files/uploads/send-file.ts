import { notifications } from '@mantine/notifications'
import { strings } from '#strings/files.ts'
import { multipartForm } from '#web/api/multipart-form.ts'
import type { FileRecord, service } from '#web/api/service.ts'
import { type UploadProgress, uploadFetch } from '#web/api/upload-fetch.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { refreshFiles } from '../refresh-files.ts'

/** What a file becomes: a file about records, or the next version of one. */
export type UploadTarget =
  | { about: readonly AboutEntry[]; isPrivate: boolean }
  | { version: Pick<FileRecord, 'id' | 'name'> }

interface Sending {
  /** The API; it decides who shows the notice of the upload. */
  api: typeof service
  signal: AbortSignal
  onProgress: (progress: UploadProgress) => void
}

/**
 * Sends a file as a form. A notice with Undo follows from the action; content that is already there is only mentioned.
 * @throws as the client does
 */
export async function sendFile(file: File, target: UploadTarget, sending: Sending): Promise<void> {
  const { api, signal, onProgress } = sending
  const form = multipartForm(file, fieldsOf(file, target))
  const upload = uploadFetch(onProgress)
  let isUnchanged = false
  const send: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('content-type', form.type)
    const response = await upload(address, { ...init, headers: Object.fromEntries(headers) })
    isUnchanged = response.status === 200
    return response
  }
  const options = { signal, fetch: send }
  const { data } =
    'version' in target
      ? await api.uploadFileVersion({ params: { id: target.version.id }, body: form.body }, options)
      : await api.uploadFile({ body: form.body }, options)
  if (isUnchanged) notifications.show({ message: strings.sameVersion(data.name) })
  refreshFiles()
}

/** The name is a field, too: in the head of a part, browsers encode quotation marks. */
const fieldsOf = ({ name }: File, target: UploadTarget): Record<string, string> =>
  'version' in target
    ? {}
    : {
        about: JSON.stringify(target.about.map(({ type, id }) => ({ type, id }))),
        visibility: target.isPrivate ? 'private' : 'team',
        name,
      }
