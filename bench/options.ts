import { parseArgs } from 'node:util'
import type { Load } from './measure.ts'

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    'import-rows': { type: 'string' },
    'custom-fields': { type: 'string', default: '30' },
    'search-companies': { type: 'string' },
    trash: { type: 'string' },
    notes: { type: 'string' },
    files: { type: 'string' },
    reminders: { type: 'string', default: '10000' },
    'rest-seconds': { type: 'string', default: '600' },
    only: { type: 'string' },
  },
})
export const companies = Number(values.companies)
export const seconds = Number(values.seconds)
export const usual: Load = { connections: Number(values.connections), seconds }
export const alone: Load = { connections: 1, seconds: usual.seconds }
export const few: Load = { connections: Math.min(8, usual.connections), seconds: usual.seconds }
export const server = process.env.DATABASE_URL
export const importRows = Number(values['import-rows'] ?? (server ? 100_000 : 20_000))
export const trash = Number(values.trash ?? Math.min(100_000, companies))
export const notes = Number(values.notes ?? (server ? 100_000 : 20_000))
/** Of 20 pages each. */
export const files = Number(values.files ?? (server ? 10_000 : 1000))
export const reminders = Number(values.reminders)
export const customFields = Number(values['custom-fields'])
export const searchCompanies = Number(values['search-companies'] ?? (server ? 100_000 : 20_000))
/** How long nobody has used the service when its rest is measured. */
export const restSeconds = Number(values['rest-seconds'])
export const { only } = values
