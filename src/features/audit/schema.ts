import { type Static, Type } from 'typebox'
import {
  endpoint,
  filterValue,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

/** All audited events. */
export const AUDIT_EVENTS = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'session_ended',
  'permission_denied',
  'role_changed',
  'user_disabled',
  'user_enabled',
  'user_erased',
  'user_exported',
  'person_erased',
  'person_exported',
  'notes_transferred',
  'files_transferred',
  'key_created',
  'key_revoked',
  'calendar_created',
  'calendar_revoked',
  'export',
  'import',
  'bulk_action_started',
  'purge',
  'file_infected',
  'backup_created',
  'entries_lost',
] as const
export type AuditEvent = (typeof AUDIT_EVENTS)[number]

const nullableText = (description: string) => Nullable(Type.String({ description }))

export const AuditEntry = Named('AuditEntry', {
  id: Type.String(),
  at: Timestamp,
  event: OneOf(AUDIT_EVENTS),
  user_email: nullableText('The user; null if unknown.'),
  address: nullableText('The IP address of the client.'),
  browser: nullableText('The User-Agent of the client.'),
  request_id: nullableText('The X-Request-Id, which the request log has too.'),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Depends on the event, such as the reason of a denial, or the filter and row count of an export.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const auditEntryExample: AuditEntry = {
  id: 'aud_01jw3f8x60e8tbmz4k7q2n9r5v',
  at: '2026-03-02T09:30:00.000Z',
  event: 'export',
  user_email: 'ada@example.com',
  address: '203.0.113.7',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  request_id: '0c3f6a52-6d9e-4c55-9a53-0d5b2a1e4a11',
  details: { resource: 'companies', filter: { country_code: 'DE' }, rows: 128, complete: true },
}

const filters = {
  event: Type.Optional({ ...OneOf(AUDIT_EVENTS), 'x-normalize': 'word' }),
  user_email: filterValue({ description: 'An email address, in any case.' }),
  address: filterValue({ description: 'An IP address.' }),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601. Entries at or after this time.' }),
  ),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601. Entries before this time.' }),
  ),
}
export const AuditFilters = Strict(Type.Object(filters))
export type AuditFilters = Static<typeof AuditFilters>

export const AuditQuery = Strict(Type.Object({ ...pageQuery(), ...filters }))
export type AuditQuery = Static<typeof AuditQuery>

const tags = ['Audit']

export const listAuditEntries = endpoint('GET', '/api/audit', {
  operationId: 'listAuditEntries',
  tags,
  'x-action': 'audit',
  summary: 'List the audit log',
  description: 'Newest first.',
  querystring: AuditQuery,
  response: { 200: Page(AuditEntry, auditEntryExample) },
})

export const exportAuditEntries = endpoint('GET', '/api/audit/export', {
  operationId: 'exportAuditEntries',
  tags,
  'x-action': 'audit',
  summary: 'Export the audit log as a CSV file',
  description: 'Oldest first. Takes the filters of the list.',
  produces: ['text/csv'],
  querystring: AuditFilters,
  response: {
    200: Type.String({
      description: 'Cells that a spreadsheet would run as formulas begin with an apostrophe.',
      examples: [
        'id,at,event,user_email,address,browser,request_id,details\r\naud_01jw3f8x60e8tbmz4k7q2n9r5v,2026-03-02T09:30:00.000Z,signed_out,ada@example.com,203.0.113.7,,,{}\r\n',
      ],
    }),
  },
})
