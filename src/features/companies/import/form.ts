import type { Readable } from 'node:stream'
import type { Multipart, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { customKey } from '#src/features/custom-fields/store.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-fault.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import type { ImportMapping } from './columns.ts'
import {
  FieldMapping,
  type ImportQuery,
  MAX_FILE_NAME_LENGTH,
  MAX_MAPPING_LENGTH,
  ON_TRASHED,
} from './schema.ts'

export const FORM_LIMITS = {
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
  fields: 5,
  // In bytes: a longer mapping is cut, but stays longer than its limit in characters.
  fieldSize: 3 * MAX_MAPPING_LENGTH + 3,
  parts: 6,
  headerPairs: 50,
}

export interface ImportForm {
  file: Readable
  /** The name of the file, if the client sent one. */
  name: string | undefined
  settings: ImportQuery
  /** Call this after the file. @throws InvalidInput if the form goes on, because it is too late for a setting */
  expectEnd(): Promise<void>
}

/** The form's file, and the settings in the fields before it. */
export async function readForm(request: FastifyRequest): Promise<ImportForm> {
  const parts = request.parts()
  const nextPart = async () => {
    const { value } = await parts.next().catch((error: Error) => {
      throw unreadableForm(error)
    })
    return value as Multipart | undefined
  }
  const settings: ImportQuery = {}
  let part = await nextPart()
  for (; part?.type === 'field'; part = await nextPart()) readSetting(part, settings)
  if (part?.fieldname !== 'file') throw new InvalidInput('The form must have one file, in the field `file`.')
  return {
    file: part.file,
    name: part.filename?.replaceAll('\0', '').slice(0, MAX_FILE_NAME_LENGTH).toWellFormed(),
    settings,
    expectEnd: async () => {
      const late = await nextPart()
      if (late)
        throw new InvalidInput(
          `The form's field ${late.fieldname.slice(0, 100)} comes after the file, where it has no effect. Put it before the file. ` +
            'Rows that were imported before it arrived stay; undo the import to remove them.',
        )
    },
  }
}

function readSetting({ fieldname: name, value: content }: MultipartValue, settings: ImportQuery): void {
  const value = String(content)
  if (Object.hasOwn(settings, name)) throw new InvalidInput(`The form must have the field ${name} only once.`)
  if (name === 'mapping') settings.mapping = checkLength(value)
  else if (name === 'on_trashed' && isOnTrashed(value)) settings.on_trashed = value
  else if (name === 'dry_run' && /^(true|false)$/.test(value)) settings.dry_run = value === 'true'
  else
    throw new InvalidInput(
      `The form's field ${name} is unknown or invalid. Known: dry_run (true or false), on_trashed (skip or restore), mapping, file.`,
    )
}

const isOnTrashed = (value: string): value is (typeof ON_TRASHED)[number] =>
  (ON_TRASHED as readonly string[]).includes(value)

function checkLength(mapping: string): string {
  if (mapping.length <= MAX_MAPPING_LENGTH) return mapping
  throw new InvalidInput(`mapping must not be longer than ${MAX_MAPPING_LENGTH} characters.`)
}

/** @throws InvalidInput that names the part of the mapping that is wrong */
export function readMapping(text: string | undefined): ImportMapping {
  if (!text) return {}
  const mapping = parsedJson(text)
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping))
    throw new InvalidInput(
      'mapping must be a JSON object of fields and columns, such as {"name": "Firm"}, or for a new custom field ' +
        '{"custom.batch": {"column": "Batch", "type": "select"}}, where type and label may be omitted.',
    )
  for (const [field, column] of Object.entries(mapping)) requireColumn(field, column)
  return mapping as ImportMapping
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldMappingFault = lazyValidator(FieldMapping)

/** @throws InvalidInput if a field is mapped to something else than a column, a new custom field, or null */
function requireColumn(field: string, column: unknown): void {
  if (column === null || typeof column === 'string') return
  const isCustom = customKey(field) !== undefined
  const place = `mapping.${field.slice(0, 60)}`
  if (!isCustom || typeof column !== 'object' || Array.isArray(column))
    throw new InvalidInput(
      `${place} must be the name of a column${isCustom ? ', an object such as {"column": "Batch"},' : ''} or null, not ${shown(column)}.`,
    )
  const fault = fieldMappingFault(column)
  if (fault) throw new InvalidInput(`${place}.${fault}`)
}

export const unreadableForm = (error: Error) =>
  new InvalidInput(`The form cannot be read: ${error.message}.`, { cause: error })
