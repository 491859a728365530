import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ada } from '#src/testing/settings.ts'
import { type Clamd, startClamd } from '#src/testing/virus-scanner.ts'
import { scanFiles } from './scan.ts'

export const [ADA, BEN, PIA, ZOE] = [ada, 'ben@example.com', 'pia@example.com', 'zoe@example.com'] as const

/** A service with a real scanner, and the requests of its users. */
export interface ScanService {
  api: TestApp
  clamd: Clamd
  company: string
  /** Uploads a file. @param file_id for a new version of it */
  upload(name: string, content: string | Buffer, options?: UploadOptions): Promise<Uploaded>
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, email?: string): Promise<Answer>
  read(id: string, email?: string): Promise<Uploaded>
  /** Scans what is due. */
  scan(): Promise<void>
  /** Makes postponed versions due. */
  endPauses(): Promise<void>
  close(): Promise<void>
}

interface UploadOptions {
  email?: string
  file_id?: string
  visibility?: 'team' | 'private'
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
export type Uploaded = any

/** Ada is an admin, Pia a partner; Ben and Zoe are members. */
export async function scanService(
  settings: Record<string, string> = {},
  clamdSettings: Record<string, string> = {},
): Promise<ScanService> {
  const clamd = await startClamd(clamdSettings)
  const api = await testApp({ ENFORCE_ROLES: 'true', CLAMAV_HOST: clamd.address, ...settings })
  await userWithRole(api, ADA, 'admin')
  await userWithRole(api, PIA, 'partner')
  for (const email of [BEN, ZOE]) await userWithRole(api, email, 'member')
  const company = (await api.call('POST', '/api/companies', { name: 'Nordlys Robotics' })).body.data.id
  const { backgroundDb: db, log, objects, virusScanner: scanner } = api.context
  const call: ScanService['call'] = (method, url, email = ADA) =>
    api.call(method, url, undefined, { headers: { 'x-user-email': email } })
  return {
    api,
    clamd,
    company,
    call,
    upload: (name, content, options) => upload(api, company, name, content, options),
    read: async (id, email) => (await call('GET', `/api/files/${id}`, email)).body.data,
    scan: async () => {
      assert.ok(scanner)
      await scanFiles({ db, log, objects, scanner }, new AbortController().signal)
    },
    endPauses: async () => {
      await sql`
        update file_versions set next_scan_at = clock_timestamp() where next_scan_at is not null`.execute(db)
    },
    close: async () => {
      await api.close()
      await clamd.close()
    },
  }
}

/** Uploads a file. */
export async function upload(
  api: TestApp,
  company: string,
  name: string,
  content: string | Buffer,
  { email = ADA, file_id, visibility = 'team' }: UploadOptions = {},
): Promise<Uploaded> {
  const form = new FormData()
  if (!file_id) {
    form.set('about', JSON.stringify([{ type: 'company', id: company }]))
    form.set('visibility', visibility)
  }
  form.set('file', new Blob([Buffer.from(content)]), name)
  const request = new Response(form)
  const payload = await buffer(Readable.fromWeb(request.body as never))
  const headers = { 'x-user-email': email, 'content-type': request.headers.get('content-type') ?? '' }
  const url = file_id ? `/api/files/${file_id}/versions` : '/api/files'
  const { status, body } = await api.call('POST', url, undefined, { payload, headers })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}
