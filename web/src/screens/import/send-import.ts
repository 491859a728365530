import { multipartForm } from '#web/api/multipart-form.ts'
import { service } from '#web/api/service.ts'
import { type UploadProgress, uploadFetch } from '#web/api/upload-fetch.ts'
import {
  type HeldType,
  type ImportedFile,
  type ImportReport,
  withAllLists,
} from './components/report/report.ts'

/** The service has read the file, but recognizes no column as the name. */
export class UnmatchedColumns extends Error {
  readonly file: ImportedFile
  constructor(file: ImportedFile) {
    super('No column is recognized as the name.')
    this.file = file
  }
}

const SENDERS = {
  company: service.importCompanies,
  person: service.importPeople,
  note: service.importNotes,
  deal: service.importDeals,
}

interface Sending {
  signal: AbortSignal
  onProgress: (progress: UploadProgress) => void
}

/**
 * Sends a file as a form, with the settings before it.
 * @param holds what the file holds
 * @throws UnmatchedColumns if the name is to be chosen; other errors as the client does
 */
export async function sendImport(
  file: File,
  holds: HeldType,
  fields: Record<string, string>,
  { signal, onProgress }: Sending,
): Promise<ImportReport> {
  const form = multipartForm(file, fields)
  const upload = uploadFetch(onProgress)
  let refused: ImportedFile | undefined
  const send: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('content-type', form.type)
    // The service need not keep the answer to a dry run, which may run twice.
    if (fields.dry_run === 'true') headers.delete('idempotency-key')
    const response = await upload(address, { ...init, headers: Object.fromEntries(headers) })
    if (response.status === 400) refused = await fileOf(response.clone())
    return response
  }
  try {
    const options = { signal, fetch: send }
    const { data } = await SENDERS[holds]({ body: form.body }, options)
    return withAllLists(data)
  } catch (error) {
    throw refused ? new UnmatchedColumns(refused) : error
  }
}

async function fileOf(response: Response): Promise<ImportedFile | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && 'file' in body ? (body.file as ImportedFile) : undefined
}
